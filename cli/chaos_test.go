package cli

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// The output of chaos depends only on the seeds, and not on the number of workers. chaos prints the
// drawn values on request, and refuses invalid numbers.
func TestChaos(t *testing.T) {
	run := func(args ...string) (status int, stdout, stderr string) {
		var out, err bytes.Buffer
		status = Main(append([]string{"chaos"}, args...), strings.NewReader(""), &out, &err)
		return status, out.String(), err.String()
	}
	status, one, stderr := run("--seed", "5", "--runs", "20", "--workers", "1", "--verbose")
	if status != statusDone || stderr != "" || !strings.Contains(one, "20 runs from seed 5 on: every answer was right, and every run ended") || strings.Count(one, "digest") != 20 {
		t.Errorf("status %d, %s%s", status, one, stderr)
	}
	if _, two, _ := run("--seed", "5", "--runs", "20", "--workers", "3", "--verbose"); two != one {
		t.Errorf("%s\nand again\n%s", one, two)
	}
	var res chaosResult
	if status, out, _ := run("--seed", "5", "--runs", "20", "--json"); status != statusDone || json.Unmarshal([]byte(out), &res) != nil || res.Runs != 20 || res.Segments < 20 || res.Seed != 5 {
		t.Errorf("status %d, %s", status, out)
	}
	for _, args := range [][]string{{"--runs", "0"}, {"--workers", "0"}, {"--seed", "-1"}, {"5"}} {
		if status, _, stderr := run(args...); status != statusInput || stderr == "" {
			t.Errorf("%v: status %d, %s", args, status, stderr)
		}
	}
}
