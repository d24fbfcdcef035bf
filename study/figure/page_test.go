package figure

import (
	"bytes"
	"encoding/xml"
	"errors"
	"html"
	"io"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"
)

func sample() Section {
	return Section{
		Name: "sample", Title: "A <sample>", Text: []string{"One & two."},
		Tables:   []Table{{Name: "t", Title: "T", Head: []string{"P", "speedup"}, Rows: [][]string{{"8", "7.5"}, {"1024", "–"}}}},
		Verdicts: []Verdict{{Code: "K0", Claim: "RP is good", Finding: "Confirmed."}},
		Figures: []Figure{{Name: "f", Title: "F", X: "P", Y: "speedup", LogX: true, LogY: true, Curves: []Curve{
			{Name: "RP", X: []float64{8, 64, 1024}, Y: []float64{7.5, 59, 655}},
			{Name: "RP", X: []float64{8, 64, 1024}, Y: []float64{7.5, 58, 660}, Paper: true},
		}}},
	}
}

// samplePage is a page with everything on it.
func samplePage() Page {
	return Page{
		Title: "Title", Date: time.Date(2026, 11, 22, 14, 0, 0, 0, time.UTC), Command: "treesplit report a.jsonl", Version: "version 7",
		Terms: []Term{{"rp", "random polling"}, {"grr", "global round robin"}}, Sections: []Section{sample(), sample()},
	}
}

// A figure is well-formed SVG with its labels and the curves' names.
func TestFigure(t *testing.T) {
	s := sample()
	svg, err := s.Figures[0].RenderSVG()
	if err != nil {
		t.Fatal(err)
	}
	for d := xml.NewDecoder(bytes.NewReader(svg)); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []string{">RP<", ">dashed: the paper<", ">1024<", ">500<", ">speedup<"} {
		if !bytes.Contains(svg, []byte(want)) {
			t.Errorf("no %s in the picture", want)
		}
	}
}

// The page holds everything and refers to nothing outside of itself.
func TestPage(t *testing.T) {
	var b bytes.Buffer
	if err := samplePage().Write(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"A &lt;sample&gt;", "One &amp; two.", "<svg", `<th scope="row" class="n">1024</th>`, `<section id="sample">`, `<a href="#sample">`, "22 November 2026", "treesplit report a.jsonl", "version 7", "<dt>rp</dt><dd>random polling</dd>", "Claim: RP is good. <span class=\"code\">(K0)</span><br>Finding: Confirmed."} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %s in the page", want)
		}
	}
	for _, no := range []string{"src=", "<link", "@import", "<script"} {
		if strings.Contains(b.String(), no) {
			t.Errorf("the page has %s", no)
		}
	}
}

// A link to a page leads to its file, whatever characters are in the name.
func TestLinksToPages(t *testing.T) {
	for _, name := range []string{"timeline-run.html", "a#b?c%d%20 e&f.html", "a:b.html", "ä+\"'<.html"} {
		var b strings.Builder
		s := Section{Name: "s", Pages: []Attachment{{Name: name, Text: "link"}}}
		if err := (Page{Sections: []Section{s}}).Write(&b); err != nil {
			t.Fatal(err)
		}
		m := regexp.MustCompile(`<a href="([^"]*)">link</a>`).FindStringSubmatch(b.String())
		if m == nil {
			t.Fatalf("%s: no link", name)
		}
		u, err := url.Parse(html.UnescapeString(m[1]))
		if err != nil || u.Path != "./"+name || u.RawQuery != "" || u.Fragment != "" || u.Scheme != "" {
			t.Errorf("%s: the link %s leads to %q (%v)", name, m[1], u.Path, err)
		}
	}
}

// Text and CSV show the same cells.
func TestTable(t *testing.T) {
	var text, csv bytes.Buffer
	table := sample().Tables[0]
	table.PrintText(&text)
	if err := table.WriteCSV(&csv); err != nil {
		t.Fatal(err)
	}
	if want := "T\n     P  speedup\n     8      7.5\n  1024        –\n\n"; text.String() != want {
		t.Errorf("%q, want %q", text.String(), want)
	}
	if want := "P,speedup\n8,7.5\n1024,\n"; csv.String() != want {
		t.Errorf("%q, want %q", csv.String(), want)
	}
}

// Values that are all but equal can be drawn, on any axis.
func TestFlatFigure(t *testing.T) {
	for _, y := range [][]float64{{0.5, 0.5}, {0.5, 0.5000000000000001}, {1e-6, 1.0000000000000002e-6}, {1e15, 1e15}} {
		for _, log := range []bool{false, true} {
			f := Figure{LogX: true, LogY: log, Curves: []Curve{{Name: "flat", X: []float64{2, 2}, Y: y}}}
			if svg, err := f.RenderSVG(); err != nil || !bytes.Contains(svg, []byte(">flat<")) {
				t.Errorf("%v, log %v: %v", y, log, err)
			}
		}
	}
}
