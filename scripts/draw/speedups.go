package main

import (
	"fmt"

	"treesplit/internal/svg"
	"treesplit/study/reproduce/lab"
)

// drawSpeedups draws table 3 of Kumar, Grama and Rao: ours beside the printed values. Speedups lie on one
// line up to 128 ranks, so that the picture shows efficiencies.
func drawSpeedups(data string, theme svg.Theme) ([]byte, error) {
	l, err := lab.Open(data)
	if err != nil {
		return nil, err
	}
	s, _, ok, err := l.KeptSection("fig3")
	if err != nil {
		return nil, err
	}
	if !ok || len(s.Figures) == 0 {
		return nil, fmt.Errorf("%s: no figure 3: expected the directory of treesplit reproduce fig3", data)
	}
	f := s.Figures[0]
	f.Title, f.X = "Table 3 of Kumar, Grama and Rao on the simulated nCUBE/2, all five instances", "P, number of ranks"
	return f.RenderTheme(theme), nil
}
