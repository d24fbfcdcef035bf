package puzzle

// Result is what SolveSequentially has found.
type Result struct {
	Path       []Move // a shortest solution
	Iterations []Iteration
	// Total is the sum over the iterations.
	Total Counts
	// Korf is the number of nodes generated as Korf counts them: the root once, and
	// none of the last iteration after the solution, not even siblings of nodes on
	// its path. With Options.All it counts the whole last iteration.
	Korf int64
}

// SolutionLength is the length of the shortest solutions.
func (r Result) SolutionLength() int { return len(r.Path) }

// SolveSequentially searches iteration by iteration on this rank alone. Options.Root is implied.
func (p *Problem) SolveSequentially(opt Options) (Result, error) {
	opt.Root = true
	for all := p.Iterations(); ; {
		s, err := p.NewSearch(all.Bound(), opt)
		if err != nil {
			return Result{}, err
		}
		for !s.Empty() && !s.Decided() {
			s.Expand(maxBatch)
		}
		if !all.FinishIteration(s.Counts()) {
			continue
		}
		r := Result{Path: s.SolutionPath(), Iterations: all.FinishedIterations(), Total: all.TotalCounts()}
		r.Korf = r.Total.Generated + 1
		if !opt.All {
			r.Korf -= p.countLaterSiblings(s.path)
		}
		return r, nil
	}
}

// countLaterSiblings is how many children the nodes on a path of the start have that come after
// the path's own.
func (p *Problem) countLaterSiblings(path []Move) (n int64) {
	blank, last := p.start.blankCell(), noMove
	for _, m := range path {
		legal := p.grid.legal[blank][last]
		n += int64((legal >> (m + 1)).countMoves())
		blank, last = int(p.grid.to[blank][m]), m
	}
	return n
}
