package sweep

import "time"

// estimate guesses how long the runs that are left will take, from those that were made: a
// run on P real ranks is supposed to take one P-th of the time, up to the number of cores;
// a simulated one takes the same on any.
type estimate struct {
	cores      int
	start      time.Time
	made, rest float64 // in sequential runs
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

// finishRun takes a run off the rest.
func (e *estimate) finishRun(r Run) {
	e.made += e.relativeCost(r)
	e.rest -= e.relativeCost(r)
}

// remainingTime is the time left, or 0 while nothing is known.
func (e *estimate) remainingTime() time.Duration {
	if e.made == 0 {
		return 0
	}
	return time.Duration(float64(time.Since(e.start)) * e.rest / e.made).Round(time.Second)
}
