package svg

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// FontSize is the size of text in pixels, unless a picture asks for another.
const FontSize = 13

// Anchor is the point of a text that stands at its coordinates.
type Anchor string

// The anchors.
const (
	Start  Anchor = "start"
	Middle Anchor = "middle"
	End    Anchor = "end"
)

// Canvas is a picture in progress. A class is one or more names of the style sheet: bg, ink, muted,
// on (fills), frame, ref, grid, edge (strokes), c0 to c7 (strokes of series), f0 to f7 (fills of
// series), s0 to s5 (fills of states), line, thin, dash, dots, bold, none.
type Canvas struct {
	width, height float64
	title, about  string
	body          bytes.Buffer
}

// New returns an empty picture. The title and the description are for readers who do not see it.
func New(width, height float64, title, about string) *Canvas {
	return &Canvas{width: width, height: height, title: title, about: about}
}

// number writes a coordinate with at most two digits after the point.
func number(v float64) string {
	s := strings.TrimRight(strconv.FormatFloat(v, 'f', 2, 64), "0")
	if s = strings.TrimRight(s, "."); s == "-0" {
		return "0"
	}
	return s
}

// escape returns text for XML, without characters that XML does not allow.
func escape(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, text)
	var b bytes.Buffer
	xml.EscapeText(&b, []byte(text)) // a Buffer has no errors
	return b.String()
}

// Line draws a straight line.
func (c *Canvas) Line(x1, y1, x2, y2 float64, class string) {
	fmt.Fprintf(&c.body, `<line x1="%s" y1="%s" x2="%s" y2="%s" class="%s"/>`+"\n", number(x1), number(y1), number(x2), number(y2), class)
}

// Rect draws a rectangle.
func (c *Canvas) Rect(x, y, width, height float64, class string) {
	fmt.Fprintf(&c.body, `<rect x="%s" y="%s" width="%s" height="%s" class="%s"/>`+"\n", number(x), number(y), number(width), number(height), class)
}

// Box draws a rectangle with round corners.
func (c *Canvas) Box(x, y, width, height float64, class string) {
	fmt.Fprintf(&c.body, `<rect x="%s" y="%s" width="%s" height="%s" rx="6" class="%s"/>`+"\n", number(x), number(y), number(width), number(height), class)
}

// Circle draws a circle.
func (c *Canvas) Circle(x, y, radius float64, class string) {
	fmt.Fprintf(&c.body, `<circle cx="%s" cy="%s" r="%s" class="%s"/>`+"\n", number(x), number(y), number(radius), class)
}

// Path draws a path; d is its commands.
func (c *Canvas) Path(d, class string) {
	fmt.Fprintf(&c.body, `<path d="%s" class="%s"/>`+"\n", d, class)
}

// Bars draws horizontal bars of a height around a line; d is their path, relative to a point.
// Nothing is drawn for an empty path.
func (c *Canvas) Bars(x, y, height float64, d, class string) {
	if d != "" {
		fmt.Fprintf(&c.body, `<path transform="translate(%s,%s)" stroke-width="%s" d="%s" class="%s"/>`+"\n", number(x), number(y), number(height), d, class)
	}
}

// Polyline draws a line through points.
func (c *Canvas) Polyline(x, y []float64, class string) {
	var d strings.Builder
	for i := range x {
		fmt.Fprintf(&d, "%c%s,%s", "ML"[min(i, 1)], number(x[i]), number(y[i]))
	}
	if len(x) > 0 {
		c.Path(d.String(), class)
	}
}

// Arrow draws a straight line with a head at its end; f is the class of the head.
func (c *Canvas) Arrow(x1, y1, x2, y2 float64, class, f string) {
	c.Line(x1, y1, x2, y2, class)
	dx, dy := unit(x2-x1, y2-y1)
	c.Path(fmt.Sprintf("M%s,%sL%s,%sL%s,%sZ", number(x2), number(y2), number(x2-8*dx-3.5*dy), number(y2-8*dy+3.5*dx), number(x2-8*dx+3.5*dy), number(y2-8*dy-3.5*dx)), f)
}

// Text writes one line of text; y is its baseline.
func (c *Canvas) Text(x, y float64, anchor Anchor, class, text string) {
	c.TextSized(x, y, FontSize, anchor, class, text)
}

// TextSized writes one line of text of a size.
func (c *Canvas) TextSized(x, y, size float64, anchor Anchor, class, text string) {
	fmt.Fprintf(&c.body, `<text x="%s" y="%s" font-size="%s" text-anchor="%s" class="%s">%s</text>`+"\n", number(x), number(y), number(size), anchor, class, escape(text))
}

// TextUp writes text that is read from below, with its middle at a point.
func (c *Canvas) TextUp(x, y float64, class, text string) {
	fmt.Fprintf(&c.body, `<text transform="translate(%s,%s) rotate(-90)" font-size="%d" text-anchor="middle" class="%s">%s</text>`+"\n", number(x), number(y), FontSize, class, escape(text))
}

// Encode returns the picture for a background.
func (c *Canvas) Encode(theme Theme) []byte {
	var b bytes.Buffer
	w, h := number(c.width), number(c.height)
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" class="ts" width="%s" height="%s" viewBox="0 0 %s %s" role="img">`+"\n", w, h, w, h)
	fmt.Fprintf(&b, "<title>%s</title>\n", escape(c.title))
	if c.about != "" {
		fmt.Fprintf(&b, "<desc>%s</desc>\n", escape(c.about))
	}
	fmt.Fprintf(&b, "<style>%s</style>\n", styleSheet(theme))
	fmt.Fprintf(&b, `<rect width="%s" height="%s" class="bg"/>`+"\n", w, h)
	b.Write(c.body.Bytes())
	b.WriteString("</svg>\n")
	return b.Bytes()
}
