package kumar

import (
	"context"

	"treesplit/study/figure"
	"treesplit/study/reproduce/lab"
)

// BlindTables shows tables 3 to 5 with the structure and the costs of a fit, with all instances of
// lab.Fitted. All columns but RP are predictions, except the requests of GRR-M in table 4.
// docs/lab-notes.md has the protocol.
func BlindTables(ctx context.Context, l *lab.Lab, fit StructureFit) (figure.Section, error) {
	k := fit.Knobs
	k.Instances = lab.Fitted.Instances
	table3, err := receiverInitiated(ctx, l, k)
	if err != nil {
		return figure.Section{}, err
	}
	table4, err := runRequests(ctx, l, fit.problemKnobs(k))
	if err != nil {
		return figure.Section{}, err
	}
	table5, depth, err := runSenderSchemes(ctx, l, k)
	if err != nil {
		return figure.Section{}, err
	}
	return figure.Section{
		Title: "Tables 3 to 5 on the machine of the blind search",
		Tables: []figure.Table{
			table3.errorTable("blind-table3", "Average speedups (Kumar et al., table 3)"),
			table4.errorTable("blind-table4", "Work requests of one problem (Kumar et al., table 4)"),
			table5.errorTable("blind-table5", "Average speedups (Kumar et al., table 5)"),
			bestDepths("blind-table5-depths", table5, depth),
		},
		Text: []string{
			fit.String() + ".",
			errorSummary("Table 3, RP, fitted at P = 8, 32, 64, 128 and 512, with two of the five formulas", table3.relativeErrors("RP")),
			errorSummary("Table 4, fitted at the same P", table4.relativeErrors("GRR-M", "RP")),
			errorSummary("Table 3, all other columns, not fitted", table3.relativeErrors("ARR", "GRR-M", "NN", "GRR", "SB")),
			errorSummary("Table 5, SL and ML, not fitted", table5.relativeErrors("SL", "ML")),
		},
	}, nil
}

// problemKnobs returns the knobs with the problem of table 4 as their only instance, or with all
// instances if table 4 is read as a mean.
func (f StructureFit) problemKnobs(k lab.Knobs) lab.Knobs {
	if f.Problem != meanProblem {
		k.Instances = f.Knobs.Instances[f.Problem : f.Problem+1]
	}
	return k
}
