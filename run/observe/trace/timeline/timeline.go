// Package timeline draws a trace as a picture. It has one row per rank, coloured by the rank's
// state, lines for the pieces sent between ranks, and below a diagram with the share of ranks in
// each state. The size of the picture is bounded for every trace.
package timeline

import (
	"bufio"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"

	"treesplit/comm"
	"treesplit/run/observe/trace"
)

// The picture, in pixels. A column of the plot is one pixel.
const (
	columns     = 1000
	left        = 90
	top         = 60
	gap         = 34 // between rows and shares, for the axis
	sharesTall  = 120
	bottom      = 46
	right       = 24
	rowsTall    = 640 // height of all rows, at most
	rowTall     = 24  // height of a row, at most
	maxRows     = 320
	maxArrows   = 400 // a larger number would hide the rows
	labelsEvery = 14  // pixels that the label of a row needs
)

var colours = [trace.States]string{
	trace.Busy: "#3a923a", trace.Seeking: "#e1812c", trace.Waiting: "#c03d3e",
	trace.Idle: "#d9d9d9", trace.Overhead: "#d5bb21", trace.Done: "#f4f4f4",
}

// picture is a drawing in progress.
type picture struct {
	*bufio.Writer
	trace    *trace.Trace
	from, to comm.Time
	group    int // tracks per row
	rows     int
	height   float64 // of a row, in pixels
}

// column is the time that the ranks of a row, or all ranks, spend in each state during a column.
// The unit is the duration of a column.
type column [trace.States]float64

// WriteAsSVG writes t as an SVG picture about 1100 pixels wide. If there are more ranks than
// rows, a row stands for several ranks. Each pixel shows the state in which its ranks spent most
// of the time. It takes O(spans + columns · rows) time. It returns an error if the trace has no
// spans.
func WriteAsSVG(w io.Writer, t *trace.Trace) error {
	from, to := t.TimeRange()
	if from == to {
		return errors.New("the trace has no spans: expected spans of at least one rank")
	}
	p := &picture{Writer: bufio.NewWriter(w), trace: t, from: from, to: to}
	p.group = (len(t.Tracks) + maxRows - 1) / maxRows
	p.rows = (len(t.Tracks) + p.group - 1) / p.group
	p.height = min(rowTall, rowsTall/float64(p.rows))
	p.drawHeader()
	all := make([]column, columns)
	for row := range p.rows {
		p.drawRankRow(row, all)
	}
	p.drawArrows()
	p.drawTimeAxis()
	p.drawShares(all)
	p.WriteString("</svg>\n")
	return p.Flush()
}

// bottomOfRows returns the y coordinate at which the rows end.
func (p *picture) bottomOfRows() float64 { return top + float64(p.rows)*p.height }

// timeToColumn returns the column of a time, as a real number.
func (p *picture) timeToColumn(at comm.Time) float64 {
	return float64(at-p.from) / float64(p.to-p.from) * columns
}

