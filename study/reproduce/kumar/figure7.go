package kumar

import (
	"context"
	"fmt"

	"treesplit/study/figure"
	"treesplit/study/reproduce/lab"
)

// damage is the number of alternatives nearest to the root that the damaged splitting function
// skips: its pieces are smaller by a factor of about 2^damage. The paper does not print how its
// function was damaged.
const damage = 5

// figure7Ranks are the numbers of ranks of figure 7. NN with the damaged function has efficiencies below
// 0.1 on more ranks, and its simulations take minutes there.
var figure7Ranks = []int{8, 16, 32, 64, 128, 256}

// runDamaged runs RP and NN with the normal and the damaged splitting function.
func runDamaged(ctx context.Context, l *lab.Lab, k lab.Knobs) (map[lab.Place]lab.Average, error) {
	m, err := k.NCube2Machine()
	if err != nil {
		return nil, err
	}
	sets := map[lab.Place][]lab.Cell{}
	for _, col := range []string{"RP", "NN"} {
		for _, p := range figure7Ranks {
			sets[lab.At(col, p)] = k.SchemeCells(m, schemeOf[col], p)
			cells := k.SchemeCells(m, schemeOf[col], p)
			for i := range cells {
				cells[i].Splitting.Skip = damage
			}
			sets[lab.At(col+" damaged", p)] = cells
		}
	}
	return l.RunCellSets(ctx, sets)
}

// Figure7 is Kumar et al., figure 7: RP and NN with a damaged splitting function.
func Figure7(ctx context.Context, l *lab.Lab, k lab.Knobs) (figure.Section, error) {
	got, err := runDamaged(ctx, l, k)
	if err != nil {
		return figure.Section{}, err
	}
	columns := []string{"RP", "NN", "RP damaged", "NN damaged"}
	t := figure.Table{Name: "fig7", Title: "Speedups", Spread: &figure.Spread{Keys: 1, Variable: "scheme", Value: "speedup"}, Head: append([]string{"P"}, columns...)}
	f := figure.Figure{Name: "fig7", Title: "Efficiencies with a damaged splitting function", X: "P", LogX: true}
	for _, p := range figure7Ranks {
		row := []string{fmt.Sprint(p)}
		for _, c := range columns {
			row = append(row, figure.FormatNumber(got[lab.At(c, p)].Speedup()))
		}
		t.AppendRow(row...)
	}
	for _, c := range columns {
		curve := figure.Curve{Name: c}
		for _, p := range figure7Ranks {
			curve.X, curve.Y = append(curve.X, float64(p)), append(curve.Y, got[lab.At(c, p)].Speedup())
		}
		f.Curves = append(f.Curves, curve)
	}
	return figure.Section{
		Title: "Figure 7: the damaged splitting function", Tables: []figure.Table{t}, Figures: []figure.Figure{f.DividedByX("efficiency = speedup / P")},
		Text: []string{fmt.Sprintf("Damaged: a donor passes over the %d alternatives nearest to the root and gives the next "+
			"one, a much smaller subtree. "+
			"The paper prints neither how its function was damaged nor the numbers; what it says is that "+
			"NN falls clearly below RP.", damage)},
	}, nil
}
