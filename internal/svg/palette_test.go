package svg

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
)

// linear returns red, green and blue of a colour in linear light.
func linear(t *testing.T, colour string) (c [3]float64) {
	t.Helper()
	for i := range c {
		v, err := strconv.ParseUint(colour[1+2*i:3+2*i], 16, 8)
		if err != nil {
			t.Fatal(err)
		}
		if c[i] = float64(v) / 255; c[i] <= 0.04045 {
			c[i] /= 12.92
		} else {
			c[i] = math.Pow((c[i]+0.055)/1.055, 2.4)
		}
	}
	return c
}

// contrast is the contrast of two colours. Reference: Web Content Accessibility Guidelines 2.1.
func contrast(t *testing.T, a, b string) float64 {
	t.Helper()
	luminance := func(c [3]float64) float64 { return 0.2126*c[0] + 0.7152*c[1] + 0.0722*c[2] }
	x, y := luminance(linear(t, a)), luminance(linear(t, b))
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// vision are kinds of colour vision, as matrices on linear light. Reference: Machado, Oliveira and
// Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency", 2009, severity 1.
var vision = map[string][3][3]float64{
	"all cones":      {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
	"no red cones":   {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
	"no green cones": {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
	"no blue cones":  {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}},
}

// seen is a colour under a kind of vision in CIELAB, where distances are differences that are seen.
func seen(t *testing.T, colour string, m [3][3]float64) (lab [3]float64) {
	t.Helper()
	c := linear(t, colour)
	var v [3]float64
	for i := range v {
		v[i] = min(1, max(0, m[i][0]*c[0]+m[i][1]*c[1]+m[i][2]*c[2]))
	}
	f := func(t float64) float64 {
		if t > 0.008856 {
			return math.Cbrt(t)
		}
		return 7.787*t + 16.0/116
	}
	x := f((0.4124*v[0] + 0.3576*v[1] + 0.1805*v[2]) / 0.95047)
	y := f(0.2126*v[0] + 0.7152*v[1] + 0.0722*v[2])
	z := f((0.0193*v[0] + 0.1192*v[1] + 0.9505*v[2]) / 1.08883)
	return [3]float64{116*y - 16, 500 * (x - y), 200 * (y - z)}
}

var palettes = map[string]Palette{"light": LightPalette, "dark": DarkPalette}

// Text has a contrast of 4.5:1 with what is behind it, lines have 3:1.
func TestContrast(t *testing.T) {
	for name, p := range palettes {
		atLeast := func(what, colour, behind string, want float64) {
			if got := contrast(t, colour, behind); got < want {
				t.Errorf("%s: %s %s on %s has a contrast of %.2f:1, want %v:1", name, what, colour, behind, got, want)
			}
		}
		atLeast("text", p.Ink, p.Background, 4.5)
		atLeast("labels", p.Muted, p.Background, 4.5)
		for i, c := range p.Series {
			atLeast(fmt.Sprint("curve ", i), c, p.Background, 3)
		}
		for i, c := range p.Series[:4] { // the colours of ranks, which numbers stand on
			atLeast(fmt.Sprint("text on area ", i), p.OnSeries, c, 4.5)
		}
	}
}

// Any two colours differ by 15 steps in CIELAB for every kind of colour vision.
func TestColoursDiffer(t *testing.T) {
	for name, p := range palettes {
		if len(p.Series) != Series || len(p.States) != States {
			t.Errorf("%s: %d and %d colours", name, len(p.Series), len(p.States))
		}
		for _, colours := range [][]string{p.Series, p.States} {
			for kind, m := range vision {
				for i, a := range colours {
					for _, b := range colours[:i] {
						x, y := seen(t, a, m), seen(t, b, m)
						if d := math.Hypot(math.Hypot(x[0]-y[0], x[1]-y[1]), x[2]-y[2]); d < 15 {
							t.Errorf("%s, %s: %s and %s differ by %.1f", name, kind, a, b, d)
						}
					}
				}
			}
		}
	}
}

// The first 64 curves have different pairs of colour and marker, and neighbours differ in both.
func TestSeriesStyles(t *testing.T) {
	used := map[[2]int]int{}
	for i := range 64 {
		colour, marker := SeriesStyle(i)
		if before, ok := used[[2]int{colour, marker}]; ok {
			t.Errorf("curves %d and %d look the same", before, i)
		}
		used[[2]int{colour, marker}] = i
	}
}

// Auto has both palettes, the dark one for readers who prefer it; the others have one.
func TestThemes(t *testing.T) {
	picture := func(theme Theme) string { return string(New(10, 10, "t", "").Encode(theme)) }
	media := "@media (prefers-color-scheme:dark){"
	auto, light, dark := picture(Auto), picture(Light), picture(Dark)
	if !strings.Contains(auto, media+DarkPalette.rules()+"}") || !strings.Contains(auto, LightPalette.rules()+"@media") {
		t.Errorf("auto: %s", auto)
	}
	if strings.Contains(light, "@media") || !strings.Contains(light, LightPalette.rules()) || strings.Contains(dark, "@media") || !strings.Contains(dark, DarkPalette.rules()) {
		t.Errorf("light: %s\ndark: %s", light, dark)
	}
}
