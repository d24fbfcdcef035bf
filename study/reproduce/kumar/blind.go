package kumar

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"treesplit/study/reproduce/lab"
	"treesplit/study/reproduce/printed"
)

// meanProblem is the reading of table 4 as a mean over all instances. Other readings are the index of
// the instance that is the "specific problem" of section 8.
const meanProblem = -1

// StructureFit is a structure with the knobs that fit best.
type StructureFit struct {
	Structure Structure
	Knobs     lab.Knobs
	Problem   int // the reading of table 4: an instance, or meanProblem
	Score     float64
}

// String returns the fit as a line.
func (f StructureFit) String() string {
	problem := "the mean"
	if f.Problem != meanProblem {
		problem = f.Knobs.Instances[f.Problem].String()
	}
	return fmt.Sprintf("%.5f  %v: %v; table 4 is %s", f.Score, f.Structure, f.Knobs, problem)
}

// blindFit fits structures to the RP column of table 3 and to table 4, and to nothing else.
type blindFit struct {
	lab            *lab.Lab
	table3, table4 *printed.Table
	instances      []lab.Instance
	log            io.Writer
}

// The rows of the tables that the two stages use; the other rows are predictions.
var (
	screenRanks = []int{8, 32, 128}
	refineRanks = []int{8, 64, 512}
)

// FitStructures fits every structure, writes each better point to w, and returns the two best
// structures, the best first. docs/lab-notes.md describes the stages. The fit uses two of the
// instances of lab.Fitted; the result has all of them.
func FitStructures(ctx context.Context, l *lab.Lab, w io.Writer) ([]StructureFit, error) {
	b := blindFit{lab: l, log: w, instances: []lab.Instance{lab.Fitted.Instances[1], lab.Fitted.Instances[4]}}
	var err error
	if b.table3, err = printed.Read("kumar-table3-speedups-receiver-initiated"); err != nil {
		return nil, err
	}
	if b.table4, err = printed.Read("kumar-table4-work-requests"); err != nil {
		return nil, err
	}
	all, err := b.fitEach(ctx, Structures(), func(s Structure) (StructureFit, error) {
		return b.descend(ctx, s, s.StartKnobs(), screenRanks, 1, 8)
	})
	if err != nil {
		return nil, err
	}
	return b.refineBest(ctx, all[:2])
}

// refineBest is stage 2: smaller moves on more ranks, then δ of GRR-M.
func (b *blindFit) refineBest(ctx context.Context, best []StructureFit) ([]StructureFit, error) {
	knobs := map[Structure]lab.Knobs{}
	var structures []Structure
	for _, f := range best {
		knobs[f.Structure] = f.Knobs
		structures = append(structures, f.Structure)
	}
	return b.fitEach(ctx, structures, func(s Structure) (StructureFit, error) {
		f, err := b.descend(ctx, s, knobs[s], refineRanks, 0.5, 6)
		if err != nil {
			return f, err
		}
		return b.chooseDelay(ctx, f, refineRanks)
	})
}

// fitEach fits structures and returns the fits, the best first.
func (b *blindFit) fitEach(ctx context.Context, structures []Structure, fit func(Structure) (StructureFit, error)) ([]StructureFit, error) {
	var all []StructureFit
	for _, s := range structures {
		f, err := fit(s)
		if err != nil {
			return nil, err
		}
		fmt.Fprintln(b.log, "fitted:", f)
		all = append(all, f)
	}
	slices.SortStableFunc(all, func(f, g StructureFit) int { return cmp.Compare(f.Score, g.Score) })
	return all, ctx.Err()
}

// descend takes the first better move until no move is better or the given number of points was
// tried.
func (b *blindFit) descend(ctx context.Context, s Structure, k lab.Knobs, ranks []int, size float64, points int) (StructureFit, error) {
	k.Instances = b.instances
	best, err := b.tryPoint(ctx, s, k, ranks, "RP")
	if err != nil {
		return best, err
	}
	fmt.Fprintln(b.log, best)
	points--
	for improved := true; improved && points > 0; {
		improved = false
		for _, n := range s.Moves(best.Knobs, size) {
			if points--; points < 0 {
				break
			}
			f, err := b.tryPoint(ctx, s, n, ranks, "RP")
			if err != nil {
				return best, err
			}
			if f.Score < best.Score {
				best, improved = f, true
				fmt.Fprintln(b.log, best)
				break
			}
		}
	}
	return best, nil
}

// chooseDelay chooses δ by the requests of GRR-M.
func (b *blindFit) chooseDelay(ctx context.Context, f StructureFit, ranks []int) (StructureFit, error) {
	var best StructureFit
	for _, d := range []time.Duration{1000, 2000, 4000, 8000} {
		k := f.Knobs
		k.Delay = d * time.Microsecond
		g, err := b.tryPoint(ctx, f.Structure, k, ranks, "RP", "GRR-M")
		if err != nil {
			return best, err
		}
		if best.Score == 0 || g.Score < best.Score {
			best = g
		}
	}
	return best, nil
}

// tryPoint runs columns of table 4 and returns the score with the best reading of table 4.
func (b *blindFit) tryPoint(ctx context.Context, s Structure, k lab.Knobs, ranks []int, columns ...string) (StructureFit, error) {
	got, err := b.runColumns(ctx, k, ranks, columns)
	if err != nil {
		return StructureFit{}, err
	}
	best := StructureFit{Structure: s, Knobs: k, Score: math.Inf(1)}
	for problem := meanProblem; problem < len(k.Instances); problem++ {
		if score := residualScore(b.residuals(got, ranks, columns, problem)); score < best.Score {
			best.Score, best.Problem = score, problem
		}
	}
	return best, nil
}

// runColumns runs schemes on all instances and returns the outcomes in the order of the instances.
func (b *blindFit) runColumns(ctx context.Context, k lab.Knobs, ranks []int, columns []string) (map[lab.Place][]lab.Outcome, error) {
	m, err := k.NCube2Machine()
	if err != nil {
		return nil, err
	}
	var cells []lab.Cell
	for _, c := range columns {
		for _, p := range ranks {
			cells = append(cells, k.SchemeCells(m, schemeOf[c], p)...)
		}
	}
	outcomes, err := b.lab.RunCells(ctx, cells)
	if err != nil {
		return nil, err
	}
	got := map[lab.Place][]lab.Outcome{}
	for _, c := range columns {
		for _, p := range ranks {
			got[lab.At(c, p)], outcomes = outcomes[:len(k.Instances)], outcomes[len(k.Instances):]
		}
	}
	return got, nil
}

// residuals returns RP's speedups and the requests of the columns beside the printed values.
func (b *blindFit) residuals(got map[lab.Place][]lab.Outcome, ranks []int, columns []string, problem int) (all []residual) {
	for _, p := range ranks {
		paper, _ := b.table3.CellValue("RP", p)
		all = append(all, residual{"table 3", "RP", p, paper, lab.AverageOutcomes(got[lab.At("RP", p)]).Speedup()})
		for _, c := range columns {
			paper, _ := b.table4.CellValue(c, p)
			all = append(all, residual{"table 4", c, p, paper, problemRequests(got[lab.At(c, p)], problem)})
		}
	}
	return all
}

// problemRequests returns the requests of one instance, or of all in the mean.
func problemRequests(outcomes []lab.Outcome, problem int) float64 {
	if problem != meanProblem {
		outcomes = outcomes[problem : problem+1]
	}
	return lab.AverageOutcomes(outcomes).MeanRequests()
}
