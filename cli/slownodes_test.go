package cli

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// resultOf runs the program with --json and decodes its result.
func resultOf(t *testing.T, to any, words ...string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if status := Main(append(words, "--json"), strings.NewReader(""), &stdout, &stderr); status != 0 {
		t.Fatalf("%q: status %d: %s", words, status, &stderr)
	}
	if err := json.Unmarshal(stdout.Bytes(), to); err != nil {
		t.Fatal(err)
	}
}

// Slow nodes of the puzzle are divided among ranks in small iterations: on simulated machines, in predictions, which
// agree with simulations, and on paced ranks.
func TestSlowNodesOfPuzzle(t *testing.T) {
	board := []string{"puzzle", "4 1 6 3 8 5 2 7 12 9 10 11 13 15 14 0", "--heuristic", "md", "--all-solutions"}
	var simulated, paced struct {
		Seconds  float64
		Requests int64
	}
	var predicted struct{ Predictions []struct{ Seconds float64 } }
	resultOf(t, &simulated, append(board, "--machine", "ncube2", "-n", "4")...)
	resultOf(t, &predicted, append([]string{"predict", "--ranks", "4", "--schemes", "rp", "--efficiency", "0", "ncube2"}, board...)...)
	if p := predicted.Predictions; len(p) != 1 || p[0].Seconds != simulated.Seconds || simulated.Requests == 0 {
		t.Errorf("simulated %+v, predicted %+v: expected the same time", simulated, p)
	}
	resultOf(t, &paced, append(board, "--pace", "2us", "-n", "4")...)
	if paced.Requests == 0 {
		t.Error("paced ranks did not divide the nodes")
	}
}
