package report

import (
	"bytes"
	"errors"
	"image/png"
	"os"
	"path/filepath"
	"testing"
	"time"

	"treesplit/internal/browser"
	"treesplit/study/figure"
)

// measure is an expression of what a browser shows of a page.
const measure = `(() => {
	const size = e => { const r = e.getBoundingClientRect(); return [r.width, r.height]; };
	return {
		title: document.title,
		headings: [...document.querySelectorAll("h2")].map(e => e.textContent),
		cells: [...document.querySelectorAll("table")].map(t => [...t.rows].map(r => [...r.cells].map(c => c.innerText))),
		captions: [...document.querySelectorAll("caption")].map(e => e.innerText),
		tables: [...document.querySelectorAll("table")].map(size),
		figures: [...document.querySelectorAll("figure svg")].map(size),
		curves: [...document.querySelectorAll("figure svg")].map(e => e.querySelectorAll("path, polyline").length),
		links: [...document.querySelectorAll("nav a")].map(a => document.querySelector(a.getAttribute("href")) !== null),
		hidden: [...document.querySelectorAll("td, th, caption, p, h1, h2, figure text")].filter(e => size(e)[1] < 5).map(e => e.textContent),
		outside: [...document.querySelectorAll("[src], link, [href]:not([href^='#'])")].map(e => e.outerHTML).concat(performance.getEntriesByType("resource").map(e => e.name)),
		width: window.innerWidth,
		background: getComputedStyle(document.body).backgroundColor,
		overlaps: [...document.querySelectorAll("figure svg")].flatMap(svg => {
			const frame = svg.getBoundingClientRect();
			const boxes = [...svg.querySelectorAll("text")].map(e => [e.textContent, e.getBoundingClientRect()]);
			const cut = boxes.filter(([_, b]) => b.left < frame.left || b.right > frame.right || b.top < frame.top || b.bottom > frame.bottom).map(([t]) => t + " is cut off");
			return cut.concat(boxes.flatMap(([t, b], i) => boxes.slice(0, i).filter(([_, c]) =>
				b.left < c.right && c.left < b.right && b.top + 2 < c.bottom && c.top + 2 < b.bottom).map(([u]) => t + " overlaps " + u)));
		}),
		unscoped: [...document.querySelectorAll("th:not([scope])")].map(e => e.textContent),
		unboxed: [...document.querySelectorAll("table, figure svg")].filter(e => !e.closest(".scroll")).length,
		wide: document.documentElement.scrollWidth > document.documentElement.clientWidth,
	};
})()`

// sight holds the value of measure.
type sight struct {
	Title           string
	Headings        []string
	Cells           [][][]string
	Captions        []string
	Tables, Figures [][2]float64
	Curves          []int
	Links           []bool
	Hidden, Outside []string
	Overlaps        []string // of labels in figures, in the font that is there
	Unscoped        []string // head cells of tables without a scope
	Unboxed         int      // tables and figures that cannot scroll by themselves
	Width           float64
	Background      string
	Wide            bool
}

// phone is the window of a telephone.
var phone = browser.Window{Width: 380, Height: 800}

// open shows a page in a window and waits until the page is complete.
func open(t *testing.T, b *browser.Browser, page []byte, w browser.Window) *browser.Page {
	t.Helper()
	path := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(path, page, 0o644); err != nil {
		t.Fatal(err)
	}
	p, err := b.Open("file://"+path, w)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	if err := p.Await(`document.readyState == "complete" && document.title`, time.Minute); err != nil {
		t.Fatal(err)
	}
	return p
}

// look returns what a browser shows of a page.
func look(t *testing.T, b *browser.Browser, page []byte, w browser.Window) (s sight) {
	t.Helper()
	p := open(t, b, page, w)
	if err := p.Eval(measure, &s); err != nil {
		t.Fatal(err)
	}
	if e := p.Errors(); len(e) > 0 {
		t.Errorf("%+v: errors in the page: %q", w, e)
	}
	return s
}

