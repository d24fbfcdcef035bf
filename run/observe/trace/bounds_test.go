package trace

import (
	"io"
	"strings"
	"testing"

	"treesplit/internal/fileio/fileiotest"
)

// A value without an end gives an error before it fills the memory. The error names the line.
func TestEndless(t *testing.T) {
	old := maxValue
	maxValue = 1 << 16
	defer func() { maxValue = old }()
	for name, c := range map[string]struct{ start, again, want string }{
		"blanks":        {"", "\n", "a value has more than 65536 bytes"},
		"a note":        {"{\n\"otherData\": {\"a\":\n\"", "b", "line 3: a value has more than 65536 bytes"},
		"a value":       {"{\n\"other\": \"", "b", "a value has more than"},
		"an event":      {"{\"traceEvents\": [{\"name\": \"", "b", "a value has more than"},
		"notes":         {"{\"otherData\": {\"a\": \"b\"", ", \"a\": \"b\"", "otherData has more than 1024 members"},
		"nested values": {"{\"other\": ", "[", "exceeded max depth"},
	} {
		_, err := Read(io.MultiReader(strings.NewReader(c.start), fileiotest.Endless(c.again)))
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Line ends before the decoder's position are dropped, and errors still name the right line.
func TestLines(t *testing.T) {
	const lines = 30_000
	in := "{\"traceEvents\": [" + strings.Repeat("{\"ph\": \"M\",\n\"name\": \"process_name\"},", lines) + "{\"ph\": \"M\"\n\"name\"}]}"
	if _, err := Read(strings.NewReader(in)); err == nil || !strings.HasPrefix(err.Error(), "line 30001: ") {
		t.Error(err)
	}
}
