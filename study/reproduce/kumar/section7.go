package kumar

import (
	"context"
	"fmt"

	"treesplit/internal/parallel"
	"treesplit/sim"
	"treesplit/study/figure"
	"treesplit/study/reproduce/lab"
)

// variableCost measures the isoefficiency of schemes with work messages of a fixed size and with
// messages that grow like √w.
func variableCost(ctx context.Context, l *lab.Lab, k lab.Knobs, schemes []string) (map[string]lab.Growth, error) {
	m, err := k.NCube2Machine()
	if err != nil {
		return nil, err
	}
	growing := m
	growing.Work = sim.WorkSize{Rule: sim.Sqrt, Bytes: lab.GrowingBytes}
	all, err := parallel.SideBySide(ctx, l.Workers, 2*len(schemes), func(ctx context.Context, i int) (lab.Growth, error) {
		if i%2 == 0 {
			return schemeGrowth(ctx, l, k, m, schemeOf[schemes[i/2]])
		}
		return schemeGrowth(ctx, l, k, growing, schemeOf[schemes[i/2]])
	})
	if err != nil {
		return nil, err
	}
	results := map[string]lab.Growth{}
	for i, s := range schemes {
		results[s], results[s+" √w"] = all[2*i], all[2*i+1]
	}
	return results, nil
}

// Section7 is Kumar et al., section 7: work messages whose size grows with the work that they
// carry.
func Section7(ctx context.Context, l *lab.Lab, k lab.Knobs) (figure.Section, error) {
	schemes := []string{"GRR", "GRR-M", "RP"}
	results, err := variableCost(ctx, l, k, schemes)
	if err != nil {
		return figure.Section{}, err
	}
	t := figure.Table{Name: "section7", Title: "Problem size W at efficiency 0.7", Spread: &figure.Spread{Keys: 1, Variable: "scheme", Value: "W"}, Head: []string{"P"}}
	for _, s := range schemes {
		t.Head = append(t.Head, s, s+" √w")
	}
	for i, p := range table1Ranks {
		row := []string{fmt.Sprint(p)}
		for _, s := range schemes {
			for _, name := range []string{s, s + " √w"} {
				if sizes := results[name].Sizes; i < len(sizes) && sizes[i] > 0 {
					row = append(row, fmt.Sprintf("%.0f", sizes[i]))
				} else {
					row = append(row, "–")
				}
			}
		}
		t.AppendRow(row...)
	}
	s := figure.Section{
		Title: "Section 7: work messages that grow with the work", Tables: []figure.Table{t},
		Text: []string{fmt.Sprintf("A work message of w nodes has 500 bytes, or %d·√w of them. The exponents of P are fitted over all P of the table.", lab.GrowingBytes)},
	}
	for _, c := range schemes {
		s.Text = append(s.Text, fmt.Sprintf("%s: P^%.2f, with growing messages P^%.2f.", c, results[c].Exponent, results[c+" √w"].Exponent))
	}
	return s, nil
}
