package lab

import "context"

// Place is a place in a grid whose columns are schemes and whose rows are numbers of ranks.
type Place struct {
	Column string
	P      int // ranks
}

// At returns the place in a column at a number of ranks.
func At(column string, ranks int) Place { return Place{column, ranks} }

// RunCellSets runs several sets of cells at the same time and returns their averages.
func (l *Lab) RunCellSets(ctx context.Context, sets map[Place][]Cell) (map[Place]Average, error) {
	var all []Cell
	first := map[Place]int{}
	for _, a := range sortedPlaces(sets) {
		first[a] = len(all)
		all = append(all, sets[a]...)
	}
	outcomes, err := l.RunCells(ctx, all)
	if err != nil {
		return nil, err
	}
	averages := map[Place]Average{}
	for a, cells := range sets {
		averages[a] = AverageOutcomes(outcomes[first[a] : first[a]+len(cells)])
	}
	return averages, nil
}
