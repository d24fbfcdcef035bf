package figure

import (
	_ "embed"
	"html/template"
	"io"
	"net/url"
	"strings"
	"sync"
	"time"
	"unicode"

	"treesplit/internal/svg"
)

//go:embed page.html
var pageSource string

var pageTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page").Funcs(template.FuncMap{"numeric": isNumeric, "pathEscape": url.PathEscape}).Parse(pageSource))
})

// Page is an HTML page in one file: it refers to nothing outside of itself and has no script.
type Page struct {
	Title    string
	Date     time.Time
	Command  string // that wrote the page, as in a shell
	Version  string // of the program
	Terms    []Term // short names, explained where they are first used
	Sections []Section
}

// pageSection is a Section with its figures drawn.
type pageSection struct {
	Section
	Terms []Term
	Drawn []drawing
}

// drawing is a picture as HTML.
type drawing struct {
	SVG  template.HTML
	Wide bool // needs more room to be readable
}

// pageColours is a palette for the template, which takes style values from no string.
type pageColours struct{ Background, Ink, Muted, Grid, Link, Shadow template.CSS }

func coloursOf(p svg.Palette, shadow string) pageColours {
	return pageColours{template.CSS(p.Background), template.CSS(p.Ink), template.CSS(p.Muted), template.CSS(p.Grid), template.CSS(p.Series[0]), template.CSS(shadow)}
}

// Write writes the page.
func (p Page) Write(out io.Writer) error {
	all := make([]pageSection, len(p.Sections))
	for i, terms := range firstUses(p.Terms, p.Sections) {
		s := p.Sections[i]
		all[i] = pageSection{Section: s, Terms: terms}
		for _, f := range s.Figures {
			picture, err := f.RenderSVG()
			if err != nil {
				return err
			}
			all[i].Drawn = append(all[i].Drawn, drawing{SVG: template.HTML(svgElement(picture))})
		}
		for _, picture := range s.Pictures {
			all[i].Drawn = append(all[i].Drawn, drawing{template.HTML(svgElement(picture.SVG)), true})
		}
	}
	return pageTemplate().Execute(out, struct {
		Title, Day, Command, Version string
		Light, Dark                  pageColours
		Sections                     []pageSection
	}{p.Title, p.Date.Format("2 January 2006, 15:04 MST"), p.Command, p.Version,
		coloursOf(svg.LightPalette, "rgba(31,35,40,.35)"), coloursOf(svg.DarkPalette, "rgba(230,237,243,.35)"), all})
}

// svgElement returns the picture without the XML declaration, so that it can stand within HTML.
func svgElement(svg []byte) []byte {
	for i := range svg {
		if string(svg[i:min(i+4, len(svg))]) == "<svg" {
			return svg[i:]
		}
	}
	return svg
}

// isNumeric reports whether a column of a table contains numbers or nothing: such columns are aligned
// to the right. Long cells are lists or text.
func isNumeric(rows [][]string, column int) bool {
	for _, row := range rows {
		if column >= len(row) {
			continue
		}
		cell := strings.TrimLeft(row[column], "+-−–<>≥≤ ")
		if len(cell) > 28 || cell != "" && !unicode.IsDigit([]rune(cell)[0]) {
			return false
		}
	}
	return true
}
