package svg

import (
	"slices"
	"strings"
	"testing"
)

// The estimate of widths is at least the advance widths of DejaVu Sans, the widest common font. The
// numbers are in units of the font, of 2048 per em.
func TestTextWidth(t *testing.T) {
	for text, units := range map[string]float64{
		"1024": 4 * 1303, "speedup": 1067 + 1300 + 1260 + 1260 + 1300 + 1298 + 1300, "RP": 1423 + 1235, "GRR-M": 1587 + 1423 + 1423 + 739 + 1767,
		"Waiting": 2025 + 1255 + 569 + 803 + 569 + 1298 + 1300,
	} {
		if got, want := TextWidth(text, 13), units/2048*13; got < want {
			t.Errorf("%q: %.1f, but DejaVu Sans needs %.1f", text, got, want)
		}
	}
}

// Text is broken between words, words only if they are too long; no letter is lost.
func TestWrapText(t *testing.T) {
	for _, text := range []string{"", "one", "static, σ = 0.25 and more words", strings.Repeat("long", 40), "a " + strings.Repeat("ü", 60) + " b"} {
		lines := WrapText(text, 13, 120)
		if slices.ContainsFunc(lines, func(l string) bool { return TextWidth(l, 13) > 120 }) {
			t.Errorf("%q: a line of %q is too long", text, lines)
		}
		if strip := strings.NewReplacer(" ", ""); strip.Replace(strings.Join(lines, "")) != strip.Replace(text) {
			t.Errorf("%q: %q", text, lines)
		}
	}
}

// Control characters and markup do not reach the picture.
func TestEscape(t *testing.T) {
	c := New(1, 1, "a", "b")
	c.Text(0, 0, Start, "ink", "<b>\x00\x1b&")
	if s := string(c.Encode(Light)); !strings.Contains(s, ">&lt;b&gt;  &amp;</text>") {
		t.Error(s)
	}
}
