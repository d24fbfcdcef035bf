package puzzle

import "fmt"

// HeuristicNames are the names that NewHeuristic knows.
var HeuristicNames = []string{"md", "wd", "pdb", "pdb78"}

// NewHeuristic returns the heuristic of a name for boards of a size: md Manhattan, wd
// Walking, and Patterns for the names that PatternGroups knows. It builds what tables
// they need, which takes minutes for pdb78, and fails on other names and on sizes that a
// heuristic does not serve.
func NewHeuristic(name string, size Size) (Heuristic, error) {
	switch name {
	case "md":
		return Manhattan{}, nil
	case "wd":
		return NewWalking(size)
	}
	groups, err := PatternGroups(name, size)
	if err != nil {
		return nil, err
	}
	return NewPatterns(groups)
}

// PatternGroups returns the groups of tiles that the pattern databases of a name have:
// FiveFiveFive for pdb, SevenEight for pdb78. It fails on other names and on sizes that
// they do not serve.
func PatternGroups(name string, size Size) ([][]uint8, error) {
	var groups [][]uint8
	switch name {
	case "pdb":
		groups = FiveFiveFive
	case "pdb78":
		groups = SevenEight
	case "md", "wd":
		return nil, fmt.Errorf("%s has no pattern databases: expected pdb or pdb78", name)
	default:
		return nil, fmt.Errorf("unknown heuristic %q: expected md, wd, pdb or pdb78", name)
	}
	if size != (Size{4, 4}) {
		return nil, errPatternSize(size)
	}
	return groups, nil
}
