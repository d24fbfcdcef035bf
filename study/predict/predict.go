package predict

// Prediction is the prediction for a tree.
type Prediction struct {
	Machine string `json:"machine"`
	Tree    Tree   `json:"tree"`
	Cells   []Cell `json:"predictions"` // the cells of a scheme are adjacent
	// Recommended is the recommended scheme; see bestScheme.
	Recommended string `json:"recommended"`
	// LeftOut are the schemes that cut off subtasks. A model has no subtasks.
	LeftOut []string `json:"leftOut,omitempty"`
	// Isoefficiency is the curve of the best of the other schemes.
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
	p := &Prediction{Machine: o.Machine.Name, Tree: t, Cells: cells, Recommended: bestScheme(cells, o.Ranks)}
	for _, scheme := range o.Schemes {
		if !schemeFits(scheme, t.Kind) {
			p.LeftOut = append(p.LeftOut, scheme)
		}
	}
	if o.Efficiency == 0 {
		return p, nil
	}
	var splitting []Cell // the cells of schemes that a model supports
	for _, c := range cells {
		if schemeFits(c.Scheme, Model) {
			splitting = append(splitting, c)
		}
	}
	if scheme := bestScheme(splitting, o.Ranks); scheme != "" {
		p.Isoefficiency, err = s.isoefficiency(t, p.CellsOfScheme(scheme))
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
