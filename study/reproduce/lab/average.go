package lab

import "time"

// Average is the outcome of a scheme on p ranks over all instances or seeds. Its speedup is
// computed as by Kumar et al.: cumulative sequential time divided by cumulative parallel time.
type Average struct {
	Outcome     // sums over the runs
	Runs    int // at least 1
}

// AverageOutcomes combines the outcomes of runs on the same number of ranks.
func AverageOutcomes(outcomes []Outcome) Average {
	a := Average{Runs: len(outcomes)}
	for _, o := range outcomes {
		a.Nodes += o.Nodes
		a.Again += o.Again
		a.T1 += o.T1
		a.TP += o.TP
		a.Requests += o.Requests
		a.Grants += o.Grants
		a.Messages += o.Messages
		a.Moves += o.Moves
		a.Events += o.Events
	}
	return a
}

// MeanRequests returns the mean number of work requests of a run.
func (a Average) MeanRequests() float64 { return float64(a.Requests) / float64(a.Runs) }

// Efficiency returns the speedup divided by p, the number of ranks: 0 to 1.
func (a Average) Efficiency(p int) float64 { return a.Speedup() / float64(p) }

// OverheadMillis returns T_par − T_seq/p on p ranks, in milliseconds: the mean over the runs.
func (a Average) OverheadMillis(p int) float64 {
	return (float64(a.TP) - float64(a.T1)/float64(p)) / float64(a.Runs) / float64(time.Millisecond)
}

// ShufflesPerRun returns the number of shuffles of a run. In a shuffle each of p ranks sends a
// Move, except the few ranks that a permutation maps to themselves.
func (a Average) ShufflesPerRun(p int) float64 {
	return float64(a.Moves) / float64(a.Runs) / float64(p)
}

// MessagesPerRank returns the number of messages that one of p ranks sends in a run.
func (a Average) MessagesPerRank(p int) float64 {
	return float64(a.Messages) / float64(a.Runs) / float64(p)
}
