package predict

import (
	"cmp"
	"math"
	"slices"

	"treesplit/run"
	"treesplit/sim"
)

// One simulation is one run among many possible ones. A real machine never repeats a run exactly, and
// some schemes react to small differences: on 64 ranks that emulate slow processors, times of nodes
// that differ by 0.1 % change the simulated time of sb from 31.7 to 37.1 s, although sb draws no random
// numbers. A prediction is therefore the median of several simulations.

// nodeSpread is the largest relative difference between the time of a node in a simulation and the
// machine's. It is below the error of a measured time, and changes the time of a steady scheme by no more.
const nodeSpread = 0.005

// simulateRuns simulates several runs of a scheme, and returns the one with the median time (of the two
// in the middle the faster one), with the range of the times. The times of a node differ by up to
// nodeSpread; the first run has the machine's own. All runs have the seed of the plan, which is also the
// seed of the real run: it places the parts of static schemes. If a simulation is given up, no further
// one starts.
func (s *simulator) simulateRuns(m sim.Machine, w run.Workload, scheme string, ranks int) (Cell, error) {
	cells := make([]Cell, 0, s.Runs)
	for i := range max(s.Runs, 1) {
		c, err := s.simulateOn(m.ScaleNodes(differ(i)), s.Plan, w, scheme, ranks)
		if err != nil {
			return Cell{}, err
		}
		if c.GivenUp {
			s.wanted.Add(int64(i + 1 - s.Runs))
			return c, nil
		}
		cells = append(cells, c)
	}
	slices.SortStableFunc(cells, func(a, b Cell) int { return cmp.Compare(a.Seconds, b.Seconds) })
	last := len(cells) - 1
	median := cells[last/2]
	if last > 0 {
		median.Least, median.Most = cells[0].Seconds, cells[last].Seconds
	}
	return median, nil
}

// differ returns the factor of the time of a node in a run: 1 in run 0, then evenly distributed within
// nodeSpread around 1 (multiples of the golden ratio, modulo 1), as often above as below.
func differ(i int) float64 {
	if i == 0 {
		return 1
	}
	_, part := math.Modf(float64((i+1)/2) / math.Phi)
	if i%2 == 0 {
		part = -part
	}
	return 1 + nodeSpread*part
}
