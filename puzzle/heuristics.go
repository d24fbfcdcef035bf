package puzzle

import "fmt"

// HeuristicNames are the names that NewHeuristic knows.
var HeuristicNames = []string{"md", "wd", "pdb"}

// NewHeuristic returns the heuristic of a name for boards of a size: md Manhattan, wd
// Walking, pdb Patterns with the groups FiveFiveFive. It builds what tables they need,
// and fails on other names and on sizes that a heuristic does not serve.
func NewHeuristic(name string, size Size) (Heuristic, error) {
	switch name {
	case "md":
		return Manhattan{}, nil
	case "wd":
		return NewWalking(size)
	case "pdb":
		if size != (Size{4, 4}) {
			return nil, errPatternSize(size)
		}
		return NewPatterns(FiveFiveFive)
	}
	return nil, fmt.Errorf("unknown heuristic %q: expected md, wd or pdb", name)
}
