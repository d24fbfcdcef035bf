package sanders

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"treesplit/search/model"
	"treesplit/sim"
	"treesplit/study/reproduce/lab"
)

// The experiments on poll and shuffle (Sanders, "Better Algorithms for Parallel Backtracking"). The
// paper prints no measurements. docs/poll-and-shuffle.md has the results of these experiments.

// The default work of poll and shuffle: pieces that split 20 to 80, in atoms of 8 nodes. The
// sequential time of a rank's part is 0.1 s on the nCUBE/2. This is a few times the overhead, which
// the experiments measure.
const (
	shuffleNodes = 2000 // W/P
	shuffleSigma = 0.3
	shuffleGrain = 8
)

// contender is a scheme with its options on a machine, which is run with one or several seeds.
type contender struct {
	machine sim.Machine
	p       int
	scheme  string
	tuning  lab.Tuning

	nodes int64    // W/P; 0: shuffleNodes
	sigma float64  // of halvings
	grain int64    // 0: shuffleGrain
	comb  lab.Comb // instead of halvings
	thorn int      // thorns of each branch of a model.Thorny; 0: no such tree
	tree  lab.Cell // instead of both, if it has an Instance or a UTS
	seeds int      // 0: 3 for up to 1024 ranks, otherwise 1
}

// pollingContender returns random polling on the default work. shufflingContender returns poll and
// shuffle with the phases of sim.Machine.PhaseLength.
func pollingContender(m sim.Machine, p int) contender {
	return contender{machine: m, p: p, scheme: "rp", sigma: shuffleSigma}
}

func shufflingContender(m sim.Machine, p int) contender {
	c := pollingContender(m, p)
	c.scheme = "shuffle"
	return c
}

// allDimensions makes poll and shuffle go through all dimensions of a network of which the paper
// leaves some dimensions out.
func (c contender) allDimensions() contender {
	c.tuning.Network = "hypercube"
	return c
}

// withPhase sets the length of a phase.
func (c contender) withPhase(d time.Duration) contender {
	c.tuning.Phase = d
	return c
}

// halvingWork returns the work of a contender for a seed.
func (c contender) halvingWork(seed uint64) model.Halving {
	return model.Halving{
		Nodes: cmp.Or(c.nodes, shuffleNodes) * int64(c.p), Law: model.TwoPoint, Sigma: c.sigma,
		Grain: cmp.Or(c.grain, shuffleGrain), Seed: seed,
	}
}

// thornyWork returns the tree of figure 3 with one branch for every two ranks.
func (c contender) thornyWork() lab.Thorny {
	return lab.Thorny{Branches: c.p / 2, Thorns: c.thorn, Crown: 2*cmp.Or(c.nodes, shuffleNodes) - int64(c.thorn)}
}

// splitHeight returns h: the largest number of consecutive splits from the whole to an atom. Under
// the two-point law it hardly depends on the seed.
func (c contender) splitHeight() (int, error) {
	b, err := model.NewBinary(c.halvingWork(1), true)
	if err != nil {
		return 0, err
	}
	return b.SplitHeight(), nil
}

// seedCells returns the runs of a contender, one for each seed.
func (c contender) seedCells() []lab.Cell {
	seeds := c.seeds
	if seeds == 0 {
		seeds = 1
		if c.p <= 1024 {
			seeds = 3
		}
	}
	cells := make([]lab.Cell, seeds)
	for i := range cells {
		cell := c.tree
		cell.Machine, cell.P, cell.Scheme, cell.Termination = c.machine, c.p, c.scheme, "tree"
		cell.Seed, cell.Delay, cell.Tuning = uint64(i+1), lab.Fitted.Delay, c.tuning
		switch {
		case c.comb.Teeth > 0:
			cell.Comb = c.comb
		case c.thorn > 0:
			cell.Thorny = c.thornyWork()
		case c.tree == lab.Cell{}:
			cell.Halving = c.halvingWork(cell.Seed)
		}
		cells[i] = cell
	}
	return cells
}

// runAverages runs contenders, those with the most ranks first, and returns the averages over their
// seeds.
func runAverages(ctx context.Context, l *lab.Lab, all []contender) ([]lab.Average, error) {
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(all[b].p, all[a].p) })
	var cells []lab.Cell
	from := make([]int, len(all))
	for _, i := range order {
		from[i] = len(cells)
		cells = append(cells, all[i].seedCells()...)
	}
	outcomes, err := l.RunCells(ctx, cells)
	if err != nil {
		return nil, err
	}
	averages := make([]lab.Average, len(all))
	for i, c := range all {
		averages[i] = lab.AverageOutcomes(outcomes[from[i] : from[i]+len(c.seedCells())])
	}
	return averages, nil
}

// formatFraction writes an efficiency, or another number of that size.
func formatFraction(e float64) string { return fmt.Sprintf("%.3f", e) }

// builtinMachine returns the machine of a name, one of sim.Builtin, unchanged.
func builtinMachine(name string) (sim.Machine, error) { return sim.FindMachine(name) }
