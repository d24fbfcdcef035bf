package workloads_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"treesplit/lb"
	"treesplit/run"
	"treesplit/run/checkpoint"
	"treesplit/run/workloads"
	"treesplit/search"
	"treesplit/sim"
)

// The test binary is itself the worker of these tests if workerVariable is set: it starts faster than
// an interpreter. Each node is the list of the columns of the queens in the first rows.
const workerVariable = "TREESPLIT_TEST_WORKER"

func TestMain(m *testing.M) {
	switch os.Getenv(workerVariable) {
	case "queens", "impatient":
		serveQueens(6, os.Stdout)
		os.Exit(0)
	case "mortal":
		serveQueens(6, &mortal{rand.New(rand.NewPCG(1, uint64(os.Getpid())))})
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// Reference: 6 queens have 4 solutions; the tree has 153 nodes, as in examples/queens.
const (
	queenNodes     = 153
	queenSolutions = 4
)

type queenRequest struct {
	Expand   [][]int `json:"expand"`
	Nodes    int     `json:"nodes"`
	Children []int   `json:"children"`
	Stop     bool    `json:"stop"`
}

// mortal writes to standard output and kills its process at random moments: before a line, within a
// line, and after it.
type mortal struct{ moment *rand.Rand }

// Write writes a line, perhaps.
func (m *mortal) Write(line []byte) (int, error) {
	m.perhapsDie()
	cut := m.moment.IntN(len(line))
	os.Stdout.Write(line[:cut])
	m.perhapsDie()
	os.Stdout.Write(line[cut:])
	m.perhapsDie()
	return len(line), nil
}

func (m *mortal) perhapsDie() {
	if own, err := os.FindProcess(os.Getpid()); err == nil && m.moment.IntN(30) == 0 {
		own.Kill()
		select {}
	}
}

func serveQueens(size int, w io.Writer) {
	in, out := bufio.NewScanner(os.Stdin), json.NewEncoder(w)
	in.Scan()
	out.Encode(map[string]any{"worker": 1, "name": "queens", "root": []int{}, "children": true, "depth": true})
	for in.Scan() {
		var r queenRequest
		if err := json.Unmarshal(in.Bytes(), &r); err != nil || r.Stop {
			return
		}
		if r.Nodes > fewNodes && os.Getenv(workerVariable) == "impatient" {
			return
		}
		if r.Children != nil {
			out.Encode(map[string]any{"children": queenChildren(size, r.Children)})
			continue
		}
		out.Encode(expandQueens(size, r))
	}
}

func expandQueens(size int, r queenRequest) map[string]any {
	expanded, solutions, depth, stack := 0, 0, 0, r.Expand
	for ; len(stack) > 0 && expanded < r.Nodes; expanded++ {
		node := stack[len(stack)-1]
		stack = append(stack[:len(stack)-1], queenChildren(size, node)...)
		depth = max(depth, len(node))
		if len(node) == size {
			solutions++
		}
	}
	open := []map[string]any{}
	for _, node := range stack {
		open = append(open, map[string]any{"node": node, "depth": len(node)})
	}
	return map[string]any{"expanded": expanded, "open": open, "sums": map[string]int{"solutions": solutions}, "maxima": map[string]int{"depth": depth}}
}

func queenChildren(size int, node []int) [][]int {
	children := [][]int{}
	for c := range size {
		free := len(node) < size
		for row, d := range node {
			gap := len(node) - row
			free = free && c != d && c-d != gap && d-c != gap
		}
		if free {
			children = append(children, append(node[:len(node):len(node)], c))
		}
	}
	return children
}

// queensWorker returns the workload of the test worker, for a number of ranks.
func queensWorker(t *testing.T, ranks int, scheme string) *workloads.Worker {
	t.Helper()
	t.Setenv(workerVariable, "queens")
	w := &workloads.Worker{Command: []string{os.Args[0]}, Ranks: ranks, Seed: 1, Scheme: scheme, Timeout: time.Minute}
	t.Cleanup(w.Close)
	return w
}

// workerPlan returns a plan with quanta of few nodes, so that ranks share a small tree.
func workerPlan(ranks int, scheme string) run.Plan {
	return run.Plan{Ranks: ranks, Scheme: scheme, Termination: "ring", Topology: "hypercube", Seed: 1, Quantum: fewNodes, Splits: lb.AutoSplits, Splitting: search.DefaultSplitting}
}

// checkQueens checks the numbers of a run.
func checkQueens(t *testing.T, w *workloads.Worker, r *run.Result) {
	t.Helper()
	got, err := w.ReadResult(r)
	if err != nil || r.Expanded != queenNodes || got.Sums["solutions"] != queenSolutions || got.Maxima["depth"] != 6 {
		t.Errorf("%d nodes, sums %v, maxima %v, error %v; want %d nodes, %d solutions, depth 6", r.Expanded, got.Sums, got.Maxima, err, queenNodes, queenSolutions)
	}
	if err := w.Stop(); err != nil {
		t.Error(err)
	}
}

// fewNodes is the quantum of workerPlan. An impatient worker exits at a request for more nodes, as a worker with slow
// nodes exceeds its time then.
const fewNodes = 3

// A static start asks a worker for no more nodes at once than the quantum: nodes may be slow.
func TestStaticStartKeepsQuantum(t *testing.T) {
	for _, scheme := range []string{"static", "static+rp"} {
		for _, splits := range []int{lb.AutoSplits, 4} {
			w := queensWorker(t, 2, scheme)
			t.Setenv(workerVariable, "impatient")
			plan := workerPlan(2, scheme)
			plan.Splits = splits
			r, err := run.RunOnGoroutines(plan, w, run.Hooks{})
			if err != nil {
				t.Fatalf("%s, splits %d: %v", scheme, splits, err)
			}
			checkQueens(t, w, r)
		}
	}
}

// Every scheme finds the same numbers on any number of ranks.
func TestWorkerSchemes(t *testing.T) {
	ranks, schemes := []int{1, 2, 3, 5}, lb.SchemeNames()
	if testing.Short() {
		ranks, schemes = []int{3}, []string{"rp", "ml", "shuffle", "static+rp"}
	}
	for _, scheme := range schemes {
		for _, p := range ranks {
			t.Run(fmt.Sprintf("%s/%d", scheme, p), func(t *testing.T) {
				w := queensWorker(t, p, scheme)
				r, err := run.RunOnGoroutines(workerPlan(p, scheme), w, run.Hooks{})
				if err != nil {
					t.Fatal(err)
				}
				checkQueens(t, w, r)
			})
		}
	}
}

// Workers that kill themselves at random moments are started again, and no node is lost or counted
// twice.
func TestMortalWorkers(t *testing.T) {
	runs := 100
	if testing.Short() {
		runs = 4
	}
	var faults atomic.Int64
	for i := range runs {
		w := queensWorker(t, 2, "rp")
		w.Retries = 100
		w.Log = func(int, string) { faults.Add(1) }
		t.Setenv(workerVariable, "mortal")
		plan := workerPlan(2, "rp")
		plan.Quantum, plan.Seed = 5+i%20, uint64(i)
		r, err := run.RunOnGoroutines(plan, w, run.Hooks{})
		if err != nil {
			t.Fatal(err)
		}
		checkQueens(t, w, r)
	}
	if faults.Load() < int64(runs)/2 && !testing.Short() {
		t.Errorf("only %d faults in %d runs", faults.Load(), runs)
	}
}

// A simulated machine has one worker. Its virtual times do not depend on the worker.
func TestWorkerSimulated(t *testing.T) {
	machine, err := sim.FindMachine("ncube2")
	if err != nil {
		t.Fatal(err)
	}
	var times []float64
	for _, scheme := range []string{"rp", "rp", "static+rp", "ml"} {
		w := queensWorker(t, 16, scheme)
		r, err := run.RunSimulation(machine, workerPlan(16, scheme), w, run.Hooks{})
		if err != nil {
			t.Fatal(err)
		}
		checkQueens(t, w, r)
		times = append(times, r.Seconds)
	}
	if times[0] != times[1] {
		t.Errorf("the same run took %v and %v of virtual time", times[0], times[1])
	}
}

// A search that was interrupted resumes under another scheme, and its counts go on.
func TestWorkerResumes(t *testing.T) {
	file := t.TempDir() + "/queens.ckpt"
	plan := workerPlan(2, "rp")
	plan.Store, plan.Checkpoint = checkpoint.Files{}, file
	w := queensWorker(t, 2, "rp")
	var stops atomic.Int64
	r, err := run.RunOnGoroutines(plan, w, run.Hooks{Interrupted: func() bool { return stops.Add(1) > 8 }})
	if err != nil || r.Expanded >= queenNodes || w.Stop() != nil {
		t.Fatalf("%v, %+v", err, r)
	}
	for _, scheme := range []string{"static", "shuffle", "ml"} {
		w := queensWorker(t, 3, scheme)
		plan := workerPlan(3, scheme)
		plan.Store, plan.Resume = checkpoint.Files{}, file
		r, err := run.RunOnGoroutines(plan, w, run.Hooks{})
		if err != nil {
			t.Fatal(err)
		}
		checkQueens(t, w, r)
	}
}

// A worker whose first line is faulty once is started again. The faulty line is forgotten.
func TestWorkerFaultyFirstLine(t *testing.T) {
	const program = `read l; if mkdir "$0" 2>/dev/null; then echo '{"worker":1,"name":"x","children":true}'; exit 1; fi
echo '{"worker":1,"name":"x","root":0}'; while read l; do case $l in *'[0]'*) echo '{"expanded":1,"open":[]}';; *) exit;; esac; done`
	w := &workloads.Worker{Command: []string{"sh", "-c", program, t.TempDir() + "/once"}, Ranks: 1, Seed: 1, Scheme: "rp", Timeout: time.Minute, Retries: 2}
	t.Cleanup(w.Close)
	r, err := run.RunOnGoroutines(workerPlan(1, "rp"), w, run.Hooks{})
	if err != nil || r.Expanded != 1 {
		t.Errorf("%v, %+v: expected one node", err, r)
	}
}

// The problem, the nodes and the solutions of a worker stay as they are. The characters <, > and &
// and U+2028 are not escaped, so that all ranks and the user see the same text.
func TestWorkerTextsStay(t *testing.T) {
	const root, problem, solution = `"<a>&b"`, `{"file":"R&D/<x>.clq"}`, `["R&D","` + "\u2028" + `<"]`
	const program = `read l; echo '{"worker":1,"name":"x","root":` + root + `}'
while read l; do case $l in *'[` + root + `]'*) echo '{"expanded":1,"open":[],"found":` + solution + `}';; *) exit;; esac; done`
	newWorker := func() *workloads.Worker {
		w := &workloads.Worker{
			Command: []string{"sh", "-c", program}, Ranks: 2, Seed: 1, Scheme: "rp", Timeout: time.Minute,
			Problem: func() ([]byte, error) { return []byte(problem), nil },
		}
		t.Cleanup(w.Close)
		return w
	}
	w := newWorker()
	p, err := w.Load()
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // on rank 0, and on a rank that has received it
		data, err := p.Encode()
		if err != nil || !strings.Contains(string(data), problem) || !strings.Contains(string(data), root) {
			t.Errorf("the encoded problem is %s, %v: expected it to have the problem %s and the root %s", data, err, problem, root)
		}
		if p, err = w.Decode(data); err != nil {
			t.Fatal(err)
		}
	}
	w = newWorker()
	r, err := run.RunOnGoroutines(workerPlan(2, "rp"), w, run.Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	if found, err := w.ReadResult(r); err != nil || string(found.Found) != solution {
		t.Errorf("the solution is %s, %v: expected %s", found.Found, err, solution)
	}
}
