package figure

import (
	"bytes"
	"image/color"
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// RenderSVG draws the figure.
func (f *Figure) RenderSVG() ([]byte, error) {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = f.Title, f.X, f.Y
	p.Legend.Top, p.Legend.Left = true, !f.Falls
	if f.LogX {
		p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, powersOfTwo{}
	}
	if f.LogY {
		p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, oneTwoFive{}
	}
	p.Add(plotter.NewGrid())
	colours := map[string]color.Color{}
	for _, c := range f.Curves {
		if err := c.addToPlot(p, colours); err != nil {
			return nil, err
		}
	}
	widenAxis(&p.X, f.LogX)
	widenAxis(&p.Y, f.LogY)
	if f.LogX {
		p.X.Max *= 1.06 // room for the last label
	}
	w, err := p.WriterTo(16*vg.Centimeter, 11*vg.Centimeter, "svg")
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	_, err = w.WriteTo(&b)
	return b.Bytes(), err
}

// widenAxis makes room on an axis whose values are almost equal, so that its ticks differ.
func widenAxis(a *plot.Axis, log bool) {
	size := max(math.Abs(a.Min), math.Abs(a.Max))
	switch {
	case a.Max-a.Min > 1e-6*size:
	case log:
		a.Min, a.Max = a.Min/2, a.Max*2
	default:
		a.Min, a.Max = a.Min-max(size, 1)/2, a.Max+max(size, 1)/2
	}
}

// addToPlot adds the curve to a plot; a curve of the paper has the same colour as the measured
// curve.
func (c *Curve) addToPlot(p *plot.Plot, colours map[string]color.Color) error {
	points := make(plotter.XYs, len(c.X))
	for i := range c.X {
		points[i].X, points[i].Y = c.X[i], c.Y[i]
	}
	line, marks, err := plotter.NewLinePoints(points)
	if err != nil {
		return err
	}
	if colours[c.Name] == nil {
		colours[c.Name] = plotutil.Color(len(colours))
	}
	line.Color, marks.Color = colours[c.Name], colours[c.Name]
	name := c.Name
	marks.Shape = draw.CircleGlyph{}
	if c.Paper {
		name += " (paper)"
		line.Dashes = []vg.Length{vg.Points(4), vg.Points(3)}
		marks.Shape = draw.CrossGlyph{}
	}
	p.Add(line, marks)
	p.Legend.Add(name, line, marks)
	return nil
}

// powersOfTwo marks an axis of numbers of ranks.
type powersOfTwo struct{}

// Ticks marks each power of two between the ends.
func (powersOfTwo) Ticks(low, high float64) []plot.Tick {
	var ticks []plot.Tick
	for e := math.Ceil(math.Log2(low) - 1e-9); math.Exp2(e) <= high*(1+1e-9); e++ {
		v := math.Exp2(e)
		ticks = append(ticks, plot.Tick{Value: v, Label: strconv.FormatFloat(v, 'f', -1, 64)})
	}
	return ticks
}

// oneTwoFive marks all other axes: 1, 2 and 5 times the powers of ten.
type oneTwoFive struct{}

// Ticks marks the values between the ends.
func (oneTwoFive) Ticks(low, high float64) []plot.Tick {
	var ticks []plot.Tick
	for decade := math.Pow(10, math.Floor(math.Log10(low))); decade <= high; decade *= 10 {
		for _, m := range []float64{1, 2, 5} {
			if v := m * decade; v >= low && v <= high {
				ticks = append(ticks, plot.Tick{Value: v, Label: strconv.FormatFloat(v, 'g', -1, 64)})
			}
		}
	}
	return ticks
}
