package lb_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"testing"

	"treesplit/lb"
	"treesplit/search"
	"treesplit/sim"
	"treesplit/termination"
	"treesplit/topology"
	"treesplit/worker"
)

// numbers is a worker without a process, over a binary tree of 127 nodes: the children of node n are
// 2n and 2n+1. The capabilities of its shares are separate types, which lack one another.
type numbers struct {
	worker.Hello
	isSolution func(n int) bool // the value of a solution n is −n
}

const numberLeaf = 64 // the first leaf

type listedNumber struct {
	Node  int `json:"node"`
	Depth int `json:"depth"`
}

// Ask answers a request.
func (l *numbers) Ask(request []byte, read func([]byte) error) error {
	var r struct {
		Expand   []int
		Nodes    int
		Children int
	}
	if err := json.Unmarshal(request, &r); err != nil {
		return err
	}
	children := func(n int) []int {
		if n >= numberLeaf {
			return []int{}
		}
		return []int{2 * n, 2*n + 1}
	}
	reply := map[string]any{}
	if r.Children > 0 {
		reply["children"] = children(r.Children)
	} else {
		stack, expanded := r.Expand, 0
		for ; expanded < r.Nodes && len(stack) > 0; expanded++ {
			n := stack[len(stack)-1]
			stack = append(stack[:len(stack)-1], children(n)...)
			if l.isSolution(n) {
				reply["found"], reply["value"] = n, -n
			}
		}
		open := []listedNumber{}
		for _, n := range stack {
			open = append(open, listedNumber{n, int(math.Log2(float64(n)))})
		}
		reply["expanded"], reply["open"] = expanded, open
	}
	line, err := json.Marshal(reply)
	if err != nil {
		return err
	}
	return read(append(line, '\n'))
}

// Err returns nil: the worker does not fail.
func (l *numbers) Err() error { return nil }

// newNumbers returns a worker with all capabilities.
func newNumbers(minimise bool, isSolution func(int) bool) *numbers {
	return &numbers{worker.Hello{Name: "numbers", Root: json.RawMessage("1"), Minimise: minimise, Children: true, Depth: true}, isSolution}
}

// simulate searches the tree of a worker on an ideal machine and appends its ranks.
func (l *numbers) simulate(t *testing.T, scheme string, p int, ranks *[]lb.Balancer, options worker.Options, trace func(sim.Entry)) sim.Result {
	t.Helper()
	machine, err := sim.FindMachine("ideal")
	if err != nil {
		t.Fatal(err)
	}
	options.Splitting = search.DefaultSplitting
	r, err := sim.Run(machine, p, 1, func(rank int) lb.Balancer {
		o := lb.Options{
			Work: worker.New(l, &l.Hello, options, rank == 0), Cutoff: 3, Splits: lb.AutoSplits,
			Fresh: func() search.Work { return worker.New(l, &l.Hello, options, false) },
		}
		if o.Network, err = topology.Parse("hypercube", p); err != nil {
			t.Fatal(err)
		}
		if o.Detector, err = termination.New("ring", rank, p); err != nil {
			t.Fatal(err)
		}
		b, err := lb.New(scheme, o, rank, p)
		if err != nil {
			t.Fatal(err)
		}
		*ranks = append(*ranks, b)
		return b
	}, sim.Options{MaxEvents: 100_000, Trace: trace})
	if err != nil {
		t.Fatalf("%s: %v", scheme, err)
	}
	return r
}

var subtaskSchemes = []string{"sl", "ml", "ra", "ranade"}

// A solution above the cutoff depth, which no rank meets in its own share, ends the search.
func TestGeneratorDecides(t *testing.T) {
	for _, scheme := range subtaskSchemes {
		l := newNumbers(false, func(n int) bool { return n == 3 })
		r := l.simulate(t, scheme, 3, new([]lb.Balancer), worker.Options{First: true}, nil)
		if r.Reason != lb.Decided || r.Stats.Expanded >= 2*numberLeaf-1 {
			t.Errorf("%s: the run ended as %v after %d nodes", scheme, r.Reason, r.Stats.Expanded)
		}
	}
}

// A better value that a generator finds reaches all ranks. Only nodes above the cutoff depth, which no
// rank meets in its own share, are solutions.
func TestGeneratorsShareValues(t *testing.T) {
	const best = 7
	for _, scheme := range subtaskSchemes {
		for p := 1; p <= 6; p++ {
			l := newNumbers(true, func(n int) bool { return n <= best })
			var ranks []lb.Balancer
			if r := l.simulate(t, scheme, p, &ranks, worker.Options{}, nil); r.Stats.Expanded != 2*numberLeaf-1 {
				t.Errorf("%s, P = %d: %d nodes", scheme, p, r.Stats.Expanded)
			}
			for i, b := range ranks {
				if got := b.(interface{ Bound() int64 }).Bound(); got != -best {
					t.Errorf("%s, P = %d: rank %d knows of %d, want %d", scheme, p, i, got, -best)
				}
			}
		}
	}
}

// The closed weights of all ranks are never more than the expanded nodes allow, never fall, and add
// up to 1 at the end.
func TestGeneratorProgress(t *testing.T) {
	for _, scheme := range subtaskSchemes {
		var ranks []lb.Balancer
		sum := func() (closed float64) {
			for _, b := range ranks {
				closed += b.(interface{ Progress() lb.Progress }).Progress().Closed
			}
			return closed
		}
		nodes, last := 0, 0.0
		l := newNumbers(false, func(int) bool {
			nodes++
			return false
		})
		trace := func(sim.Entry) {
			now := sum()
			if now < last-1e-9 || now > float64(nodes)/numberLeaf+1e-9 { // a leaf has the weight 1/numberLeaf
				t.Fatalf("%s: the closed weight is %v after %v and %d nodes", scheme, now, last, nodes)
			}
			last = now
		}
		l.simulate(t, scheme, 3, &ranks, worker.Options{}, trace)
		if math.Abs(sum()-1) > 1e-9 {
			t.Errorf("%s: the closed weight is %v at the end", scheme, sum())
		}
	}
}

// A dive of a sample ends at the part whose search is decided.
func TestSampleMeetsWitnessOfWorker(t *testing.T) {
	l := newNumbers(false, func(int) bool { return true })
	fresh := func() search.Work {
		return worker.New(l, &l.Hello, worker.Options{Splitting: search.DefaultSplitting, First: true}, false)
	}
	s, _ := lb.TakeSamples(fresh, 1, false, rand.New(rand.NewPCG(1, 1)))
	if nodes, _, _ := s.Estimate(); nodes < 1 { // 0: the dives went on to parts without nodes
		t.Errorf("the estimate is %v nodes", nodes)
	}
}
