// Package svgtest checks pictures in tests: what readers can see of them, and that they refer to
// nothing else.
package svgtest

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"treesplit/internal/svg"
)

// Box is a rectangle.
type Box struct{ Left, Top, Right, Bottom float64 }

// Overlaps reports whether two boxes have a point in common.
func (b Box) Overlaps(o Box) bool {
	return b.Left < o.Right && o.Left < b.Right && b.Top < o.Bottom && o.Top < b.Bottom
}

// Contains reports whether another box lies within.
func (b Box) Contains(o Box) bool {
	return b.Left <= o.Left && o.Right <= b.Right && b.Top <= o.Top && o.Bottom <= b.Bottom
}

// Label is a text with the box that it needs in the widest font.
type Label struct {
	Box
	Text, Class string
}

// Picture is what a test sees.
type Picture struct {
	View     Box
	Labels   []Label
	Elements []xml.StartElement
	Styles   string
}

// rotated is the transform of a text that is read from below.
var rotated = regexp.MustCompile(`^translate\(([\d.-]+),([\d.-]+)\) rotate\(-90\)$`)

// Attribute returns an attribute of an element, or "".
func Attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

func number(e xml.StartElement, name string) float64 {
	v, _ := strconv.ParseFloat(Attribute(e, name), 64)
	return v
}

// Read reads a picture, which must be well-formed.
func Read(t testing.TB, picture []byte) (p Picture) {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(picture))
	var open []xml.StartElement
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return p
		}
		if err != nil {
			t.Fatal(err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			open = append(open, token.Copy())
			p.Elements = append(p.Elements, token.Copy())
			if token.Name.Local == "svg" {
				p.View = Box{Right: number(token, "width"), Bottom: number(token, "height")}
			}
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			p.addText(open, string(token))
		}
	}
}

// addText notes the text of an element.
func (p *Picture) addText(open []xml.StartElement, text string) {
	if len(open) == 0 {
		return
	}
	switch e := open[len(open)-1]; e.Name.Local {
	case "style":
		p.Styles += text
	case "text":
		p.Labels = append(p.Labels, newLabel(e, text))
	}
}

// newLabel finds the box of a text.
func newLabel(e xml.StartElement, text string) Label {
	size := number(e, "font-size")
	length := svg.TextWidth(text, size)
	x, y := number(e, "x"), number(e, "y")
	if m := rotated.FindStringSubmatch(Attribute(e, "transform")); m != nil {
		x, _ = strconv.ParseFloat(m[1], 64)
		y, _ = strconv.ParseFloat(m[2], 64)
		return Label{Box{x - 0.8*size, y - length/2, x + 0.2*size, y + length/2}, text, Attribute(e, "class")}
	}
	switch Attribute(e, "text-anchor") {
	case "middle":
		x -= length / 2
	case "end":
		x -= length
	}
	return Label{Box{x, y - 0.8*size, x + length, y + 0.2*size}, text, Attribute(e, "class")}
}

// foreign is what no picture may contain: references to other files, and scripts.
var foreign = regexp.MustCompile(`(?i)<script|<image|<foreignObject|href=|url\(|@import|@font-face|javascript:`)

// Check reads a picture and checks what holds for all of them: all labels lie within the view and do
// not overlap, the font list ends with a generic family, and nothing from outside is referred to.
func Check(t testing.TB, picture []byte) Picture {
	t.Helper()
	p := Read(t, picture)
	if found := foreign.Find(picture); found != nil {
		t.Errorf("the picture contains %q", found)
	}
	if !strings.Contains(p.Styles, "sans-serif}") {
		t.Errorf("the font list does not end with a generic family: %.300s", p.Styles)
	}
	for i, l := range p.Labels {
		if !p.View.Contains(l.Box) {
			t.Errorf("%q at %v is not within the picture, %v", l.Text, l.Box, p.View)
		}
		for _, other := range p.Labels[:i] {
			if l.Overlaps(other.Box) {
				t.Errorf("%q at %v overlaps %q at %v", l.Text, l.Box, other.Text, other.Box)
			}
		}
	}
	return p
}
