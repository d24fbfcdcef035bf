package reproduce

import "context"

// kumarTable3 is Kumar et al., table 3: average speedups of the receiver-initiated
// schemes. RP's column was fitted, the others were not (docs/calibration.md says how
// blind they are).
func kumarTable3(ctx context.Context, l *Lab, k Knobs) (Section, error) {
	c, err := l.receiverInitiated(ctx, k)
	if err != nil {
		return Section{}, err
	}
	return Section{
		Title:  "Table 3: speedups of the receiver-initiated schemes",
		Tables: []Table{c.errorTable("table3", "Average speedups on the simulated nCUBE/2 (Kumar et al., table 3)")},
		Text: []string{
			"An average speedup is the sum of the sequential times of all instances over the sum of the parallel ones. " + k.String() + ".",
			errorSummary("RP, fitted", c.relativeErrors("RP")),
			errorSummary("All other columns, not fitted", c.relativeErrors("ARR", "GRR-M", "NN", "GRR", "SB")),
		},
	}, nil
}

func (l *Lab) receiverInitiated(ctx context.Context, k Knobs) (comparison, error) {
	paper, err := readPrinted("kumar-table3-speedups-receiver-initiated")
	if err != nil {
		return comparison{}, err
	}
	return l.runSpeedups(ctx, k, paper)
}

// kumarFigure3 draws table 3, as efficiencies.
func kumarFigure3(ctx context.Context, l *Lab, k Knobs) (Section, error) {
	c, err := l.receiverInitiated(ctx, k)
	if err != nil {
		return Section{}, err
	}
	return Section{Title: "Figure 3: efficiencies of the receiver-initiated schemes", Figures: []Figure{c.efficiencyFigure("fig3")}}, nil
}
