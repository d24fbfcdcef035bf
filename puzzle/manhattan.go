package puzzle

// Manhattan is the sum of the distances of the tiles from their homes (short name
// md). It serves boards of all sizes: of up to 16 cells in one word (packed.go),
// larger ones cell by cell (manhattan_engine.go).
type Manhattan struct{}

// String returns "md".
func (Manhattan) String() string { return "md" }

func (Manhattan) newEngine(start Board, g *grid) (engine, error) {
	if start.size.CellCount() <= 16 {
		return newPacked(start, g), nil
	}
	return newManhattanEngine(start, g), nil
}

// manhattan is the value of a board whose blank belongs first.
func manhattan(b Board) (h int) {
	for p := range b.size.CellCount() {
		if t := int(b.tiles[p]); t != 0 {
			h += b.size.cellDistance(p, t)
		}
	}
	return h
}
