package svg

import "strings"

// TextWidth is an upper estimate of the width of text in pixels, for any of the fonts: the widest
// common one is DejaVu Sans.
func TextWidth(text string, size float64) float64 {
	sum := 0.0
	for _, r := range text {
		sum += letterWidth(r)
	}
	return sum * size
}

// letterWidth is the width of a letter over the size of the font.
func letterWidth(r rune) float64 {
	switch {
	case strings.ContainsRune("iljI.,;:'|!", r):
		return 0.34
	case strings.ContainsRune("ftr()[]/- ", r):
		return 0.42
	case strings.ContainsRune("mwMW%@—", r), r > 0x2fff:
		return 1.0
	case r >= 'A' && r <= 'Z':
		return 0.76
	case r >= '⁰' && r <= '₉', strings.ContainsRune("¹²³", r):
		return 0.42
	}
	return 0.64
}

// WrapText breaks text into lines of at most a width. A word that is too long is broken too.
func WrapText(text string, size, width float64) (lines []string) {
	line := ""
	for _, word := range strings.Fields(text) {
		for _, part := range breakWord(word, size, width) {
			switch {
			case line == "":
				line = part
			case TextWidth(line+" "+part, size) <= width:
				line += " " + part
			default:
				lines, line = append(lines, line), part
			}
		}
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// breakWord breaks a word into parts of at most a width.
func breakWord(word string, size, width float64) (parts []string) {
	part := ""
	for _, r := range word {
		if part != "" && TextWidth(part+string(r), size) > width {
			parts, part = append(parts, part), ""
		}
		part += string(r)
	}
	return append(parts, part)
}
