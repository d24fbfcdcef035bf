package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"treesplit/study/figure"
)

// measure is the script that a browser runs in a copy of the page. It writes its findings after
// layout.
const measure = `<script>
addEventListener("load", () => {
	const size = e => { const r = e.getBoundingClientRect(); return [r.width, r.height]; };
	const seen = {
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
	const out = document.createElement("pre");
	out.id = "seen";
	out.textContent = JSON.stringify(seen);
	parent.document.body.append(out);
});
</script>`

// sight holds the findings of the script.
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

// browser finds a browser, or skips the test.
func browser(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("chromium is not installed: run scripts/install")
	return ""
}

// browse starts the browser without a screen, with its own profile.
func browse(t *testing.T, path string, args ...string) []byte {
	t.Helper()
	args = append([]string{"--headless", "--disable-gpu", "--no-sandbox", "--disable-dev-shm-usage", "--no-first-run", "--hide-scrollbars",
		"--disable-background-networking", "--user-data-dir=" + t.TempDir()}, args...)
	cmd := exec.CommandContext(t.Context(), browser(t), append(args, "file://"+path)...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, &stderr)
	}
	return out
}

// phone is the window of a telephone, 380 pixels wide. Browsers refuse windows of less than 500, so that
// the page is shown in a frame.
const phone = "500,900"

// look returns what a browser shows of a page.
func look(t *testing.T, page []byte, window string, args ...string) sight {
	t.Helper()
	path := filepath.Join(t.TempDir(), "page.html")
	copied := bytes.Replace(page, []byte("</head>"), []byte(measure+"</head>"), 1)
	if window == phone {
		copied = fmt.Appendf(nil, `<!doctype html><meta charset="utf-8"><body><iframe style="width:380px;height:800px;border:0" srcdoc="%s"></iframe></body>`, html.EscapeString(string(copied)))
	}
	if err := os.WriteFile(path, copied, 0o644); err != nil {
		t.Fatal(err)
	}
	dom := browse(t, path, append([]string{"--window-size=" + window, "--dump-dom"}, args...)...)
	m := regexp.MustCompile(`(?s)<pre id="seen">(.*)</pre>`).FindSubmatch(dom)
	if m == nil {
		t.Fatalf("the browser shows\n%.2000s", dom)
	}
	var s sight
	if err := json.Unmarshal([]byte(html.UnescapeString(string(m[1]))), &s); err != nil {
		t.Fatal(err)
	}
	return s
}

// A real browser shows the whole page, on a desktop and on a telephone: every table with its cells,
// every figure with its curves, links with existing targets, and nothing from elsewhere.
func TestBrowser(t *testing.T) {
	browser(t)
	sections := read(t, twoInstances()).BuildSections()
	var page bytes.Buffer
	if err := (figure.Page{Title: "Sweeps", Sections: sections}).Write(&page); err != nil {
		t.Fatal(err)
	}
	for _, window := range []string{"1280,900", "500,800", phone} {
		s := look(t, page.Bytes(), window)
		if len(s.Overlaps)+len(s.Unscoped)+s.Unboxed > 0 || (s.Width == 380) != (window == phone) || s.Background != "rgb(255, 255, 255)" {
			t.Errorf("%s: labels %q, head cells without scope %q, %d without a box; background %s; width %v", window, s.Overlaps, s.Unscoped, s.Unboxed, s.Background, s.Width)
		}
		if s.Title != "Sweeps" || len(s.Headings) != len(sections) || len(s.Hidden) != 0 || len(s.Outside) != 0 || s.Wide {
			t.Errorf("%s, %v wide: title %q, headings %q, hidden %q, from outside %q, wider than the window: %v", window, s.Width, s.Title, s.Headings, s.Hidden, s.Outside, s.Wide)
		}
		table, figures := 0, 0
		for _, sec := range sections {
			figures += len(sec.Figures)
			for _, want := range sec.Tables {
				if table >= len(s.Cells) {
					t.Fatalf("%s: %d tables", window, len(s.Cells))
				}
				sameTable(t, want, s.Captions[table], s.Cells[table])
				if size := s.Tables[table]; size[0] < 50 || size[1] < 30 {
					t.Errorf("%s: %q is %v large", window, want.Title, size)
				}
				table++
			}
		}
		if table != len(s.Cells) || figures != len(s.Figures) || figures == 0 {
			t.Fatalf("%s: %d tables and %d figures, want %d and %d", window, len(s.Cells), len(s.Figures), table, figures)
		}
		for i, size := range s.Figures {
			if size[0] < 300 || size[1] < 200 || s.Curves[i] < 2 {
				t.Errorf("%s: figure %d is %v large and has %d lines", window, i, size, s.Curves[i])
			}
		}
		for i, leads := range s.Links {
			if !leads {
				t.Errorf("%s: link %d leads nowhere", window, i)
			}
		}
	}
	if s := look(t, page.Bytes(), phone, "--blink-settings=preferredColorScheme=0"); s.Background != "rgb(13, 17, 23)" || s.Wide || len(s.Overlaps) > 0 {
		t.Errorf("dark: background %s, wider than the window: %v, labels %q", s.Background, s.Wide, s.Overlaps)
	}
	colours(t, page.Bytes())
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
func colours(t *testing.T, page []byte) {
	t.Helper()
	dir := t.TempDir()
	path, shot := filepath.Join(dir, "page.html"), filepath.Join(dir, "page.png")
	if err := os.WriteFile(path, page, 0o644); err != nil {
		t.Fatal(err)
	}
	browse(t, path, "--window-size=1280,3000", "--screenshot="+shot)
	f, err := os.Open(shot)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	picture, err := png.Decode(f)
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
