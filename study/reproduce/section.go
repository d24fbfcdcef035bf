package reproduce

import "treesplit/study/figure"

// What one experiment has to say: a table or figure of a paper, reproduced.
type (
	Section = figure.Section
	Table   = figure.Table
	Figure  = figure.Figure
	Curve   = figure.Curve
)
