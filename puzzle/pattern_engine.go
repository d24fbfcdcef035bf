package puzzle

// patternEngine is the engine of pattern databases.
type patternEngine struct {
	patterns *Patterns
	grid     *grid
	steps    *steps
	solved   uint64
	nodes    []patternNode // by depth
}

// patternNode is a board with the sums of the board and of its mirror image.
type patternNode struct {
	board uint64
	sides [2]patternSide
}

// patternSide has the key of each group's placement, its distance, and the sum of the distances.
type patternSide struct {
	keys     [maxGroups]key
	distance [maxGroups]uint8
	sum      uint8
}

// mirroredCell returns the cell to which a cell of a 4x4 board moves when rows become columns. It
// maps the numbers of tiles in the same way.
func mirroredCell(cell int) int { return cell%4*4 + cell/4 }

func newPatternEngine(p *Patterns, start Board, g *grid) *patternEngine {
	root := patternNode{board: packBoard(start)}
	for cell := range 16 {
		if tile := int(start.tiles[cell]); tile != 0 {
			root.sides[0].placeTile(p, tile, cell)
			root.sides[1].placeTile(p, mirroredCell(tile), mirroredCell(cell))
		}
	}
	for i := range root.sides {
		s := &root.sides[i]
		for group, t := range p.tables {
			s.distance[group] = t.distanceAt(s.keys[group])
			s.sum += s.distance[group]
		}
	}
	return &patternEngine{p, g, newSteps(start.size, g), packBoard(SolvedBoard(start.size, BlankFirst)), []patternNode{root}}
}

// placeTile adds a tile to the keys.
func (s *patternSide) placeTile(p *Patterns, tile, cell int) {
	s.keys[p.group[tile]] |= key(cell) << p.shift[tile]
}

// keyAfterMove returns the key of a tile's group after the tile has moved, and the sum.
func (s *patternSide) keyAfterMove(p *Patterns, tile, from, to int) (group uint8, k key, distance uint8, sum int) {
	group = p.group[tile&15]
	k = s.keys[group] ^ key(from^to)<<(p.shift[tile&15]&31)
	distance = p.tables[group].distanceAt(k)
	return group, k, distance, int(s.sum) - int(s.distance[group]) + int(distance)
}

// largerSum returns the larger sum of a node.
func (n *patternNode) largerSum() int { return int(max(n.sides[0].sum, n.sides[1].sum)) }

func (e *patternEngine) rootEstimate() int { return e.nodes[0].largerSum() }

func (e *patternEngine) reserveDepth(depth int) {
	e.nodes = append(make([]patternNode, 0, depth+1), e.nodes[0])[:depth+1]
}

func (e *patternEngine) unprunedMoves(depth, blank, slack int, legal moves) (open, goals moves) {
	n := &e.nodes[depth]
	left := 2*slack - 1 + n.largerSum() // the largest estimate that the child may have
	for ; legal != 0; legal &= legal - 1 {
		m := legal.firstMove()
		s := &e.steps[blank&15][m&3]
		tile, from := int(n.board>>(s.shift&63)&15), int(s.shift/4)
		if _, _, _, sum := n.sides[0].keyAfterMove(e.patterns, tile, from, blank); sum > left {
			continue
		}
		if _, _, _, sum := n.sides[1].keyAfterMove(e.patterns, mirroredCell(tile), mirroredCell(from), mirroredCell(blank)); sum > left {
			continue
		}
		if n.board+s.delta[tile] == e.solved {
			goals |= 1 << m
		} else {
			open |= 1 << m
		}
	}
	return open, goals
}

func (e *patternEngine) enterChild(depth, blank, slack int, m Move) int {
	n, child := &e.nodes[depth], &e.nodes[depth+1]
	s := &e.steps[blank&15][m&3]
	tile, from := int(n.board>>(s.shift&63)&15), int(s.shift/4)
	*child = *n
	child.board += s.delta[tile]
	child.sides[0].applyMove(e.patterns, tile, from, blank)
	child.sides[1].applyMove(e.patterns, mirroredCell(tile), mirroredCell(from), mirroredCell(blank))
	return slack + (n.largerSum()-child.largerSum()-1)/2
}

// applyMove moves a tile.
func (s *patternSide) applyMove(p *Patterns, tile, from, to int) {
	group, k, distance, sum := s.keyAfterMove(p, tile, from, to)
	s.keys[group], s.distance[group], s.sum = k, distance, uint8(sum)
}
