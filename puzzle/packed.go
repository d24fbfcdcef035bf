package puzzle

// packed is the engine of Manhattan distance for boards of up to 16 cells. A board is one word,
// with cell c in bits 4c … 4c+3. So a move is one addition. The tile alone determines whether a
// move brings it nearer to its home, so pruned children are never made. Both ideas extend ideas
// of Burns, Hatem, Leighton and Ruml ("Implementing fast heuristic search code", SoCS 2012).
type packed struct {
	grid   *grid
	steps  *steps
	root   int // the estimate of the root
	solved uint64
	nodes  []uint64 // by depth
}

// steps gives the effect of each move, by cell of the blank and move.
type steps [16][4]step

// step is one move of the blank from one cell to another: the effect on the tile that slides the
// other way.
type step struct {
	shift uint       // bit position of the tile in the word
	delta [16]uint64 // by tile: the number added to the board
	near  [16]uint8  // by tile: 1 if it moves nearer to its home, 0 if it moves away
	home  bool       // the blank moves to its goal cell
	index uint8      // of the bucket that has boards after the move (pool.go)
	// vertical and after are for walker: whether rows change, and where in walk.next
	// the entries of the move are.
	vertical bool
	after    int
}

// newSteps makes the table of a size of up to 16 cells.
func newSteps(size Size, g *grid) *steps {
	all := new(steps)
	for from := range size.CellCount() {
		for rest := g.legal[from][noMove]; rest != 0; rest &= rest - 1 {
			m := rest.firstMove()
			to := int(g.to[from][m])
			s := &all[from][m]
			s.shift, s.home, s.index = uint(4*to), to == 0, bucketIndex(to, m)
			s.vertical, s.after = m == Up || m == Down, int(m>>1)*4
			for t := range size.CellCount() {
				s.delta[t] = uint64(t)<<(4*from) - uint64(t)<<(4*to)
				if t != 0 && size.cellDistance(from, t) < size.cellDistance(to, t) {
					s.near[t] = 1
				}
			}
		}
	}
	return all
}

// packBoard puts a board into a word.
func packBoard(b Board) (word uint64) {
	for p := range b.size.CellCount() {
		word |= uint64(b.tiles[p]) << (4 * p)
	}
	return word
}

func newPacked(start Board, g *grid) *packed {
	return &packed{
		grid:   g,
		steps:  newSteps(start.size, g),
		root:   manhattan(start),
		solved: packBoard(SolvedBoard(start.size, BlankFirst)),
		nodes:  []uint64{packBoard(start)},
	}
}

func (e *packed) rootEstimate() int { return e.root }

func (e *packed) reserveDepth(depth int) {
	e.nodes = append(make([]uint64, 0, depth+1), e.nodes[0])[:depth+1]
}

func (e *packed) unprunedMoves(depth, blank, slack int, legal moves) (open, goals moves) {
	board := e.nodes[depth]
	for ; legal != 0; legal &= legal - 1 {
		m := legal.firstMove()
		s := &e.steps[blank&15][m&3]
		tile := board >> (s.shift & 63) & 15
		switch {
		case slack+int(s.near[tile]) < 1:
		case s.home && board+s.delta[tile] == e.solved:
			goals |= 1 << m
		default:
			open |= 1 << m
		}
	}
	return open, goals
}

func (e *packed) enterChild(depth, blank, slack int, m Move) int {
	board := e.nodes[depth]
	s := &e.steps[blank&15][m&3]
	tile := board >> (s.shift & 63) & 15
	e.nodes[depth+1] = board + s.delta[tile]
	return slack - 1 + int(s.near[tile])
}

// newBulk returns a pool of boards.
func (e *packed) newBulk(limit int) bulk {
	return &packedPool{engine: e, pool: newPool[uint64](e.grid, e.steps, e, limit)}
}

// packedPool is the bulk of a packed engine.
type packedPool struct {
	engine *packed
	pool   *pool[uint64]
}

func (p *packedPool) addSubtree(depth, blank int, last Move, slack int) {
	p.pool.addNode(p.engine.nodes[depth], blank, last, slack)
}

func (p *packedPool) searchSubtrees(c *Counts) { p.pool.drainNodes(c) }

// expandLevel is the inner loop of the program if children that move away are pruned. It has no branch
// that depends on the boards: each child is written, and then counted or not.
func (e *packed) expandLevel(s *step, in, same []uint64) (n int) {
	shift, same := s.shift&63, same[:len(in)]
	for _, board := range in {
		tile := board >> shift & 15
		same[n] = board + s.delta[tile]
		n += int(s.near[tile])
	}
	return n
}

// sortChildren is the inner loop where both kinds of children are kept.
func (e *packed) sortChildren(s *step, in, same, less []uint64) (n int) {
	shift, same, less := s.shift&63, same[:len(in)], less[:len(in)]
	for i, board := range in {
		tile := board >> shift & 15
		child := board + s.delta[tile]
		same[n], less[i-n] = child, child
		n += int(s.near[tile])
	}
	return n
}

// moveUnsolved moves the boards that are not solved to the front.
func (e *packed) moveUnsolved(in []uint64) (n int) {
	for _, board := range in {
		in[n] = board
		if board != e.solved {
			n++
		}
	}
	return n
}
