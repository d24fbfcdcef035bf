package svg

import (
	"fmt"
	"strings"
)

// Palette is the colours of a picture on one background, as #rrggbb.
type Palette struct {
	Background string
	Ink        string   // text, frames
	Muted      string   // labels of axes, reference lines
	Grid       string   // lines behind curves; they carry no information of their own
	Series     []string // curves
	States     []string // areas: the states of ranks, see State
	OnSeries   string   // text on an area of a series' or a state's colour
}

const (
	// Series is the number of colours of curves.
	Series = 8
	// States is the number of colours of areas.
	States = 6
)

// The two palettes.
var (
	LightPalette = Palette{
		Background: "#ffffff", Ink: "#1f2328", Muted: "#59636e", Grid: "#d8dee4", OnSeries: "#ffffff",
		Series: []string{"#0045a0", "#a83c08", "#1c755a", "#7a1068", "#463210", "#129bc9", "#1f2328", "#9d8e10"},
		States: []string{"#1f77b8", "#f0b429", "#a83c08", "#bcc5ce", "#5c0a50", "#eef1f4"},
	}
	DarkPalette = Palette{
		Background: "#0d1117", Ink: "#e6edf3", Muted: "#9da7b1", Grid: "#2d343c", OnSeries: "#0d1117",
		Series: []string{"#2f8fe8", "#e1846e", "#2bedac", "#f02a9b", "#bc9425", "#7cc8e4", "#e6edf3", "#dbd705"},
		States: []string{"#2f8fe8", "#f2c230", "#c8502c", "#59626c", "#efa8fa", "#1d232b"},
	}
)

// Fonts is the list of font families. Its end is generic, so that a system without any of the
// others shows its own.
const Fonts = `system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", "Liberation Sans", Arial, sans-serif`

// Theme says for which background a picture is.
type Theme uint8

const (
	// Auto follows the reader's setting (prefers-color-scheme).
	Auto Theme = iota
	// Light is for a white background.
	Light
	// Dark is for a black one.
	Dark
)

// styleSheet returns the style sheet of a theme. All rules begin with svg.ts, so that they
// touch nothing else on a page that contains the picture.
func styleSheet(theme Theme) string {
	fixed := "svg.ts{font-family:" + Fonts + "}svg.ts .line{fill:none;stroke-width:2;stroke-linejoin:round;stroke-linecap:round}" +
		"svg.ts .thin{stroke-width:1}svg.ts .dash{stroke-dasharray:6 4}svg.ts .dots{stroke-dasharray:1.5 4}" +
		"svg.ts .bold{font-weight:600}svg.ts .none{fill:none}"
	switch theme {
	case Light:
		return fixed + LightPalette.rules()
	case Dark:
		return fixed + DarkPalette.rules()
	}
	return fixed + LightPalette.rules() + "@media (prefers-color-scheme:dark){" + DarkPalette.rules() + "}"
}

// rules returns the rules of the classes that have a colour.
func (p *Palette) rules() string {
	var b strings.Builder
	rule := func(class, property, colour string) { fmt.Fprintf(&b, "svg.ts .%s{%s:%s}", class, property, colour) }
	rule("bg", "fill", p.Background)
	rule("ink", "fill", p.Ink)
	rule("muted", "fill", p.Muted)
	rule("on", "fill", p.OnSeries)
	rule("frame", "stroke", p.Ink)
	rule("ref", "stroke", p.Muted)
	rule("grid", "stroke", p.Grid)
	rule("edge", "stroke", p.Background)
	for i, c := range p.Series {
		rule(fmt.Sprint("c", i), "stroke", c)
		rule(fmt.Sprint("f", i), "fill", c)
	}
	for i, c := range p.States {
		rule(fmt.Sprint("s", i), "fill", c)
		rule(fmt.Sprint("b", i), "stroke", c)
	}
	return b.String()
}
