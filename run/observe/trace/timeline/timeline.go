// Package timeline draws a trace as a picture. It has one row per rank, coloured by the rank's
// state, lines for the pieces sent between ranks, and below a diagram with the share of ranks in
// each state. The size of the picture is bounded for every trace.
package timeline

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"treesplit/comm"
	"treesplit/internal/svg"
	"treesplit/run/observe/trace"
)

// The picture, in pixels. A column of the plot is one pixel.
const (
	leastLeft   = 90.0 // room for the labels of rows
	gap         = 38.0 // between rows and shares, for the axis
	sharesTall  = 120.0
	bottom      = 30.0
	right       = 24.0
	rowsTall    = 640.0 // at most
	rowTall     = 24.0  // at most
	maxRows     = 320
	maxArrows   = 400  // more of them would hide the rows
	labelsEvery = 16.0 // pixels that a row's label needs
	captionLine = 20.0
)

var errNoSpans = errors.New("the trace has no spans: expected spans of at least one rank")

// Style is how large a picture is, and for which background.
type Style struct {
	Columns int // pixels of the time axis
	Theme   svg.Theme
	// Until is where the time axis ends at the earliest, so that two pictures can have the same axis.
	Until comm.Time
}

// Page is the style of a picture on a page.
var Page = Style{Columns: 1000}

// picture is a drawing in progress.
type picture struct {
	*svg.Canvas
	trace    *trace.Trace
	from, to comm.Time
	columns  int
	group    int // tracks per row
	rows     int
	height   float64 // of a row
	top      float64 // of the first row
	left     float64 // of the first column
	caption  []string
}

// column is the time that the ranks of a row, or all ranks, spend in each state while
// a column lasts; in columns.
type column [trace.States]float64

// WriteAsSVG writes t as an SVG picture. If there are more ranks than
// rows a row stands for several. Each pixel shows the state in which its ranks spent most time.
// It takes O(spans + columns · rows) time. A trace without spans is an error.
func WriteAsSVG(w io.Writer, t *trace.Trace, style Style) error {
	from, to := t.TimeRange()
	if from == to {
		return errNoSpans
	}
	p := &picture{trace: t, from: from, to: max(to, style.Until), columns: style.Columns}
	p.group = (len(t.Tracks) + maxRows - 1) / maxRows
	p.rows = (len(t.Tracks) + p.group - 1) / p.group
	p.height = min(rowTall, rowsTall/float64(p.rows))
	p.caption = svg.WrapText(p.formatCaption(), svg.FontSize, float64(p.columns))
	p.top = 12 + captionLine*float64(len(p.caption)) + 34
	p.left = leastLeft
	for _, t := range t.Tracks {
		p.left = max(p.left, svg.TextWidth(rowLabel(t.Rank), svg.FontSize)+16)
	}
	p.Canvas = svg.New(p.left+float64(p.columns)+right, p.bottomOfRows()+gap+sharesTall+bottom, t.Title, p.formatCaption())
	p.drawHeader()
	all := make([]column, p.columns)
	for row := range p.rows {
		p.drawRankRow(row, all)
	}
	p.drawArrows()
	p.drawTimeAxis()
	p.drawShares(all)
	_, err := w.Write(p.Encode(style.Theme))
	return err
}

// bottomOfRows returns the y coordinate at which the rows end.
func (p *picture) bottomOfRows() float64 { return p.top + float64(p.rows)*p.height }

// timeToColumn returns the column of a time, as a real number.
func (p *picture) timeToColumn(at comm.Time) float64 {
	return float64(at-p.from) / float64(p.to-p.from) * float64(p.columns)
}

