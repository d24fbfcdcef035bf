package figure

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
)

func sample() Section {
	return Section{
		Name: "sample", Title: "A <sample>", Text: []string{"One & two."},
		Tables: []Table{{Name: "t", Title: "T", Head: []string{"P", "speedup"}, Rows: [][]string{{"8", "7.5"}, {"1024", "–"}}}},
		Figures: []Figure{{Name: "f", Title: "F", X: "P", Y: "speedup", LogX: true, LogY: true, Curves: []Curve{
			{Name: "RP", X: []float64{8, 64, 1024}, Y: []float64{7.5, 59, 655}},
			{Name: "RP", X: []float64{8, 64, 1024}, Y: []float64{7.5, 58, 660}, Paper: true},
		}}},
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
	for _, want := range []string{">RP<", ">RP (paper)<", ">1024<", ">500<", ">speedup<"} {
		if !bytes.Contains(svg, []byte(want)) {
			t.Errorf("no %s in the picture", want)
		}
	}
}

// The page holds everything and refers to nothing outside of itself.
func TestPage(t *testing.T) {
	var b bytes.Buffer
	if err := WritePage(&b, "Title", []Section{sample()}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"A &lt;sample&gt;", "One &amp; two.", "<svg", "<td>1024</td>", `id="sample"`} {
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
