package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The jobs of hostfiles under a real Slurm: one job, and chains of jobs for one search.

// oneJob submits hostfiles/treesplit.sbatch. Messages go to a file of their own, because a launcher
// can put a message into the middle of a line of results.
func (s slurm) oneJob(t *testing.T, l library) {
	dir, job := s.submitScript(t, l, "treesplit.sbatch", nil, "uts", "--tree", "T1", "--timeout", "100ms", "--json")
	s.ended(t, job)
	name := filepath.Join(dir, "treesplit-"+job)
	out, errOut := os.ReadFile(name + ".out")
	messages, errMessages := os.ReadFile(name + ".err")
	if errOut != nil || errMessages != nil {
		t.Fatal(errOut, errMessages)
	}
	var r struct{ Ranks int }
	if err := json.Unmarshal(out, &r); err != nil || r.Ranks != 4 {
		t.Errorf("%v: results %q, messages %q, want one object of 4 ranks", err, out, messages)
	}
}

// submitChain submits hostfiles/treesplit-chain.sbatch. Its results are in the file out.
func (s slurm) submitChain(t *testing.T, l library, options []string, args ...string) (dir, job string) {
	t.Helper()
	return s.submitScript(t, l, "treesplit-chain.sbatch", append([]string{"--output=out"}, options...), args...)
}

// submitScript submits a script of hostfiles from a directory of its own, on four nodes.
func (s slurm) submitScript(t *testing.T, l library, name string, options []string, args ...string) (dir, job string) {
	t.Helper()
	dir = t.TempDir()
	script, err := filepath.Abs("../hostfiles/" + name)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "bin"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(treesplit(t, l), filepath.Join(dir, "bin", "treesplit-"+l.String())); err != nil {
		t.Fatal(err)
	}
	o := s.run(t, dir, slices.Concat([]string{"env", "TREESPLIT_MPI=" + l.String(), "sbatch", "--parsable", "--nodes=4", "--ntasks-per-node=1"}, options, []string{script}, args, []string{"--json"})...)
	return dir, strings.TrimSpace(o.stdout)
}

// searchState is what a link of a chain says at its end.
type searchState struct {
	Expanded   float64
	Reason     string
	Audit      string
	Length     int
	Solutions  float64
	Checkpoint struct{ Final bool }
	Resumed    struct {
		Sessions int
		Expanded float64
	}
}

// states reads what the links of a chain have said, among the lines of launchers and Slurm.
func states(t *testing.T, dir string) (all []searchState, text string) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "out"))
	if err != nil {
		return nil, ""
	}
	for line := range bytes.Lines(data) {
		var st searchState
		if line[0] == '{' && json.Unmarshal(line, &st) == nil {
			all = append(all, st)
		}
	}
	return all, string(data)
}

// chain carries one of Korf's boards through jobs of half a second to the end, with the nodes and
// solutions that the oracle has counted.
func (s slurm) chain(t *testing.T) {
	k := korf(t)["22"]
	dir, job := s.submitChain(t, openMPI, nil, "puzzle", k.tiles, "--heuristic", "md", "--all-solutions", "--timeout", "500ms")
	s.ended(t, job)
	all, text := states(t, dir)
	if len(all) < 2 || s.job(t, job, "Restarts") != fmt.Sprint(len(all)-1) || s.job(t, job, "ExitCode") != "0:0" {
		t.Fatalf("%d links, %s restarts: %s", len(all), s.job(t, job, "Restarts"), text)
	}
	for i, st := range all[:len(all)-1] {
		if st.Reason != "timeout" || !st.Checkpoint.Final || st.Resumed.Sessions != i || st.Audit != "ok" {
			t.Errorf("link %d: %+v", i+1, st)
		}
		if next := all[i+1]; next.Resumed.Expanded != st.Expanded || next.Expanded <= st.Expanded {
			t.Errorf("link %d ends with %v nodes, the next goes from %v to %v", i+1, st.Expanded, next.Resumed.Expanded, next.Expanded)
		}
	}
	last := all[len(all)-1]
	if last.Expanded != k.failedExpanded+k.lastExpandedWhole || last.Length != k.length || last.Solutions != k.solutionsWhole {
		t.Errorf("%+v, want %v nodes and %v solutions of %d moves", last, k.failedExpanded+k.lastExpandedWhole, k.solutionsWhole, k.length)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*checkpoint*")); len(left) != 0 {
		t.Errorf("left over: %q", left)
	}
	t.Logf("%d links", len(all))
}

// limit lets Slurm itself warn a job, which saves its search and queues again, and goes on when it is
// started the next time. No test waits for the end of that search.
func (s slurm) limit(t *testing.T) {
	dir, job := s.submitChain(t, mpich, []string{"--time=1", "--signal=B:USR1@10"}, append(slices.Clone(paced), "--checkpoint-every", "500ms")...)
	links := func(n int) func() bool {
		return func() bool { all, _ := states(t, dir); return len(all) >= n }
	}
	s.until(t, "end of the first link", links(1))
	file := filepath.Join(dir, "treesplit-"+job+".checkpoint")
	first, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	s.until(t, "checkpoint of the second link", func() bool {
		second, err := os.Stat(file)
		return err == nil && second.ModTime().After(first.ModTime())
	})
	s.run(t, ".", "scancel", "--batch", "--signal=USR1", job)
	s.until(t, "end of the second link", links(2))
	s.run(t, ".", "scancel", job)
	all, text := states(t, dir)
	for i, st := range all {
		if st.Reason != "interrupted" || !st.Checkpoint.Final || st.Resumed.Sessions != i || st.Audit != "ok" {
			t.Errorf("link %d: %+v", i+1, st)
		}
	}
	if all[1].Resumed.Expanded != all[0].Expanded || all[0].Expanded == 0 {
		t.Errorf("from %v to %v nodes: %s", all[0].Expanded, all[1].Resumed.Expanded, text)
	}
}
