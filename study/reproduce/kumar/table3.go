package kumar

import (
	"context"

	"treesplit/study/figure"
	"treesplit/study/reproduce/lab"
	"treesplit/study/reproduce/printed"
)

// Table3 is Kumar et al., table 3: average speedups of the receiver-initiated schemes. RP's column
// was fitted, the others were not. docs/calibration.md describes how far the other columns are
// blind predictions.
func Table3(ctx context.Context, l *lab.Lab, k lab.Knobs) (figure.Section, error) {
	c, err := receiverInitiated(ctx, l, k)
	if err != nil {
		return figure.Section{}, err
	}
	return figure.Section{
		Title:  "Table 3: speedups of the receiver-initiated schemes",
		Tables: []figure.Table{c.errorTable("table3", "Average speedups on the simulated nCUBE/2 (Kumar et al., table 3)")},
		Text: []string{
			"An average speedup is the sum of the sequential times of all instances over the sum of the parallel ones. " + k.String() + ".",
			errorSummary("RP, fitted", c.relativeErrors("RP")),
			errorSummary("All other columns, not fitted", c.relativeErrors("ARR", "GRR-M", "NN", "GRR", "SB")),
		},
	}, nil
}

func receiverInitiated(ctx context.Context, l *lab.Lab, k lab.Knobs) (comparison, error) {
	paper, err := printed.Read("kumar-table3-speedups-receiver-initiated")
	if err != nil {
		return comparison{}, err
	}
	return runSpeedups(ctx, l, k, paper)
}

// Figure3 draws table 3, as efficiencies.
func Figure3(ctx context.Context, l *lab.Lab, k lab.Knobs) (figure.Section, error) {
	c, err := receiverInitiated(ctx, l, k)
	if err != nil {
		return figure.Section{}, err
	}
	return figure.Section{Title: "Figure 3: efficiencies of the receiver-initiated schemes", Figures: []figure.Figure{c.efficiencyFigure("fig3")}}, nil
}
