package figure

import (
	_ "embed"
	"html/template"
	"io"
)

//go:embed page.html
var pageSource string

var page = template.Must(template.New("page").Parse(pageSource))

// pageSection is a Section with its figures drawn.
type pageSection struct {
	Section
	Drawn []template.HTML
}

// WritePage writes one self-contained HTML page with all sections.
func WritePage(out io.Writer, title string, sections []Section) error {
	all := make([]pageSection, len(sections))
	for i, s := range sections {
		all[i].Section = s
		for _, f := range s.Figures {
			svg, err := f.RenderSVG()
			if err != nil {
				return err
			}
			all[i].Drawn = append(all[i].Drawn, template.HTML(svgElement(svg)))
		}
		for _, p := range s.Pictures {
			all[i].Drawn = append(all[i].Drawn, template.HTML(svgElement(p.SVG)))
		}
	}
	return page.Execute(out, struct {
		Title    string
		Sections []pageSection
	}{title, all})
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
