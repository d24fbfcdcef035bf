package reproduce

import "context"

// at is a place in a grid of schemes and numbers of ranks.
type at struct {
	column string
	p      int
}

// runCellSets runs many sets of cells side by side and returns their averages.
func (l *Lab) runCellSets(ctx context.Context, sets map[at][]Cell) (map[at]Average, error) {
	var all []Cell
	first := map[at]int{}
	for _, a := range sortedPlaces(sets) {
		first[a] = len(all)
		all = append(all, sets[a]...)
	}
	outcomes, err := l.RunCells(ctx, all)
	if err != nil {
		return nil, err
	}
	averages := map[at]Average{}
	for a, cells := range sets {
		averages[a] = averageOutcomes(outcomes[first[a] : first[a]+len(cells)])
	}
	return averages, nil
}
