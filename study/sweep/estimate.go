package sweep

import "time"

// estimate estimates the time of the remaining runs from the times of earlier runs. It assumes that
// a run on P real ranks takes 1/P of the time, up to the number of cores, and that a simulated run
// takes the same time on any number of ranks.
type estimate struct {
	cores      int
	start      time.Time
	made, rest float64 // in units of sequential runs
}

func newEstimate(runs []Run, cores int) *estimate {
	e := &estimate{cores: cores, start: time.Now()}
	for _, r := range runs {
		e.rest += e.relativeCost(r)
	}
	return e
}

func (e *estimate) relativeCost(r Run) float64 {
	switch r.World {
	case WorldLocal:
		return 1 / float64(min(r.Ranks, max(1, e.cores)))
	case WorldMPI: // on any number of hosts
		return 1 / float64(r.Ranks)
	}
	return 1
}

// finishRun subtracts a run from the rest.
func (e *estimate) finishRun(r Run) {
	e.made += e.relativeCost(r)
	e.rest -= e.relativeCost(r)
}

// remainingTime returns the remaining time, or 0 while no time is known.
func (e *estimate) remainingTime() time.Duration {
	if e.made == 0 {
		return 0
	}
	return time.Duration(float64(time.Since(e.start)) * e.rest / e.made).Round(time.Second)
}
