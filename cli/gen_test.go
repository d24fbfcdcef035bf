package cli

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

// A formula that does not fit on the disk is one error, on one line.
func TestGenOnFullDisk(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer full.Close()
	for _, line := range []string{"gen php --n 4", "gen php --n 60", "gen php --n 4 -o /dev/full", "gen php --n 60 -o /dev/full"} {
		var stderr bytes.Buffer
		if status := Main(strings.Fields(line), nil, full, &stderr); status != statusFailed || strings.Count(stderr.String(), "\n") != 1 || strings.Count(stderr.String(), "no space left") != 1 {
			t.Errorf("%s: status %d, %s", line, status, &stderr)
		}
	}
}
