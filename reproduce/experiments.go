package reproduce

import (
	"context"
	"fmt"
	"strings"
)

// Experiment is one table or figure.
type Experiment struct {
	Name string
	Help string
	run  func(ctx context.Context, l *Lab, k Knobs) (Section, error)
}

// Experiments lists them paper by paper, in the order of each: Kumar, Grama and Rao;
// Sanders, "Randomized Static Load Balancing for Tree-Shaped Computations"; Sanders,
// "Better Algorithms for Parallel Backtracking"; Gao and Rosenberg; Radhakrishnan, Brunner
// and Kalé.
var Experiments = []Experiment{
	{"table1", "isoefficiency of schemes on networks, fitted", table1},
	{"table3", "speedups of the receiver-initiated schemes", table3},
	{"table4", "work requests of GRR-M and RP", table4},
	{"table5", "speedups of the sender-initiated schemes", table5},
	{"fig3", "table 3 as curves", figure3},
	{"fig4", "work requests against P log P and P log² P", figure4},
	{"fig5", "table 5 as curves", figure5},
	{"fig6", "isoefficiency lines of RP", figure6},
	{"fig7", "the damaged splitting function", figure7},
	{"section7", "work messages that grow with the work", section7},
	{"appendixA", "the schemes on a mesh", appendixA},
	{"appendixB", "how well stacks split", appendixB},
	{"static-fig2", "exponents of the isoefficiency of static over σ", staticFigure2},
	{"static-load", "loads under static against theorems 2, 3 and 5", staticLoad},
	{"static-iso", "isoefficiency of static and RP over σ and distances", staticIso},
	{"static-clusters", "polling within clusters after a static start, on a mesh", staticClusters},
	{"static-crossover", "where static beats every dynamic scheme", staticCrossover},
	{"shuffle-growth", "poll and shuffle: T_seq/n + O(h) fitted, and RP's O(h log n)", shuffleGrowth},
	{"shuffle-phase", "poll and shuffle: the length of phases", shufflePhase},
	{"shuffle-trigger", "poll and shuffle: triggers and permutations", shuffleTrigger},
	{"shuffle-network", "where poll and shuffle overtakes RP: networks, hops, ranks", shuffleNetwork},
	{"shuffle-adversary", "poll and shuffle on combs", shuffleAdversary},
	{"ring-table1", "KS-BF: where the tasks of a tree run on a ring", ringTable1},
	{"ring-bounds", "KS-BF: the theorems' times and loads beside what was measured", ringBounds},
	{"ring-baselines", "KS-BF and other schemes on the same ring", ringBaselines},
	{"mapping-table1", "mapping: efficiency of the strategies", mappingTable1},
	{"mapping-figure1", "mapping: communication for each processor", mappingFigure1},
	{"mapping-figure2", "mapping: the best makespan over the nodes searched", mappingFigure2},
}

// Find returns the experiments of the given names; all of them for "all" or none.
func Find(names []string) ([]Experiment, error) {
	if len(names) == 0 || len(names) == 1 && names[0] == "all" {
		return Experiments, nil
	}
	var found []Experiment
	for _, name := range names {
		e, ok := find(name)
		if !ok {
			return nil, fmt.Errorf("unknown experiment %q: expected all or some of %s", name, strings.Join(Names(), ", "))
		}
		found = append(found, e)
	}
	return found, nil
}

func find(name string) (Experiment, bool) {
	for _, e := range Experiments {
		if e.Name == name {
			return e, true
		}
	}
	return Experiment{}, false
}

// Names lists the experiments.
func Names() []string {
	var names []string
	for _, e := range Experiments {
		names = append(names, e.Name)
	}
	return names
}

// Run makes an experiment with the fitted knobs.
func (e Experiment) Run(ctx context.Context, l *Lab) (Section, error) {
	s, err := e.run(ctx, l, Fitted)
	s.Name = e.Name
	return s, err
}
