package figure

import (
	"encoding/xml"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"treesplit/internal/svg/svgtest"
)

// manyFigures are figures of all kinds: long and short axes, few and many curves, long names.
func manyFigures() map[string]Figure {
	ranks := []float64{8, 16, 32, 64, 128, 256, 512, 1024}
	million := []float64{1, 2, 4, 1024, 1 << 20}
	curve := func(name string, x []float64, of func(float64) float64) Curve {
		c := Curve{Name: name, X: x}
		for _, v := range x {
			c.Y = append(c.Y, of(v))
		}
		return c
	}
	same := func(v float64) float64 { return v }
	all := map[string]Figure{
		"sample":     sample().Figures[0],
		"ranks":      {X: "P", Y: "speedup", LogX: true, LogY: true, Curves: []Curve{curve("rp", ranks, same)}},
		"million":    {Title: strings.Repeat("a long title ", 12), X: "P", Y: "requests", LogX: true, LogY: true, Curves: []Curve{curve("rp", million, func(v float64) float64 { return v * v })}},
		"small":      {Title: "T", X: "σ", Y: "share", Curves: []Curve{curve("a", []float64{0, 0.1, 0.25}, func(v float64) float64 { return v*1e-6 - 3e-7 })}},
		"large":      {Title: "T", X: "nodes", Y: "W", LogX: true, Curves: []Curve{curve("a", []float64{1e3, 1e15}, same)}},
		"narrow":     {Title: "T", X: "P", Y: "W", LogX: true, LogY: true, Curves: []Curve{curve("a", []float64{7, 7.3}, same)}},
		"long names": {Title: "T", X: "P", Y: "W", Curves: []Curve{curve(strings.Repeat("name ", 40), ranks, same), curve(strings.Repeat("x", 100), ranks, math.Sqrt)}},
		"empty":      {Title: "T", X: "P", Y: "W", LogX: true},
		"not finite": {Title: "T", X: "P", Y: "W", LogY: true, Curves: []Curve{{Name: "a", X: []float64{1, 2, 3, 4}, Y: []float64{0, math.NaN(), math.Inf(1), 5}}}},
	}
	many := Figure{Title: "Many", X: "P", Y: "speedup", LogX: true, LogY: true}
	for i := range 25 {
		many.Curves = append(many.Curves, curve(fmt.Sprint("scheme ", i), ranks, func(v float64) float64 { return v / float64(i+1) }))
	}
	all["many curves"] = many
	return all
}

// drawnCurves are the paths of curves.
func drawnCurves(p svgtest.Picture) (curves []xml.StartElement) {
	for _, e := range p.Elements {
		if class := svgtest.Attribute(e, "class"); e.Name.Local == "path" && strings.HasPrefix(class, "line") && class != "line thin ref" {
			curves = append(curves, e)
		}
	}
	return curves
}

// All labels lie within the picture and none overlaps another, the labels of ticks at the ends of axes
// included; the legend stands to the right of everything in the plot.
func TestLabelsAreReadable(t *testing.T) {
	for name, f := range manyFigures() {
		t.Run(name, func(t *testing.T) {
			picture, err := f.RenderSVG()
			if err != nil {
				t.Fatal(err)
			}
			p := svgtest.Check(t, picture)
			frame := f.layOut(f.legendEntries(f.chooseStyles()))
			legend := 0
			for _, l := range p.Labels {
				if l.Left > frame.right+24 && l.Class == "ink" {
					legend++
				} else if l.Class == "ink" && l.Right > frame.right && l.Top > frame.top {
					t.Errorf("%q at %v is neither in the legend nor in the plot, which ends at %v", l.Text, l.Box, frame.right)
				}
			}
			if len(f.Curves) > 0 && legend < len(f.Curves)-1 {
				t.Errorf("%d lines in the legend for %d curves", legend, len(f.Curves))
			}
			for _, e := range p.Elements { // markers of curves
				if x, err := strconv.ParseFloat(svgtest.Attribute(e, "cx"), 64); err == nil && x > frame.right+1e-3 && x < frame.right+24 {
					t.Errorf("a marker at %v lies between the plot and the legend", x)
				}
			}
		})
	}
}

// Ticks lie on the axis, ascend, and are enough to read values off.
func TestTicks(t *testing.T) {
	for name, f := range manyFigures() {
		p := f.layOut(nil)
		for which, a := range map[string]axis{"x": p.x, "y": p.y} {
			if len(a.ticks) < 2 || len(a.ticks) > maxTicks+9 {
				t.Errorf("%s, %s: ticks %v", name, which, a.ticks)
			}
			for i, tick := range a.ticks {
				if at := a.place(tick.value); at < -1e-9 || at > 1+1e-9 || i > 0 && tick.value <= a.ticks[i-1].value {
					t.Errorf("%s, %s: tick %v at %v", name, which, tick, at)
				}
			}
		}
	}
	for v, want := range map[float64]string{
		0: "0", 1024: "1024", 1 << 20: "1048576", 0.1 + 0.2: "0.3", 1e6: "10⁶", 2e6: "2·10⁶", 1.5e-7: "1.5·10⁻⁷", -0.5: "−0.5", -3e-7: "−3·10⁻⁷", 1e15: "10¹⁵", 50000: "50000",
	} {
		if got := formatTick(v); got != want {
			t.Errorf("%v: %q, want %q", v, got, want)
		}
	}
}

// Printed values and references are dashed lines without markers; a printed curve has the colour of
// ours; ours is a solid line with a marker at each point.
func TestDashes(t *testing.T) {
	f := sample().Figures[0]
	f.Curves = append(f.Curves, Curve{Name: "linear", X: []float64{8, 1024}, Y: []float64{8, 1024}, Reference: true})
	picture, err := f.RenderSVG()
	if err != nil {
		t.Fatal(err)
	}
	p := svgtest.Check(t, picture)
	var classes []string
	for _, c := range drawnCurves(p) {
		classes = append(classes, svgtest.Attribute(c, "class"))
	}
	if got, want := strings.Join(classes, "; "), "line thin ref dash; line c0; line c0 dash"; got != want {
		t.Errorf("curves %q, want %q", got, want)
	}
	markers := 0
	for _, e := range p.Elements {
		if svgtest.Attribute(e, "class") == "f0 edge thin" {
			markers++
		}
	}
	if want := len(f.Curves[0].X) + 1; markers != want { // and one in the legend
		t.Errorf("%d markers, want %d", markers, want)
	}
}

// Speedups on one line are found; their efficiencies differ visibly.
func TestCurvesCoincide(t *testing.T) {
	speedups := func(last float64) Figure {
		return Figure{Curves: []Curve{
			{Name: "rp", X: []float64{8, 64}, Y: []float64{7.5, 58}}, {Name: "nn", X: []float64{8, 64}, Y: []float64{7.4, last}},
			{Name: "linear", X: []float64{8, 64}, Y: []float64{8, 64}, Reference: true},
		}}
	}
	same, apart := speedups(57), speedups(40)
	if !same.CurvesCoincide() || apart.CurvesCoincide() {
		t.Error("57 and 58 are one line, 40 and 58 are not")
	}
	if one := (Figure{Curves: same.Curves[:1]}); one.CurvesCoincide() {
		t.Error("a curve alone coincides with no other")
	}
	f := same.DividedByX("efficiency")
	if f.Curves[1].Y[1] != 57.0/64 || same.Curves[1].Y[1] != 57 || f.Y != "efficiency" || f.LogY {
		t.Errorf("%+v", f)
	}
}
