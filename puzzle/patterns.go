package puzzle

import (
	"fmt"
	"slices"
)

// Patterns is the additive pattern database heuristic of Korf and Felner ("Disjoint pattern
// database heuristics", Artificial Intelligence 134, 2002; short name pdb) for boards of 4x4. The
// tiles are divided into groups. For each group a table has the number of moves of its own tiles
// that bring them home from any placement, if all other tiles are alike. These numbers add up.
// The board mirrored along its diagonal has the same distance, so the larger of the two sums
// counts.
//
// A sum changes by an odd number with each move. The change may exceed 1, because a table does
// not store the place of the blank.
//
// A Patterns does not change. It searches nothing in bulk.
type Patterns struct {
	tables []*patternTable
	// group is the table that has a tile, shift where the tile's cell is in the key.
	group, shift [16]uint8
}

// FiveFiveFive parts the tiles into three groups of five, whose tables take 3 MB and
// less than a second to build. Of three such partitions that were tried it is the one
// that generates the fewest nodes on Korf's 100 instances: 93 million; one that cuts
// the board into two rows of blocks above a strip (1 2 3 6 7, 4 5 8 9 12, the rest)
// generates 373 million, and Manhattan distance 36,303 million.
var FiveFiveFive = [][]uint8{{1, 2, 3, 4, 5}, {6, 7, 10, 11, 15}, {8, 9, 12, 13, 14}}

// SevenEight is the partition of Korf and Felner: tables of 577 MB, to be built once
// and kept in a file.
var SevenEight = [][]uint8{{1, 2, 3, 4, 5, 6, 7}, {8, 9, 10, 11, 12, 13, 14, 15}}

const (
	maxGroups = 3 // of a Patterns
	maxGroup  = 8 // tiles of a group
)

// NewPatterns builds the tables of up to 3 groups of up to 8 tiles. Each of the tiles 1
// to 15 must be in one of them. A group of 8 tiles takes minutes and 4 GB.
func NewPatterns(groups [][]uint8) (*Patterns, error) {
	p, err := newEmptyPatterns(groups)
	if err != nil {
		return nil, err
	}
	for _, tiles := range groups {
		p.tables = append(p.tables, newPatternTable(tiles))
	}
	return p, nil
}

// newEmptyPatterns is a Patterns of such groups that is yet to get its tables.
func newEmptyPatterns(groups [][]uint8) (*Patterns, error) {
	if len(groups) > maxGroups {
		return nil, fmt.Errorf("%d groups: expected up to %d", len(groups), maxGroups)
	}
	p := new(Patterns)
	var all []uint8
	for i, tiles := range groups {
		if len(tiles) == 0 || len(tiles) > maxGroup {
			return nil, fmt.Errorf("a group of %d tiles: expected 1 to %d", len(tiles), maxGroup)
		}
		for j, t := range tiles {
			p.group[t&15], p.shift[t&15] = uint8(i), uint8(4*j)
		}
		all = append(all, tiles...)
	}
	slices.Sort(all)
	if !slices.Equal(all, []uint8{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}) {
		return nil, fmt.Errorf("the groups have the tiles %v: expected each of 1 to 15 once", all)
	}
	return p, nil
}

// TileGroups are the groups that the tiles are parted into; they are not to be changed.
func (p *Patterns) TileGroups() (groups [][]uint8) {
	for _, t := range p.tables {
		groups = append(groups, t.tiles)
	}
	return groups
}

// String returns "pdb".
func (*Patterns) String() string { return "pdb" }

func (p *Patterns) newEngine(start Board, g *grid) (engine, error) {
	if start.size != (Size{4, 4}) {
		return nil, errPatternSize(start.size)
	}
	return newPatternEngine(p, start, g), nil
}

func errPatternSize(size Size) error {
	return fmt.Errorf("pattern databases on a board of size %v: expected 4x4", size)
}
