package rings

import (
	"context"
	"fmt"

	"treesplit/internal/parallel"
	"treesplit/ksbf"
	"treesplit/study/figure"
	"treesplit/study/reproduce/lab"
)

// computation is a computation on which the schemes on a ring are compared.
type computation struct {
	name string
	work ksbf.Workload
}

// computations returns the computations of the comparison. The quadrature's tolerance limits its
// number of levels. The random tree, which is a large one of its kind, is limited to 256 levels.
func computations() ([]computation, error) {
	root, err := ksbf.FindFunction("sqrt")
	return []computation{
		{"complete tree, n = 17", ksbf.Complete{N: 17}},
		{"bad tree, capped, 40 levels, weight 4", ksbf.Bad{Family: "capped", Levels: 40, Weight: 4}},
		{"bad tree, capped, 30 levels, weight 6", ksbf.Bad{Family: "capped", Levels: 30, Weight: 6}},
		{"bad tree, chained, 40 levels, weight 4", ksbf.Bad{Family: "chained", Levels: 40, Weight: 4}},
		{"quadrature of √x on [0,1]", ksbf.Quadrature{Function: root, From: 0, To: 1, Tolerance: 1e-14, Resolution: 1e-10}},
		{"random tree", ksbf.Random{Binary: 0.5, Levels: ksbf.MaxLevels, Seed: 1970}},
		{"grid, n = 500", ksbf.Grid{N: 500}},
	}, err
}

// pollingSeeds is the number of seeds over which the time of a scheme with random donors is
// averaged.
const pollingSeeds = 5

// schemeSpeed is the result of one scheme on one computation.
type schemeSpeed struct {
	refused bool // the scheme refuses the computation
	tasks   int64
	speedup float64 // tasks divided by mean steps
}

// measureSpeeds simulates every scheme on every computation. The results are ordered by numbers of
// ranks, then computations, then schemes.
func measureSpeeds(ctx context.Context, l *lab.Lab, runs []computation, ranks []int) ([]schemeSpeed, error) {
	schemes := ksbf.SchemeNames()
	return parallel.SideBySide(ctx, l.Workers, len(ranks)*len(runs)*len(schemes), func(_ context.Context, i int) (r schemeSpeed, err error) {
		scheme, work := schemes[i%len(schemes)], runs[i/len(schemes)%len(runs)].work
		if work.Joins() && scheme == "ks-load" {
			return schemeSpeed{refused: true}, nil
		}
		seeds := 1
		if scheme == "rp" {
			seeds = pollingSeeds
		}
		steps := 0.0
		for seed := range uint64(seeds) {
			s, err := ksbf.Simulate(scheme, work, ranks[i/len(schemes)/len(runs)], ksbf.Options{Seed: seed})
			if err != nil {
				return r, err
			}
			r.tasks = s.Tally.Nodes
			steps += float64(s.Time) / float64(seeds)
		}
		r.speedup = float64(r.tasks) / steps
		return r, nil
	})
}

// Baselines compares KS-BF with other schemes on the same ring.
func Baselines(ctx context.Context, l *lab.Lab, _ lab.Knobs) (figure.Section, error) {
	runs, err := computations()
	if err != nil {
		return figure.Section{}, err
	}
	ranks := []int{16, 64}
	speeds, err := measureSpeeds(ctx, l, runs, ranks)
	if err != nil {
		return figure.Section{}, err
	}
	s := figure.Section{Title: "Rings: KS-BF and other schemes, speedup in steps", Text: []string{
		"speedup: tasks over steps. " +
			"In a step every rank executes a task and a link carries one task under KS-BF, KS with a " +
			"load test and diffusion; a message of NN and RP takes a step a hop, whatever it carries. " +
			"KS with a load test passes a right child on only to a rank with fewer tasks. " +
			"Under diffusion, NN and RP a rank executes its deepest task first and gives its shallowest " +
			"away.",
		fmt.Sprintf("RP is the mean of %d seeds. A load test would part the halves of a grid's tasks, so there is none.", pollingSeeds),
	}}
	for i, p := range ranks {
		t := figure.Table{Name: fmt.Sprintf("ring-baselines-%d", p), Title: fmt.Sprintf("%d ranks", p), Spread: &figure.Spread{Keys: 2, Variable: "scheme", Value: "speedup"}, Head: []string{
			"computation", "tasks", "KS-BF", "KS, load test", "diffusion", "NN, half", "RP, shallowest"}}
		for j, run := range runs {
			cells := speeds[(i*len(runs)+j)*(len(t.Head)-2):][:len(t.Head)-2]
			row := []string{run.name, fmt.Sprint(cells[0].tasks)}
			for _, c := range cells {
				if c.refused {
					row = append(row, "–")
				} else {
					row = append(row, fmt.Sprintf("%.1f", c.speedup))
				}
			}
			t.AppendRow(row...)
		}
		s.Tables = append(s.Tables, t)
	}
	return s, nil
}
