package predict

// Prediction is the prediction for a tree.
type Prediction struct {
	Machine string `json:"machine"`
	Tree    Tree   `json:"tree"`
	Runs    int    `json:"runs"`        // the number of simulations of which a cell is the median
	Cells   []Cell `json:"predictions"` // the cells of a scheme are adjacent
	// Recommended is the recommended scheme; see bestScheme.
	Recommended string `json:"recommended"`
	// Isoefficiency is the curve of the recommended scheme.
	Isoefficiency *Isoefficiency `json:"isoefficiency,omitempty"`
}

// Run makes the predictions. Most of its time goes into the simulations: on average a microsecond
// for each message and each quantum.
func Run(t Tree, o Options) (*Prediction, error) {
	s := &simulator{Options: o}
	cells, err := s.simulateGrid(t)
	if err != nil {
		return nil, err
	}
	p := &Prediction{Machine: o.Machine.Name, Tree: t, Runs: o.Runs, Cells: cells, Recommended: bestScheme(cells, o.Ranks)}
	if o.Efficiency > 0 && p.Recommended != "" {
		p.Isoefficiency, err = s.isoefficiency(t, p.CellsOfScheme(p.Recommended))
	}
	return p, err
}

// CellsOfScheme returns the cells of a scheme, by ranks.
func (p *Prediction) CellsOfScheme(scheme string) (cells []Cell) {
	for _, c := range p.Cells {
		if c.Scheme == scheme {
			cells = append(cells, c)
		}
	}
	return cells
}
