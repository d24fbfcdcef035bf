package figure

import (
	"fmt"

	"treesplit/internal/svg"
)

// Sizes in pixels.
const (
	figureWidth = 760.0
	plotHeight  = 330.0
	margin      = 14.0
	titleSize   = 15.0
	titleLine   = 21.0
)

// frame is where the parts of a figure stand.
type frame struct {
	x, y                     axis
	left, top, right, bottom float64 // of the plot
	width, height            float64 // of the picture
	title                    []string
	entries                  []entry
}

// RenderSVG draws the figure for both backgrounds.
func (f *Figure) RenderSVG() ([]byte, error) { return f.RenderTheme(svg.Auto), nil }

// RenderTheme draws the figure for one background.
func (f *Figure) RenderTheme(theme svg.Theme) []byte {
	styles := f.chooseStyles()
	p := f.layOut(f.legendEntries(styles))
	c := svg.New(p.width, p.height, f.Title, f.describe())
	for i, line := range p.title {
		c.TextSized(p.left, margin+titleSize+float64(i)*titleLine, titleSize, svg.Start, "ink bold", line)
	}
	p.drawAxes(c, f.X, f.Y)
	// References first, so that they lie behind the curves.
	for _, references := range []bool{true, false} {
		for i := range f.Curves {
			if f.Curves[i].Reference == references {
				f.drawCurve(c, &p, &f.Curves[i], styles[i])
			}
		}
	}
	drawLegend(c, p.right+24, p.top, p.entries)
	return c.Encode(theme)
}

// describe says in words what the figure shows.
func (f *Figure) describe() string {
	text := fmt.Sprintf("%s over %s.", f.Y, f.X)
	for _, c := range f.Curves {
		text += " " + c.Name
		if c.Paper {
			text += " (paper)"
		}
		text += ":"
		for i := range c.X {
			text += fmt.Sprintf(" (%.4g, %.4g)", c.X[i], c.Y[i])
		}
		text += "."
		if len(text) > 4000 {
			return text[:4000] + " …"
		}
	}
	return text
}

// layOut finds the places of all parts.
func (f *Figure) layOut(entries []entry) frame {
	var x, y []float64
	for i := range f.Curves {
		cx, cy := f.drawablePoints(&f.Curves[i])
		x, y = append(x, cx...), append(y, cy...)
	}
	p := frame{x: newAxis(x, f.LogX), y: newAxis(y, f.LogY), entries: entries, width: figureWidth}
	labels := 0.0
	for _, t := range p.y.ticks {
		labels = max(labels, svg.TextWidth(t.label, svg.FontSize))
	}
	legendWidth, legendHeight := legendSize(entries)
	p.left, p.right = margin+22+labels+8, p.width-margin-legendWidth-24
	if f.Title != "" {
		p.title = svg.WrapText(f.Title, titleSize, p.width-p.left-margin)
	}
	p.top = margin + float64(len(p.title))*titleLine + 12
	p.bottom = p.top + max(plotHeight, legendHeight)
	p.height = p.bottom + 46 + margin
	p.x.dropLabels(p.right - p.left)
	return p
}

// point returns the place of a point in the picture.
func (p *frame) point(x, y float64) (px, py float64) {
	return p.left + p.x.place(x)*(p.right-p.left), p.bottom - p.y.place(y)*(p.bottom-p.top)
}

// drawAxes draws the grid, the ticks with their labels, and what the axes show.
func (p *frame) drawAxes(c *svg.Canvas, x, y string) {
	for _, t := range p.y.ticks {
		_, at := p.point(p.x.low, t.value)
		c.Line(p.left, at, p.right, at, "grid thin")
		c.Text(p.left-8, at+4.5, svg.End, "muted", t.label)
	}
	for _, t := range p.x.ticks {
		at, _ := p.point(t.value, p.y.low)
		c.Line(at, p.top, at, p.bottom, "grid thin")
		c.Line(at, p.bottom, at, p.bottom+5, "ref thin")
		if t.label != "" {
			c.Text(at, p.bottom+20, svg.Middle, "muted", t.label)
		}
	}
	c.Path(fmt.Sprintf("M%.1f,%.1fV%.1fH%.1f", p.left, p.top, p.bottom, p.right), "line thin ref")
	c.Text((p.left+p.right)/2, p.bottom+43, svg.Middle, "ink", x)
	c.TextUp(margin+12, (p.top+p.bottom)/2, "ink", y)
}

// drawCurve draws a curve. One without markers that has a single point gets one, to be seen.
func (f *Figure) drawCurve(c *svg.Canvas, p *frame, curve *Curve, s style) {
	x, y := f.drawablePoints(curve)
	for i := range x {
		x[i], y[i] = p.point(x[i], y[i])
	}
	c.Polyline(x, y, s.class)
	if s.marked || len(x) == 1 && !curve.Reference {
		for i := range x {
			c.Marker(x[i], y[i], s.colour, s.marker)
		}
	}
}