// A real browser shows the whole page, on a desktop and on a telephone: every table with its cells,
// every figure with its curves, links with existing targets, and nothing from elsewhere.
func TestBrowser(t *testing.T) {
	b, err := browser.Start()
	if errors.Is(err, browser.ErrNone) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	sections := read(t, twoInstances()).BuildSections()
	var page bytes.Buffer
	if err := (figure.Page{Title: "Sweeps", Sections: sections}).Write(&page); err != nil {
		t.Fatal(err)
	}
	for _, window := range []browser.Window{{Width: 1280, Height: 900}, {Width: 500, Height: 800}, phone} {
		s := look(t, b, page.Bytes(), window)
		if len(s.Overlaps)+len(s.Unscoped)+s.Unboxed > 0 || s.Width != float64(window.Width) || s.Background != "rgb(255, 255, 255)" {
			t.Errorf("%v: labels %q, head cells without scope %q, %d without a box; background %s; width %v", window, s.Overlaps, s.Unscoped, s.Unboxed, s.Background, s.Width)
		}
		if s.Title != "Sweeps" || len(s.Headings) != len(sections) || len(s.Hidden) != 0 || len(s.Outside) != 0 || s.Wide {
			t.Errorf("%v, %v wide: title %q, headings %q, hidden %q, from outside %q, wider than the window: %v", window, s.Width, s.Title, s.Headings, s.Hidden, s.Outside, s.Wide)
		}
		table, figures := 0, 0
		for _, sec := range sections {
			figures += len(sec.Figures)
			for _, want := range sec.Tables {
				if table >= len(s.Cells) {
					t.Fatalf("%v: %d tables", window, len(s.Cells))
				}
				sameTable(t, want, s.Captions[table], s.Cells[table])
				if size := s.Tables[table]; size[0] < 50 || size[1] < 30 {
					t.Errorf("%v: %q is %v large", window, want.Title, size)
				}
				table++
			}
		}
		if table != len(s.Cells) || figures != len(s.Figures) || figures == 0 {
			t.Fatalf("%v: %d tables and %d figures, want %d and %d", window, len(s.Cells), len(s.Figures), table, figures)
		}
		for i, size := range s.Figures {
			if size[0] < 300 || size[1] < 200 || s.Curves[i] < 2 {
				t.Errorf("%v: figure %d is %v large and has %d lines", window, i, size, s.Curves[i])
			}
		}
		for i, leads := range s.Links {
			if !leads {
				t.Errorf("%v: link %d leads nowhere", window, i)
			}
		}
	}
	if s := look(t, b, page.Bytes(), browser.Window{Width: phone.Width, Height: phone.Height, Dark: true}); s.Background != "rgb(13, 17, 23)" || s.Wide || len(s.Overlaps) > 0 {
		t.Errorf("dark: background %s, wider than the window: %v, labels %q", s.Background, s.Wide, s.Overlaps)
	}
	colours(t, b, page.Bytes())
}

// sameTable compares the shown table with the expected one.
func sameTable(t *testing.T, want figure.Table, caption string, rows [][]string) {
	t.Helper()
	if caption != want.Title || len(rows) != 1+len(want.Rows) {
		t.Errorf("%q with %d rows, want %q with %d", caption, len(rows), want.Title, 1+len(want.Rows))
		return
	}
	for i, row := range append([][]string{want.Head}, want.Rows...) {
		for j, cell := range row {
			if j >= len(rows[i]) || rows[i][j] != cell {
				t.Errorf("%q: row %d is %q, want %q", caption, i, rows[i], row)
				break
			}
		}
	}
}

// colours checks a picture of the page: the curves are there in colours, on white.
func colours(t *testing.T, b *browser.Browser, page []byte) {
	t.Helper()
	shot, err := open(t, b, page, browser.Window{Width: 1280, Height: 3000}).Screenshot(false)
	if err != nil {
		t.Fatal(err)
	}
	picture, err := png.Decode(bytes.NewReader(shot))
	if err != nil {
		t.Fatal(err)
	}
	white, coloured, all := 0, 0, 0
	for y := picture.Bounds().Min.Y; y < picture.Bounds().Max.Y; y++ {
		for x := picture.Bounds().Min.X; x < picture.Bounds().Max.X; x++ {
			r, g, b, _ := picture.At(x, y).RGBA()
			all++
			switch {
			case r > 0xf000 && g > 0xf000 && b > 0xf000:
				white++
			case max(r, g, b)-min(r, g, b) > 0x6000:
				coloured++
			}
		}
	}
	if white < all/2 || coloured < 200 || white == all {
		t.Errorf("of %d points %d are white and %d coloured", all, white, coloured)
	}
}
