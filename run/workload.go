package run

import (
	"treesplit/comm"
	"treesplit/lb"
	"treesplit/search"
	"treesplit/sim"
)

// Workload brings a problem into a run.
type Workload interface {
	// Load reads the problem; it is called once, on rank 0.
	Load() (Problem, error)
	// Decode reads what Encode wrote, on the other ranks of an MPI run.
	Decode(data []byte) (Problem, error)
}

// Problem is a search to be made. It is not changed by a run and is used by many
// ranks at once.
type Problem interface {
	// Encode writes the problem for ranks in other processes.
	Encode() ([]byte, error)
	// Share returns a new share: the whole tree, if root is set, or an empty one.
	Share(split search.Splitting, root bool) search.Work
	// Count returns what a share has counted.
	Count(w search.Work) Counts
	// Witness returns what a share has found, encoded for rank 0, or nil. Of shares that are
	// search.Optimisers it is the best solution that this share has found; see Optimising.
	Witness(w search.Work) []byte
}

// Protocol is a Problem that brings its own way to balance the load, in place of the
// plan's scheme and detector.
type Protocol interface {
	Problem
	// Names are what a Result calls that way: its scheme and its detector.
	Names() (scheme, termination string)
	// Rank makes one rank of it, and what returns, in the end, what that rank has counted
	// and found, encoded for rank 0, or nil.
	Rank() (b lb.Balancer, end func() (Counts, []byte))
}

// Settled is a Problem that has something to learn of the world that it runs in.
type Settled interface {
	Problem
	// On returns the problem as this rank of a real world is to run it. All ranks call it
	// before the run.
	On(t comm.Transport) (Problem, error)
	// OnMachine returns the problem as a simulated machine is to run it.
	OnMachine(m sim.Machine) Problem
}

// Sized is a Problem, and not an Iterated one, that may know how many nodes its tree has.
type Sized interface {
	Problem
	Nodes() (n int64, known bool)
}

// Counts are the numbers that a workload gathers besides W; what they mean is
// the workload's affair.
type Counts struct {
	Sums   []int64 // to be added over all shares
	Maxima []int64 // of which the largest counts
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

// Loaded is the workload of a problem that is there.
type Loaded struct{ Problem }

// Load returns the problem.
func (l Loaded) Load() (Problem, error) { return l.Problem, nil }

// Decode returns the problem, which is every process's own.
func (l Loaded) Decode([]byte) (Problem, error) { return l.Problem, nil }
