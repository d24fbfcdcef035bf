// Clique finds a largest clique of a graph, that is, of vertices that are all joined to one
// another, by branch and bound. It is an example of a user's own optimisation problem, on
// goroutines and under MPI, under every scheme and with checkpoints. See docs/own-problem.md.
//
//	go run ./examples/clique -vertices 120 -density 0.6 -n 4 -scheme static+rp
//	go run ./examples/clique -graph brock200_2.clq
package main

import (
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"

	"treesplit/run"
	"treesplit/run/checkpoint"
	"treesplit/search"
	"treesplit/search/stack"
)

// part is a node: a clique, the vertices that its children can add, which are joined to all of
// the clique, and the largest possible size of a clique made of both.
type part struct {
	Clique, Rest set
	Most         int32
}

// tree is the data of one share: the graph, the value of the best known clique, and the best
// clique that the share has found itself. The search looks for the least value, so the value of a
// clique is minus its size.
type tree struct {
	graph graph
	bound int64
	found []int // or nil
}

// The tree: stack.Tree.

func (t *tree) Root() part { return part{Rest: t.graph.allVertices(), Most: int32(len(t.graph))} }

func (t *tree) Visit(n part) {
	if value := -int64(n.Clique.countVertices()); value < t.bound {
		t.bound, t.found = value, n.Clique.listVertices()
	}
}

// Children colours the remaining vertices greedily, so that no two vertices of one colour are
// joined: a clique has at most one vertex of each colour. A child adds one vertex and keeps the
// vertices coloured before it. So the number of its colour bounds the size of its cliques.
//
// All children are made here with their bounds, or none. A child without a better clique is
// detected when it is expanded, because a better clique may be known by then.
func (t *tree) Children(dst []part, n part) []part {
	if -int64(n.Most) >= t.bound {
		return dst
	}
	from, size := len(dst), int32(n.Clique.countVertices())
	var coloured set
	for colour := int32(1); n.Rest != (set{}); colour++ {
		for same := n.Rest; same != (set{}); {
			v := same.leastVertex()
			child := part{Clique: n.Clique, Rest: coloured.intersection(t.graph[v])}
			child.Clique.addVertex(v)
			child.Most = size + min(colour, 1+int32(child.Rest.countVertices()))
			dst = append(dst, child)
			coloured.addVertex(v)
			n.Rest.removeVertex(v)
			same.removeVertex(v)
			same = same.difference(t.graph[v])
		}
	}
	slices.Reverse(dst[from:]) // the greatest bound is expanded first
	return dst
}

func (t *tree) Check(n part) error {
	size, rest := n.Clique.countVertices(), n.Rest.countVertices()
	if !t.graph.isCliqueJoinedTo(n.Clique, n.Rest) || int(n.Most) < size || int(n.Most) > size+rest {
		return fmt.Errorf("%+v: not a clique of the graph and vertices joined to it", n)
	}
	return nil
}

// A share is a stack of nodes and a search.Optimiser.
type share struct {
	*stack.Share[part]
	tree *tree
}

func (s share) Bound() int64        { return s.tree.bound }
func (s share) Tighten(value int64) { s.tree.bound = min(s.tree.bound, value) }

// The problem, which all ranks have: run.Optimising and run.Savable.

type problem struct{ graph graph }

func (p problem) Encode() ([]byte, error)      { return json.Marshal(p.graph) }
func (p problem) Count(search.Work) run.Counts { return run.Counts{} }

func (p problem) Identity() string {
	data, _ := p.Encode()
	return fmt.Sprintf("clique %x", sha256.Sum256(data))
}

func (p problem) Share(split search.Splitting, root bool) search.Work {
	t := &tree{graph: p.graph, bound: search.NoBound}
	return share{stack.New(t, split, root), t}
}

// Witness returns the best clique that a share has found, whatever other shares have found.
func (p problem) Witness(w search.Work) []byte {
	found := w.(share).tree.found
	if found == nil {
		return nil
	}
	data, _ := json.Marshal(found)
	return data
}

// Value checks a witness and returns its value.
func (p problem) Value(witness []byte) (int64, error) {
	var list []int
	if err := json.Unmarshal(witness, &list); err != nil {
		return 0, err
	}
	var s set
	for _, v := range list {
		if v < 0 || v >= len(p.graph) {
			return 0, fmt.Errorf("vertex %d: expected 0 to %d", v, len(p.graph)-1)
		}
		s.addVertex(v)
	}
	if s.countVertices() != len(list) || !p.graph.isCliqueJoinedTo(s, set{}) {
		return 0, fmt.Errorf("%v is no clique", list)
	}
	return -int64(len(list)), nil
}

// input selects the graph; it is a run.Workload.
type input struct {
	file     string
	vertices int
	density  float64
	seed     uint64
}

func (in *input) Load() (run.Problem, error) {
	if in.file == "" {
		if in.vertices < 1 || in.vertices > most {
			return nil, fmt.Errorf("-vertices: %d: expected 1 to %d", in.vertices, most)
		}
		return problem{randomGraph(in.vertices, in.density, in.seed)}, nil
	}
	f, err := os.Open(in.file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	g, err := readGraph(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", in.file, err)
	}
	return problem{g}, nil
}

func (in *input) Decode(data []byte) (run.Problem, error) {
	var p problem
	return p, json.Unmarshal(data, &p.graph)
}

// printClique prints the clique that a run has found. A run that was stopped early may have missed
// a larger one. It has no clique if it was stopped before the first node.
func printClique(r *run.Result) error {
	if r.Witness == nil {
		fmt.Printf("no clique found yet\n%s", describeRun(r))
		return nil
	}
	var clique []int
	if err := json.Unmarshal(r.Witness, &clique); err != nil {
		return err
	}
	slices.Sort(clique)
	var names strings.Builder
	for _, v := range clique {
		fmt.Fprintf(&names, " %d", v+1)
	}
	fmt.Printf("clique of %d:%s\n%s", len(clique), &names, describeRun(r))
	return nil
}

// describeRun returns one line about a run.
func describeRun(r *run.Result) string {
	return fmt.Sprintf("%d nodes, %d ranks, %s, %s\n", r.Expanded, r.Ranks, r.Scheme, r.Reason)
}

func main() {
	in, plan := new(input), run.DefaultPlan(2)
	plan.Store = checkpoint.Files{} // without a Store there are no checkpoints
	flag.StringVar(&in.file, "graph", "", "DIMACS file; left out: a random graph")
	flag.IntVar(&in.vertices, "vertices", 100, "vertices of the random graph")
	flag.Float64Var(&in.density, "density", 0.5, "probability of each edge of the random graph")
	flag.Uint64Var(&in.seed, "seed", 1, "seed of the random graph")
	flag.IntVar(&plan.Ranks, "n", plan.Ranks, "goroutine ranks; under mpirun its -n counts")
	flag.StringVar(&plan.Scheme, "scheme", plan.Scheme, "load-balancing scheme")
	flag.DurationVar(&plan.Timeout, "timeout", 0, "end the search after this time")
	flag.StringVar(&plan.Checkpoint, "checkpoint", "", "file to save the search in when its time is up")
	flag.StringVar(&plan.Resume, "resume", "", "checkpoint to resume; auto: the file of -checkpoint if it is there")
	flag.BoolVar(&plan.Restart, "restart", false, "overwrite the checkpoint that is in the file of -checkpoint")
	flag.Parse()
	if err := run.Run(plan, in, run.Hooks{}, printClique); err != nil {
		fmt.Fprintln(os.Stderr, "clique:", err)
		os.Exit(1)
	}
}
