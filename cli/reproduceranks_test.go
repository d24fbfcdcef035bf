package cli

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"treesplit/comm"
	"treesplit/study/reproduce/kumar"
	"treesplit/study/reproduce/lab"
)

func TestParseRanks(t *testing.T) {
	for text, want := range map[string][]int{"8": {8}, "8,64": {8, 64}, "8..64": {8, 16, 32, 64}, "3..20": {3, 6, 12}, "5..5": {5}} {
		if got, err := parseRanks(text); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	for _, bad := range []string{"", "0", "-1", "8,", "8..", "..8", "64..8", "8..9..10", "0..8", "1..1000000", "a", "8, 16", "9999999999999999999"} {
		if _, err := parseRanks(bad); err == nil || !strings.Contains(err.Error(), "--ranks: ") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// Values that no measurement can have are refused before anything is written.
func TestReproduceOnRanksRefuses(t *testing.T) {
	for line, text := range map[string]string{
		"reproduce table3 --ranks 8":                               "--ranks: it has no effect here: expected --runtime goroutines or mpi",
		"reproduce table3 --pace 1ms":                              "--pace: it has no effect here: expected --runtime goroutines",
		"reproduce table3 --formulas 1":                            "--formulas: it has no effect here",
		"reproduce table3 --runtime pvm":                           "--runtime: \"pvm\": expected simulated, goroutines or mpi",
		"reproduce table4 --runtime mpi":                           "--runtime: mpi is only for table3",
		"reproduce table3 --variables 20":                          "--variables: it has no effect here: expected --runtime goroutines or mpi",
		"reproduce table3 --runtime goroutines --variables 9":      "--variables: 9: expected 10 to 65",
		"reproduce table3 --runtime goroutines --launcher mpirun":  "--launcher: it has no effect here: expected --runtime mpi",
		"reproduce table4 --runtime goroutines":                    "--runtime: goroutines is only for table3",
		"reproduce table3 --runtime goroutines --ranks 0":          "--ranks: ",
		"reproduce table3 --schemes rp":                            "--schemes: it has no effect here: expected --runtime goroutines",
		"reproduce table3 --runtime goroutines --schemes lifeline": "--schemes: \"lifeline\": expected all, or some of arr, grr-m, rp, nn, grr, sb",
		"reproduce table3 --runtime goroutines --schemes rp,":      "--schemes: \"\": expected all",
		"reproduce table3 --runtime goroutines --pace 0s":          "--pace: 0s: expected",
		"reproduce table3 --runtime goroutines --pace 11s":         "--pace: 11s: expected",
		"reproduce table3 --runtime goroutines --formulas 6":       "--formulas: 6: expected 1 to 5",
		"reproduce table3 table4 --runtime goroutines --ranks 8,9": "--runtime: goroutines is only for table3",
	} {
		out := filepath.Join(t.TempDir(), "out")
		var stdout, stderr bytes.Buffer
		status := Main(append(strings.Fields(line), "--out", out), nil, &stdout, &stderr)
		if status != statusInput || !strings.Contains(stderr.String(), text) {
			t.Errorf("%s: status %d: %s; want status 2 and %q", line, status, &stderr, text)
		}
		if _, err := os.Stat(out); !os.IsNotExist(err) {
			t.Errorf("%s: %s was made", line, out)
		}
	}
}

// A table of paced ranks has the measured, the simulated and the printed speedups of all schemes.
func TestTable3OnRanks(t *testing.T) {
	l, err := lab.New("")
	if err != nil {
		t.Fatal(err)
	}
	k := lab.Fitted
	k.Instances = []lab.Instance{{Variables: 20, Ratio: 5, Seed: 2}}
	s, err := kumar.Table3OnRanks(t.Context(), l, k, kumar.Emulation{Ranks: []int{3, 8}, Node: 100_000, Formulas: 1, Name: "table3-ranks", Run: runPaced})
	if err != nil {
		t.Fatal(err)
	}
	rows := s.Tables[0].Rows
	if len(rows) != 12 || rows[0][0] != "3" || rows[0][1] != "ARR" || rows[0][4] != "–" || rows[6][0] != "8" || rows[6][4] != "7.506" {
		t.Fatalf("the rows are %v", rows)
	}
	for _, row := range rows {
		for _, cell := range append(row[2:4:4], row[5:]...) {
			if cell == "–" || cell == "NaN" || cell == "0" {
				t.Errorf("%v: no measurement", row)
			}
		}
	}
}

// Paced ranks poll as often as the ranks of the machine that they emulate, and answer as many messages
// at a poll.
func TestPacedRanksPoll(t *testing.T) {
	l, err := lab.New("")
	if err != nil {
		t.Fatal(err)
	}
	for _, serve := range []int{0, 1, 3} {
		want := max(serve, 1) // 0: the number of the nCUBE/2
		k := lab.Fitted
		k.Quantum = 2 + serve
		k.Serve, k.Instances = serve, []lab.Instance{{Variables: 20, Ratio: 5, Seed: 2}}
		runs := atomic.Int64{}
		record := func(_ context.Context, p kumar.PacedRun) (kumar.PacedOutcome, error) {
			runs.Add(1)
			if plan := pacedPlan(p); plan.Serve != want || plan.Quantum != k.Quantum {
				t.Errorf("%s: goroutine ranks answer %d messages after %d nodes, want %d after %d", p.Cell.Scheme, plan.Serve, plan.Quantum, want, k.Quantum)
			}
			args := strings.Join(pacedArgs(p, "x.cnf"), " ")
			if want := fmt.Sprintf(" --quantum %d --serve %d ", k.Quantum, want); !strings.Contains(args, want) {
				t.Errorf("%s: MPI ranks get %q, want%s", p.Cell.Scheme, args, want)
			}
			return kumar.PacedOutcome{T1: 1, TP: 1}, nil
		}
		if _, err := kumar.Table3OnRanks(t.Context(), l, k, kumar.Emulation{Ranks: []int{8}, Node: 100_000, Formulas: 1, Name: "table3-ranks", Run: record}); err != nil || runs.Load() != 6 {
			t.Errorf("%d runs, %v", runs.Load(), err)
		}
	}
}

// A run on paced ranks ends when it is interrupted.
func TestPacedRunEnds(t *testing.T) {
	l, err := lab.New("")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer stop()
	k := lab.Fitted
	k.Instances = []lab.Instance{{Variables: 20, Ratio: 5, Seed: 2}}
	_, err = kumar.Table3OnRanks(ctx, l, k, kumar.Emulation{Ranks: []int{2}, Node: comm.Time(time.Second), Formulas: 1, Name: "table3-ranks", Run: runPaced})
	if err == nil || ctx.Err() == nil {
		t.Errorf("the run ends with %v", err)
	}
}

// --schemes measures some columns of the table, in the order of the table.
func TestTable3OfSomeSchemes(t *testing.T) {
	schemes, err := parseTableSchemes("NN,arr")
	if err != nil {
		t.Fatal(err)
	}
	l, err := lab.New("")
	if err != nil {
		t.Fatal(err)
	}
	k := lab.Fitted
	k.Instances = []lab.Instance{{Variables: 20, Ratio: 5, Seed: 2}}
	instant := func(context.Context, kumar.PacedRun) (kumar.PacedOutcome, error) {
		return kumar.PacedOutcome{T1: 6 * time.Second, TP: 2 * time.Second}, nil
	}
	for _, c := range []struct{ schemes, columns []string }{
		{schemes, []string{"ARR", "NN"}},
		{kumar.Table3Schemes, []string{"ARR", "GRR-M", "RP", "NN", "GRR", "SB"}},
	} {
		s, err := kumar.Table3OnRanks(t.Context(), l, k, kumar.Emulation{Ranks: []int{8}, Schemes: c.schemes, Node: 100_000, Formulas: 1, Name: "table3-ranks", Run: instant})
		if err != nil {
			t.Fatal(err)
		}
		var columns []string
		for _, row := range s.Tables[0].Rows {
			columns = append(columns, row[1])
			if row[2] != "3.000" {
				t.Errorf("%v: want a speedup of 3", row)
			}
		}
		if !slices.Equal(columns, c.columns) {
			t.Errorf("%v: rows of %v, want %v", c.schemes, columns, c.columns)
		}
	}
}

// Each measured run leaves a line, so that an interrupted table loses no measurement.
func TestMeasuredRunsAreReported(t *testing.T) {
	var stdout, stderr bytes.Buffer
	out := t.TempDir()
	line := "reproduce table3 --runtime goroutines --ranks 2 --variables 12 --formulas 2 --pace 10us --schemes rp --out " + out
	if status := Main(strings.Fields(line), nil, &stdout, &stderr); status != statusDone {
		t.Fatalf("status %d: %s", status, &stderr)
	}
	pattern := regexp.MustCompile(`^(?m:treesplit: rp on 2 ranks, gen random --n 12 --ratio 5 --seed \d: \d+\.\d s, speedup \d\.\d, ranks waited for a core for \d+\.\d %\n){2}$`)
	if !pattern.MatchString(stderr.String()) {
		t.Errorf("two runs leave %q", &stderr)
	}
	l, err := lab.New(out)
	if err != nil {
		t.Fatal(err)
	}
	stderr.Reset()
	r := &reproduction{app: &app{stdout: &stdout, stderr: &stderr}, lab: l, out: out}
	r.reportMeasured(kumar.PacedRun{}, kumar.PacedOutcome{T1: time.Second, TP: time.Second})
	ctx, stop := context.WithCancel(t.Context())
	stop()
	o, err := r.waitUntilDone(ctx, false, func() error { select {} })
	r.reportMeasured(kumar.PacedRun{}, kumar.PacedOutcome{T1: time.Second, TP: time.Second}) // too late
	if err != nil || o.status != statusStopped || strings.Count(stderr.String(), "speedup") != 1 || !strings.Contains(stderr.String(), "and the same command repeats the 1 measured run;") {
		t.Errorf("interrupted: status %d, %v, %q", o.status, err, &stderr)
	}
}
