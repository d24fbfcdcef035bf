package trace

import (
	"io"
	"strings"
	"testing"

	"treesplit/internal/fileio/fileiotest"
)

// A value without end is an error before it has filled the memory, which names the line.
func TestEndless(t *testing.T) {
	old := maxValue
	maxValue = 1 << 16
	defer func() { maxValue = old }()
	for name, c := range map[string]struct{ start, again, want string }{
		"blanks":        {"", "\n", "a value of more than 65536 bytes"},
		"a note":        {"{\n\"otherData\": {\"a\":\n\"", "b", "line 3: a value of more than 65536 bytes"},
		"a value":       {"{\n\"other\": \"", "b", "a value of more than"},
		"an event":      {"{\"traceEvents\": [{\"name\": \"", "b", "a value of more than"},
		"notes":         {"{\"otherData\": {\"a\": \"b\"", ", \"a\": \"b\"", "more than 1024 members of otherData"},
		"nested values": {"{\"other\": ", "[", "exceeded max depth"},
	} {
		_, err := Read(io.MultiReader(strings.NewReader(c.start), fileiotest.Endless(c.again)))
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Line ends behind the decoder are forgotten, and errors name the right line all the same.
func TestLines(t *testing.T) {
	const lines = 30_000
	in := "{\"traceEvents\": [" + strings.Repeat("{\"ph\": \"M\",\n\"name\": \"process_name\"},", lines) + "{\"ph\": \"M\"\n\"name\"}]}"
	if _, err := Read(strings.NewReader(in)); err == nil || !strings.HasPrefix(err.Error(), "line 30001: ") {
		t.Error(err)
	}
}
