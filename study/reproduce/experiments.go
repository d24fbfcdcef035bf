package reproduce

import (
	"context"
	"fmt"
	"strings"

	"treesplit/study/figure"
	"treesplit/study/reproduce/kale"
	"treesplit/study/reproduce/kumar"
	"treesplit/study/reproduce/lab"
	"treesplit/study/reproduce/rings"
	"treesplit/study/reproduce/sanders"
)

// Experiment is one table or figure.
type Experiment struct {
	Name    string
	Help    string
	Paper   string
	Minutes string // about how many minutes it takes on two cores with nothing cached, measured once; "": not measured
	run     func(ctx context.Context, l *lab.Lab, k lab.Knobs) (figure.Section, error)
}

// The papers.
const (
	kumarPaper   = "Kumar, Grama, Rao"
	staticPaper  = "Sanders, static"
	shufflePaper = "Sanders, shuffle"
	gaoPaper     = "Gao, Rosenberg"
	kalePaper    = "Radhakrishnan, Brunner, Kalé"
)

// Experiments lists the experiments paper by paper, in the order of each paper: Kumar, Grama and
// Rao; Sanders, "Randomized Static Load Balancing for Tree-Shaped Computations"; Sanders, "Better
// Algorithms for Parallel Backtracking"; Gao and Rosenberg; Radhakrishnan, Brunner and Kalé.
var Experiments = []Experiment{
	{"table1", "isoefficiency of schemes on networks, fitted", kumarPaper, "1.0", kumar.Table1},
	{"table3", "speedups of the receiver-initiated schemes", kumarPaper, "0.3", kumar.Table3},
	{"table4", "work requests of GRR-M and RP", kumarPaper, "0.4", kumar.Table4},
	{"table5", "speedups of the sender-initiated schemes", kumarPaper, "0.3", kumar.Table5},
	{"informed", "ARR, SB and ML with readings that were chosen afterwards", kumarPaper, "0.6", kumar.Informed},
	{"fig3", "table 3 as curves", kumarPaper, "0.4", kumar.Figure3},
	{"fig4", "work requests against P log P and P log² P", kumarPaper, "0.4", kumar.Figure4},
	{"fig5", "table 5 as curves", kumarPaper, "0.3", kumar.Figure5},
	{"fig6", "isoefficiency lines of RP", kumarPaper, "0.1", kumar.Figure6},
	{"fig7", "the damaged splitting function", kumarPaper, "0.6", kumar.Figure7},
	{"section7", "work messages that grow with the work", kumarPaper, "0.1", kumar.Section7},
	{"appendixA", "the schemes on a mesh", kumarPaper, "0.3", kumar.AppendixA},
	{"appendixB", "how well stacks split", kumarPaper, "0.1", kumar.AppendixB},
	{"static-fig2", "exponents of the isoefficiency of static over σ", staticPaper, "0.1", sanders.StaticFigure2},
	{"static-load", "loads under static against theorems 2, 3 and 5", staticPaper, "0.1", sanders.StaticLoad},
	{"static-iso", "isoefficiency of static and RP over σ and distances", staticPaper, "0.8", sanders.StaticIso},
	{"static-clusters", "polling within clusters after a static start, on a mesh", staticPaper, "0.9", sanders.StaticClusters},
	{"static-crossover", "where static beats every dynamic scheme", staticPaper, "1.5", sanders.StaticCrossover},
	{"shuffle-growth", "poll and shuffle: T_seq/n + O(h) fitted, and RP's O(h log n)", shufflePaper, "1.5", sanders.ShuffleGrowth},
	{"shuffle-phase", "poll and shuffle: the length of phases", shufflePaper, "1.4", sanders.ShufflePhase},
	{"shuffle-trigger", "poll and shuffle: triggers and permutations", shufflePaper, "0.7", sanders.ShuffleTrigger},
	{"shuffle-network", "where poll and shuffle overtakes RP: networks, hops, ranks", shufflePaper, "2.0", sanders.ShuffleNetwork},
	{"shuffle-contention", "poll and shuffle and RP while messages wait for links", shufflePaper, "0.6", sanders.ShuffleContention},
	{"shuffle-adversary", "poll and shuffle on combs", shufflePaper, "0.6", sanders.ShuffleAdversary},
	{"shuffle-figure3", "poll and shuffle on the tree of figure 3", shufflePaper, "", sanders.ShuffleFigure3},
	{"ring-table1", "KS-BF: where the tasks of a tree run on a ring", gaoPaper, "0.1", rings.Table1},
	{"ring-bounds", "KS-BF: the theorems' times and loads beside what was measured", gaoPaper, "0.1", rings.Bounds},
	{"ring-baselines", "KS-BF and other schemes on the same ring", gaoPaper, "0.1", rings.Baselines},
	{"mapping-table1", "mapping: efficiency of the strategies", kalePaper, "", kale.Table1},
	{"mapping-figure1", "mapping: communication for each processor", kalePaper, "", kale.Figure1},
	{"mapping-figure2", "mapping: the best makespan over the nodes searched", kalePaper, "", kale.Figure2},
}

// Table3OnRanks measures table 3 on paced real ranks, with the fitted knobs.
func Table3OnRanks(ctx context.Context, l *lab.Lab, e kumar.Emulation) (figure.Section, error) {
	return kumar.Table3OnRanks(ctx, l, lab.Fitted, e)
}

// FindExperiments returns the experiments with the given names, or all experiments for "all".
func FindExperiments(names []string) ([]Experiment, error) {
	if len(names) == 1 && names[0] == "all" {
		return Experiments, nil
	}
	var found []Experiment
	for _, name := range names {
		e, ok := findExperiment(name)
		if !ok {
			return nil, fmt.Errorf("unknown experiment %q: expected all or some of %s", name, strings.Join(ExperimentNames(), ", "))
		}
		found = append(found, e)
	}
	return found, nil
}

func findExperiment(name string) (Experiment, bool) {
	for _, e := range Experiments {
		if e.Name == name {
			return e, true
		}
	}
	return Experiment{}, false
}

// ExperimentNames returns the names of the experiments.
func ExperimentNames() []string {
	var names []string
	for _, e := range Experiments {
		names = append(names, e.Name)
	}
	return names
}

// RunFitted runs an experiment with the fitted knobs.
func (e Experiment) RunFitted(ctx context.Context, l *lab.Lab) (figure.Section, error) {
	s, err := e.run(ctx, l, lab.Fitted)
	s.Name = e.Name
	return s, err
}
