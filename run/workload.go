package run

import (
	"time"

	"treesplit/comm"
	"treesplit/lb"
	"treesplit/search"
	"treesplit/sim"
)

// Workload loads the problem of a run.
type Workload interface {
	// Load reads the problem; it is called once, on rank 0.
	Load() (Problem, error)
	// Decode reads what Encode wrote, on the other ranks of an MPI run.
	Decode(data []byte) (Problem, error)
}

// LongLoading is a Workload that prepares the search when it loads it.
type LongLoading interface {
	Workload
	// LoadFor is Load, for a run.
	LoadFor(l Loading) (Problem, error)
}

// Loading is what a LongLoading can learn of the run. Its functions may be nil.
type Loading struct {
	// Halted reports whether the run must end early. Preparations must then be short; to end in
	// order, the run needs a Problem. It is nil if the run saves checkpoints or resumes one: all runs
	// of a search need the preparations of a run that was not halted.
	Halted func() bool
	// Resumed returns the Identity of the checkpoint that the run resumes, or "". What the
	// preparations would choose is in it. An unreadable checkpoint is an error of the run later.
	Resumed func() string
	// Helpers can take part in the preparations of a Helping. It is nil if there are none.
	Helpers Helpers
}

// newLoading returns the Loading of a run, without helpers.
func newLoading(p Plan, h Hooks) Loading {
	l, begun := Loading{Resumed: p.resumedIdentity}, time.Now()
	if p.Checkpoint == "" && p.Resume == "" {
		l.Halted = func() bool {
			return h.Interrupted != nil && h.Interrupted() || p.Timeout > 0 && time.Since(begun) >= p.Timeout
		}
	}
	return l
}

// loadProblem loads the problem of a run.
func loadProblem(w Workload, l Loading) (Problem, error) {
	if long, ok := w.(LongLoading); ok {
		return long.LoadFor(l)
	}
	return w.Load()
}

// resumedIdentity returns the Identity of the checkpoint that the run resumes, or "".
func (p Plan) resumedIdentity() string {
	if p.Resume == "" {
		return ""
	}
	file, err := p.resumedFile()
	if err != nil || file == "" {
		return ""
	}
	c, _, err := p.Store.Load(file)
	if err != nil {
		return ""
	}
	return c.Identity
}

// Problem is a search. A run does not change it, and many ranks use it at once.
type Problem interface {
	// Encode writes the problem for ranks in other processes.
	Encode() ([]byte, error)
	// Share returns a new share: the whole tree if root is set, and otherwise an empty share.
	Share(split search.Splitting, root bool) search.Work
	// Count returns the counts of a share.
	Count(w search.Work) Counts
	// Witness returns the witness of a share, encoded for rank 0, or nil. For a search.Optimiser
	// it is the best solution that this share has found; see Optimising.
	Witness(w search.Work) []byte
}

// Protocol is a Problem that balances the load itself. It replaces the plan's scheme and
// detector.
type Protocol interface {
	Problem
	// Names returns the names of its scheme and its detector, for the Result.
	Names() (scheme, termination string)
	// Rank makes one rank. end returns, at the end, the counts of that rank and its witness,
	// encoded for rank 0, or nil.
	Rank() (b lb.Balancer, end func() (Counts, []byte))
}

// Settled is a Problem that depends on the world in which it runs. It must not be Iterated.
type Settled interface {
	Problem
	// On returns the problem as this rank of a real world runs it. All ranks call it before the
	// run.
	On(t comm.Transport) (Problem, error)
	// OnMachine returns the problem as a simulated machine runs it.
	OnMachine(m sim.Machine) Problem
}

// Begun is a Problem a part of which was searched while it was loaded. Its first share continues this part.
type Begun interface {
	Problem
	// Afresh returns the problem from its beginning.
	Afresh() Problem
}

// Sized is a Problem that may know the number of nodes of its tree. It must not be Iterated.
type Sized interface {
	Problem
	Nodes() (n int64, known bool)
}

// Counts are the numbers that a workload gathers besides W. The workload defines their meaning.
type Counts struct {
	Sums   []int64 // the sum over all shares counts
	Maxima []int64 // the largest value over all shares counts
}

// NamedCounts are counts whose names are known only during the search.
type NamedCounts struct {
	Sums   map[string]int64 `json:"sums,omitempty"`   // the sum over all shares counts
	Maxima map[string]int64 `json:"maxima,omitempty"` // the largest value over all shares counts
}

// NamedCounting is a Problem whose shares have counts with names, besides its other counts.
type NamedCounting interface {
	Problem
	// CountNamed returns the counts with names of a share.
	CountNamed(w search.Work) NamedCounts
}

// addCounts joins the counts of two shares.
func (c *Counts) addCounts(d Counts) {
	if c.Sums == nil && c.Maxima == nil {
		c.Sums, c.Maxima = make([]int64, len(d.Sums)), make([]int64, len(d.Maxima))
	}
	for i, n := range d.Sums {
		c.Sums[i] += n
	}
	for i, n := range d.Maxima {
		c.Maxima[i] = max(c.Maxima[i], n)
	}
}

// Loaded is a Workload whose problem is already loaded.
type Loaded struct{ Problem }

// Load returns the problem.
func (l Loaded) Load() (Problem, error) { return l.Problem, nil }

// Decode returns the problem, which every process has already.
func (l Loaded) Decode([]byte) (Problem, error) { return l.Problem, nil }