// drawHeader draws the caption and, below it, what the colours mean.
func (p *picture) drawHeader() {
	for i, line := range p.caption {
		p.Text(p.left, 20+captionLine*float64(i), svg.Start, "ink", line)
	}
	x, y := p.left, p.top-24
	for s := range trace.States {
		name := s.String()
		p.Rect(x, y, 13, 13, fmt.Sprintf("s%d ref thin", s))
		p.Text(x+19, y+11, svg.Start, "ink", name)
		x += 19 + svg.TextWidth(name, svg.FontSize) + 14
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

// drawRankRow draws the ranks of a row, and adds them to those of the whole.
func (p *picture) drawRankRow(row int, all []column) {
	tracks := p.trace.Tracks[row*p.group : min((row+1)*p.group, len(p.trace.Tracks))]
	own := make([]column, p.columns)
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
	var bars [trace.States]strings.Builder
	for i := 0; i < p.columns; {
		state, some := dominantState(&own[i])
		end := i + 1
		for end < p.columns {
			if next, also := dominantState(&own[end]); next != state || also != some {
				break
			}
			end++
		}
		if some {
			fmt.Fprintf(&bars[state], "M%d,0h%d", i, end-i)
		}
		i = end
	}
	y := p.top + (float64(row)+0.45)*p.height
	for s := range bars {
		p.Bars(p.left, y, p.height*0.9, bars[s].String(), fmt.Sprintf("b%d", s))
	}
	if every := int(labelsEvery/p.height) + 1; row%every == 0 {
		p.Text(p.left-8, y+4.5, svg.End, "muted", rowLabel(tracks[0].Rank))
	}
}

func rowLabel(rank int) string { return fmt.Sprintf("rank %d", rank) }

// addSpanToColumns adds a span to the columns that it touches.
func (p *picture) addSpanToColumns(to []column, s trace.Span) {
	from, end := p.timeToColumn(s.From), p.timeToColumn(s.To)
	for i := int(from); i < p.columns && float64(i) < end; i++ {
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
			p.Line(p.left+p.timeToColumn(a.Left), p.top+(float64(from)+0.45)*p.height, p.left+p.timeToColumn(a.Arrived), p.top+(float64(to)+0.45)*p.height, "frame thin")
		}
	}
}

// drawTimeAxis draws the time axis between the rows and the shares.
func (p *picture) drawTimeAxis() {
	step := tickDistance(p.to - p.from)
	y := p.bottomOfRows()
	p.Line(p.left, y+3, p.left+float64(p.columns), y+3, "ref thin")
	end := 0.0 // of the label before
	for at := comm.Time(0); at <= p.to-p.from; at += step {
		x, text := p.left+p.timeToColumn(p.from+at), (p.from + at).Duration().String()
		p.Line(x, y+3, x, y+8, "ref thin")
		if half := svg.TextWidth(text, svg.FontSize) / 2; x-half > end && x+half <= p.left+float64(p.columns)+right {
			p.Text(x, y+23, svg.Middle, "muted", text)
			end = x + half + 6
		}
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
	below := make([]float64, p.columns) // height that is already drawn
	for s := range trace.States {
		from, to := make([]float64, p.columns), make([]float64, p.columns)
		drawn := false
		for i := range all {
			from[i] = y0 + sharesTall*(1-below[i]/ranks)
			below[i] = min(below[i]+all[i][s], ranks)
			to[i] = y0 + sharesTall*(1-below[i]/ranks)
			drawn = drawn || from[i] != to[i]
		}
		if drawn {
			p.Path(fmt.Sprintf("M%v,%.2f%sL%v,%.2f%sZ", p.left, from[0], p.outlineColumns(from, 0, 1), p.left+float64(p.columns), to[p.columns-1], p.outlineColumns(to, p.columns-1, -1)), fmt.Sprintf("s%d", s))
		}
	}
	p.Rect(p.left, y0, float64(p.columns), sharesTall, "none ref thin")
	p.Text(p.left-8, y0+11, svg.End, "muted", "all ranks")
	p.Text(p.left-8, y0+sharesTall, svg.End, "muted", "0")
}

// outlineColumns returns a path along the heights of columns, from the near edge of column i on.
// The path has only the edges at which the height changes, and the far edge of the last column.
func (p *picture) outlineColumns(y []float64, i, way int) []byte {
	var path []byte
	edge := (1 - way) / 2 // index of the near edge of a column
	for ; i >= 0 && i < len(y); i += way {
		if next := i + way; next < 0 || next >= len(y) || y[next] != y[i] {
			path = fmt.Appendf(path, "H%vV%.2f", p.left+float64(i+1-edge), y[min(max(next, 0), len(y)-1)])
		}
	}
	return path
}