func (p *picture) drawHeader() {
	width, height := left+columns+right, p.bottomOfRows()+gap+sharesTall+bottom
	fmt.Fprintf(p, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%.0f" viewBox="0 0 %d %.0f" font-family="sans-serif" font-size="12">`+"\n", width, height, width, height)
	fmt.Fprintf(p, `<rect width="%d" height="%.0f" fill="white"/>`+"\n", width, height)
	p.drawLabel(left, 20, "start", p.formatCaption())
	at := left
	for s, c := range colours {
		fmt.Fprintf(p, `<rect x="%d" y="32" width="12" height="12" fill="%s" stroke="#888" stroke-width="0.5"/>`+"\n", at, c)
		name := trace.State(s).String()
		p.drawLabel(float64(at+17), 42, "start", name)
		at += 40 + 7*len(name)
	}
}

// formatCaption returns a caption: what the picture shows and what it omits.
func (p *picture) formatCaption() string {
	s := p.trace.Title
	if p.group > 1 {
		s += fmt.Sprintf("; %d ranks a row", p.group)
	}
	switch n := len(p.trace.Arrows); {
	case n > 0 && p.canShowArrows():
		s += fmt.Sprintf("; lines are pieces of work (%d)", n)
	case n > 0:
		s += fmt.Sprintf("; %d pieces of work not drawn", n)
	}
	if n := p.trace.DroppedEvents(); n > 0 {
		s += fmt.Sprintf("; %d early events were not kept", n)
	}
	return s
}

func (p *picture) drawLabel(x, y float64, anchor, s string) {
	var b bytes.Buffer
	xml.EscapeText(&b, []byte(s)) // a Buffer returns no errors
	fmt.Fprintf(p, `<text x="%.1f" y="%.1f" text-anchor="%s">%s</text>`+"\n", x, y, anchor, b.String())
}

// drawRankRow draws the ranks of a row and adds their columns to all.
func (p *picture) drawRankRow(row int, all []column) {
	tracks := p.trace.Tracks[row*p.group : min((row+1)*p.group, len(p.trace.Tracks))]
	own := make([]column, columns)
	for _, t := range tracks {
		for _, s := range t.Spans {
			p.addSpanToColumns(own, s)
		}
	}
	for i := range own {
		for s := range own[i] {
			all[i][s] += own[i][s]
		}
	}
	y := top + float64(row)*p.height
	for i := 0; i < columns; {
		state, some := dominantState(&own[i])
		end := i + 1
		for end < columns {
			if next, also := dominantState(&own[end]); next != state || also != some {
				break
			}
			end++
		}
		if some {
			fmt.Fprintf(p, `<rect x="%d" y="%.2f" width="%d" height="%.2f" fill="%s"/>`+"\n", left+i, y, end-i, p.height*0.9, colours[state])
		}
		i = end
	}
	if every := int(labelsEvery/p.height) + 1; row%every == 0 {
		p.drawLabel(left-8, y+p.height/2+4, "end", fmt.Sprintf("rank %d", tracks[0].Rank))
	}
}

// addSpanToColumns adds a span to the columns that it touches.
func (p *picture) addSpanToColumns(to []column, s trace.Span) {
	from, end := p.timeToColumn(s.From), p.timeToColumn(s.To)
	for i := int(from); i < columns && float64(i) < end; i++ {
		to[i][s.State] += min(end, float64(i+1)) - max(from, float64(i))
	}
}

// dominantState returns the state with the most time. some is false if no time was spent in any
// state.
func dominantState(c *column) (state int, some bool) {
	for s, v := range c {
		if v > c[state] {
			state = s
		}
	}
	return state, c[state] > 0
}

func (p *picture) canShowArrows() bool { return p.group == 1 && len(p.trace.Arrows) <= maxArrows }

// drawArrows draws the pieces as lines from donor to requester.
func (p *picture) drawArrows() {
	if !p.canShowArrows() {
		return
	}
	place := map[int]int{}
	for i, t := range p.trace.Tracks {
		place[t.Rank] = i
	}
	for _, a := range p.trace.Arrows {
		from, sent := place[int(a.From)]
		to, taken := place[int(a.To)]
		if sent && taken {
			fmt.Fprintf(p, `<line x1="%.2f" y1="%.2f" x2="%.2f" y2="%.2f" stroke="#1a1a6a" stroke-width="0.8" stroke-opacity="0.7"/>`+"\n",
				left+p.timeToColumn(a.Left), top+(float64(from)+0.45)*p.height, left+p.timeToColumn(a.Arrived), top+(float64(to)+0.45)*p.height)
		}
	}
}

// drawTimeAxis draws the time axis between the rows and the shares.
func (p *picture) drawTimeAxis() {
	step := tickDistance(p.to - p.from)
	y := p.bottomOfRows()
	fmt.Fprintf(p, `<line x1="%d" y1="%.2f" x2="%d" y2="%.2f" stroke="#444"/>`+"\n", left, y+3, left+columns, y+3)
	for at := comm.Time(0); at <= p.to-p.from; at += step {
		x := left + p.timeToColumn(p.from+at)
		fmt.Fprintf(p, `<line x1="%.2f" y1="%.2f" x2="%.2f" y2="%.2f" stroke="#444"/>`+"\n", x, y+3, x, y+8)
		p.drawLabel(x, y+21, "middle", (p.from + at).Duration().String())
	}
}

// tickDistance returns the distance of ticks: 1, 2 or 5 times a power of ten, with 5 to 12 ticks
// in a span.
func tickDistance(span comm.Time) comm.Time {
	for unit := comm.Time(1); ; unit *= 10 {
		for _, n := range []comm.Time{1, 2, 5} {
			if span/(n*unit) <= 11 {
				return n * unit
			}
		}
	}
}

// drawShares draws the share of all ranks in each state, Busy at the bottom.
func (p *picture) drawShares(all []column) {
	y0 := p.bottomOfRows() + gap
	ranks := float64(len(p.trace.Tracks))
	below := make([]float64, columns) // height that is already drawn
	for s, colour := range colours {
		from, to := make([]float64, columns), make([]float64, columns)
		drawn := false
		for i := range all {
			from[i] = y0 + sharesTall*(1-below[i]/ranks)
			below[i] = min(below[i]+all[i][s], ranks)
			to[i] = y0 + sharesTall*(1-below[i]/ranks)
			drawn = drawn || from[i] != to[i]
		}
		if drawn {
			fmt.Fprintf(p, `<path d="M%d,%.2f%sL%d,%.2f%sZ" fill="%s"/>`+"\n", left, from[0], outlineColumns(from, 0, 1), left+columns, to[columns-1], outlineColumns(to, columns-1, -1), colour)
		}
	}
	fmt.Fprintf(p, `<rect x="%d" y="%.2f" width="%d" height="%d" fill="none" stroke="#444"/>`+"\n", left, y0, columns, sharesTall)
	p.drawLabel(left-8, y0+10, "end", "all ranks")
	p.drawLabel(left-8, y0+sharesTall, "end", "0")
}

// outlineColumns returns a path along the heights of columns, from the near edge of column i on.
// The path has only the edges at which the height changes, and the far edge of the last column.
func outlineColumns(y []float64, i, way int) []byte {
	var path []byte
	edge := (1 - way) / 2 // index of the near edge of a column
	for ; i >= 0 && i < len(y); i += way {
		if next := i + way; next < 0 || next >= len(y) || y[next] != y[i] {
			path = fmt.Appendf(path, "H%dV%.2f", left+i+1-edge, y[min(max(next, 0), len(y)-1)])
		}
	}
	return path
}
