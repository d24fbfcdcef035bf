package figure

import (
	"fmt"

	"treesplit/internal/svg"
)

// The legend stands beside the plot, never over it.

// legendLine is the distance of two lines of text, legendSample the length of a sample.
const (
	legendLine   = 19.0
	legendGap    = 5.0 // between entries
	legendSample = 30.0
	legendText   = 170.0 // the longest line of text
)

// entry is a line of the legend: a sample and a name.
type entry struct {
	class          string // of the sample's line
	colour, marker int
	marked         bool // with a marker
	lines          []string
}

// style is how a curve is drawn.
type style struct {
	class          string
	colour, marker int
	marked         bool
}

// chooseStyles returns the style of each curve. Curves of one name have one colour; the first curve of
// a name chooses it.
func (f *Figure) chooseStyles() (styles []style) {
	seen := map[string]int{}
	references := 0
	for _, c := range f.Curves {
		if c.Reference {
			styles = append(styles, style{class: "line thin ref " + []string{"dash", "dots"}[references%2]})
			references++
			continue
		}
		if _, known := seen[c.Name]; !known {
			seen[c.Name] = len(seen)
		}
		colour, marker := svg.SeriesStyle(seen[c.Name])
		s := style{class: fmt.Sprintf("line c%d", colour), colour: colour, marker: marker, marked: !c.Paper}
		if c.Paper {
			s.class += " dash"
		}
		styles = append(styles, s)
	}
	return styles
}

// legendEntries returns the legend: the measured curves, the reference lines, and what dashes mean if a
// curve is a paper's.
func (f *Figure) legendEntries(styles []style) (entries []entry) {
	seen := map[string]bool{}
	printed := false
	for i, c := range f.Curves {
		printed = printed || c.Paper
		if seen[c.Name] && !c.Reference {
			continue
		}
		seen[c.Name] = true
		s := styles[i]
		entries = append(entries, newEntry(s.class, c.Name))
		entries[len(entries)-1].colour, entries[len(entries)-1].marker, entries[len(entries)-1].marked = s.colour, s.marker, s.marked
	}
	if printed {
		entries = append(entries, newEntry("line ref dash", "dashed: the paper"))
	}
	return entries
}

func newEntry(class, name string) entry {
	return entry{class: class, lines: svg.WrapText(name, svg.FontSize, legendText)}
}

// legendSize returns the width and the height of the legend.
func legendSize(entries []entry) (width, height float64) {
	for _, e := range entries {
		height += float64(max(1, len(e.lines)))*legendLine + legendGap
		for _, l := range e.lines {
			width = max(width, svg.TextWidth(l, svg.FontSize))
		}
	}
	return legendSample + 10 + width, height
}

// drawLegend draws the legend with its left top corner at a point.
func drawLegend(c *svg.Canvas, x, y float64, entries []entry) {
	for _, e := range entries {
		c.Line(x, y+legendLine/2, x+legendSample, y+legendLine/2, e.class)
		if e.marked {
			c.Marker(x+legendSample/2, y+legendLine/2, e.colour, e.marker)
		}
		for i, l := range e.lines {
			c.Text(x+legendSample+8, y+float64(i)*legendLine+legendLine/2+4.5, svg.Start, "ink", l)
		}
		y += float64(max(1, len(e.lines)))*legendLine + legendGap
	}
}
