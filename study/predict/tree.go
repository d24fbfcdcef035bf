package predict

import (
	"fmt"
	"runtime"
	"time"

	"treesplit/internal/cputime"
	"treesplit/run"
	"treesplit/search"
	"treesplit/search/model"
	"treesplit/search/replay"
	"treesplit/sim"
)

// Tree is the tree that simulations search.
type Tree struct {
	// Kind is "recorded" (the tree itself, at a few nanoseconds per node), "timed" (the same, with the
	// measured time of each node), "live" (the search itself), or "model" (work with the same number of
	// nodes that is halved at random).
	Kind  string `json:"kind"`
	Nodes int64  `json:"nodes"`

	workload run.Workload // nil for a model
	parts    int          // number of nodes of the workload per node of the search
}

// The kinds of Tree.
const (
	Recorded = "recorded"
	Timed    = "timed"
	Live     = "live"
	Model    = "model"
)

// liveTime is the longest time of a live search, which is repeated for each cell.
const liveTime = 3 * time.Second

// largestModel limits the nodes of a model, so that sums of times stay far from overflow.
const largestModel = 1e15

// NewModel returns a tree of the given number of nodes, about which nothing else is known.
func NewModel(nodes int64) (Tree, error) {
	if nodes < 1 || nodes > largestModel {
		return Tree{}, run.InputError{Err: fmt.Errorf("--nodes: %d: expected 1 to %.0e", nodes, largestModel)}
	}
	return Tree{Kind: Model, Nodes: nodes, parts: 1}, nil
}

// halvingWorkload returns the workload of a model whose halves have the deviation sigma.
func halvingWorkload(nodes int64, sigma float64) run.Workload {
	return run.Made(func(_ search.Splitting, root bool) search.Work {
		b, err := model.NewBinary(model.Halving{Nodes: nodes, Sigma: sigma, Law: model.Beta, Seed: 1}, root)
		if err != nil {
			panic(err) // the number of nodes is within the limits
		}
		return b
	})
}

// ExamineTree searches a workload's tree once, for at most the given time, and decides how
// simulations search it. For a tree that takes longer it returns an InputError that names the
// remedy. halt ends the search with ErrInterrupted.
func ExamineTree(w run.Workload, m sim.Machine, split search.Splitting, most time.Duration, halt func() bool) (Tree, error) {
	problem, err := w.Load()
	if err != nil {
		return Tree{}, run.InputError{Err: err}
	}
	if _, ok := problem.(run.Protocol); ok {
		return Tree{}, run.InputError{Err: fmt.Errorf("the search has its own scheme: expected a search of a tree")}
	}
	start := time.Now()
	ends := func() bool { return halt() || time.Since(start) > most }
	timed, nodes, decided, whole := walkTimed(problem, split, ends)
	if timed == nil {
		nodes, decided, whole = walkProblem(problem, split, ends)
	}
	switch {
	case halt():
		return Tree{}, ErrInterrupted
	case !whole:
		return Tree{}, run.InputError{Err: fmt.Errorf("the tree has more than %d nodes, which took %v: "+
			"expected --nodes with their number, to predict for a model of it, or a larger --look", nodes, most)}
	}
	if shape, ok := run.KnownShape(problem); ok && !decided && nodes <= replay.MaxNodes {
		tree, err := replay.RecordTree(shape, replay.MaxNodes)
		if err != nil {
			return Tree{}, err
		}
		return Tree{Kind: Recorded, Nodes: nodes, workload: replayWorkload(tree), parts: 1}, nil
	}
	if timed != nil && !decided && len(timed) <= mostTimed && nodes <= mostCounted {
		tree, parts, err := replay.RecordTimedTree(timed, mostParts(m), 2*mostCounted)
		if err != nil {
			return Tree{}, err
		}
		return Tree{Kind: Timed, Nodes: nodes, workload: replayWorkload(tree), parts: parts}, nil
	}
	if time.Since(start) > liveTime {
		return NewModel(nodes)
	}
	return Tree{Kind: Live, Nodes: nodes, workload: run.Loaded{Problem: problem}, parts: 1}, nil
}

// replayWorkload returns the workload of a recorded tree.
func replayWorkload(tree *replay.Tree) run.Workload {
	return run.Made(func(split search.Splitting, root bool) search.Work { return tree.Share(split, root) })
}

// A tree is recorded with the times of its nodes up to mostTimed of these nodes and up to mostCounted counted
// nodes. It then takes at most 3.2 GB, and up to 0.6 GB more while it is recorded.
const (
	mostTimed   = 1 << 23
	mostCounted = 1 << 27
)

// mostParts returns the largest number of parts of a node on a machine. A part takes at least a nanosecond.
func mostParts(m sim.Machine) int { return int(max(m.NodeCostPicos(1)/1000, 1)) }

// walkTimed is walkProblem for a problem that can measure the times of its nodes, and returns them. timed is nil
// for another problem, and has at most mostTimed + 1 nodes. nodes, decided and whole are as for walkProblem, and
// nodes has the nodes before a halt. The search stays on one thread, whose processor time is measured.
func walkTimed(problem run.Problem, split search.Splitting, halt func() bool) (timed []search.TimedNode, nodes int64, decided, whole bool) {
	p, ok := problem.(run.Timed)
	if !ok {
		return nil, 0, false, false
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	share := problem.Share(split, true)
	walk := p.TimedNodes(share, func() int64 { return int64(cputime.Now()) }, halt)
	if walk == nil {
		return nil, 0, false, false
	}
	timed = make([]search.TimedNode, 0, 1<<10)
	for n := range walk {
		nodes += n.Count
		if len(timed) <= mostTimed {
			timed = append(timed, n)
		}
	}
	decider, _ := search.As[search.Decider](share)
	decided = decider != nil && decider.Decided()
	return timed, nodes, decided, decided || share.Empty()
}

// walkProblem searches a problem on one rank until the search is over or halted. nodes is the number of expanded
// nodes; decided reports whether a solution ended the search, and whole whether it was not halted.
func walkProblem(problem run.Problem, split search.Splitting, halt func() bool) (nodes int64, decided, whole bool) {
	for problem != nil {
		share := problem.Share(split, true)
		decider, _ := search.As[search.Decider](share)
		for !share.Empty() && !decided {
			if halt() {
				return nodes, false, false
			}
			nodes += int64(share.Expand(1 << 14))
			decided = decider != nil && decider.Decided()
		}
		i, ok := problem.(run.Iterated)
		if !ok {
			break
		}
		problem, decided = i.Next(problem.Count(share)), false
	}
	return nodes, decided, true
}
