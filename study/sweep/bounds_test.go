package sweep

import (
	"io"
	"strings"
	"testing"
)

// A file of results with too many lines is an error.
func TestEndlessResults(t *testing.T) {
	line, err := encodeLine(result(Run{Key: "k", World: "local", Instance: "a", Ranks: 2, Repeat: 1}))
	if err != nil {
		t.Fatal(err)
	}
	old := maxLines
	maxLines = 50
	defer func() { maxLines = old }()
	n := 0
	_, err = ReadLines(io.MultiReader(strings.NewReader(strings.Repeat(string(line), 60))), "r.jsonl", func(Line) error { n++; return nil })
	if err == nil || !strings.Contains(err.Error(), "r.jsonl:51: more than 50 lines: expected at most ten for each of") || n != 50 {
		t.Errorf("%d lines, %v", n, err)
	}
}
