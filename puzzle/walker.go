package puzzle

// walker is the engine of walking distance: a packed board and the numbers of its two
// patterns.
type walker struct {
	walking *Walking
	grid    *grid
	steps   *steps
	solved  uint64
	root    int
	nodes   []walkNode // by depth
	// homes is the row in which a tile belongs, and the column.
	homes [2][16]uint8
}

// walkNode is a board whose patterns have the numbers rows/2 and cols/2: entries of
// walk.next.
type walkNode struct {
	board      uint64
	rows, cols uint16
}

func newWalker(w *Walking, start Board, g *grid) *walker {
	rows, cols := w.patternNumbers(start)
	e := &walker{
		walking: w,
		grid:    g,
		steps:   newSteps(start.size, g),
		solved:  packBoard(SolvedBoard(start.size, BlankFirst)),
		root:    int(w.rows.distance[rows]) + int(w.cols.distance[cols]),
		nodes:   []walkNode{{packBoard(start), 2 * rows, 2 * cols}},
	}
	for t := range start.size.CellCount() {
		e.homes[0][t], e.homes[1][t] = uint8(t/start.size.Cols), uint8(t%start.size.Cols)
	}
	return e
}

func (e *walker) rootEstimate() int { return e.root }

func (e *walker) reserveDepth(depth int) {
	e.nodes = append(make([]walkNode, 0, depth+1), e.nodes[0])[:depth+1]
}

func (e *walker) unprunedMoves(depth, blank, slack int, legal moves) (open, goals moves) {
	for ; legal != 0; legal &= legal - 1 {
		m := legal.firstMove()
		child, near := e.makeChild(e.nodes[depth], blank, m)
		switch {
		case slack+near < 1:
		case child.board == e.solved:
			goals |= 1 << m
		default:
			open |= 1 << m
		}
	}
	return open, goals
}

func (e *walker) enterChild(depth, blank, slack int, m Move) int {
	child, near := e.makeChild(e.nodes[depth], blank, m)
	e.nodes[depth+1] = child
	return slack - 1 + near
}

// makeChild makes the child by a move; near is 1 if it is nearer to the goal, else 0.
func (e *walker) makeChild(n walkNode, blank int, m Move) (child walkNode, near int) {
	s := &e.steps[blank&15][m&3]
	tile := n.board >> (s.shift & 63) & 15
	n.board += s.delta[tile]
	if m == Up || m == Down {
		n.rows = e.walking.rows.next[moveEntryOffset(n.rows, m)+int(e.homes[0][tile])]
		return n, int(n.rows & 1)
	}
	n.cols = e.walking.cols.next[moveEntryOffset(n.cols, m)+int(e.homes[1][tile])]
	return n, int(n.cols & 1)
}

// moveEntryOffset is where the entries of walk.next for a move begin: those of Up and Left, and
// then those of Down and Right.
func moveEntryOffset(entry uint16, m Move) int { return int(entry&^1)*4 + int(m>>1)*4 }

// newBulk returns a pool of boards.
func (e *walker) newBulk(limit int) bulk {
	return &walkPool{engine: e, pool: newPool[walkNode](e.grid, e.steps, e, limit)}
}

// walkPool is the bulk of a walker.
type walkPool struct {
	engine *walker
	pool   *pool[walkNode]
}

func (p *walkPool) addSubtree(depth, blank int, last Move, slack int) {
	p.pool.addNode(p.engine.nodes[depth], blank, last, slack)
}

func (p *walkPool) searchSubtrees(c *Counts) { p.pool.drainNodes(c) }

// expandLevel and sortChildren are the inner loops, with one function for rows and one for
// columns. They are like the inner loops of packed.
func (e *walker) expandLevel(s *step, in, same []walkNode) (n int) {
	if s.vertical {
		return levelRowMoves(s, e.walking.rows.next, &e.homes[0], in, same)
	}
	return levelColMoves(s, e.walking.cols.next, &e.homes[1], in, same)
}

func (e *walker) sortChildren(s *step, in, same, less []walkNode) (n int) {
	if s.vertical {
		return sortRowMoves(s, e.walking.rows.next, &e.homes[0], in, same, less)
	}
	return sortColMoves(s, e.walking.cols.next, &e.homes[1], in, same, less)
}

func levelRowMoves(s *step, next []uint16, homes *[16]uint8, in, same []walkNode) (n int) {
	shift, after, same := s.shift&63, s.after, same[:len(in)]
	for i := range in {
		node := &in[i]
		tile := node.board >> shift & 15
		entry := next[int(node.rows&^1)*4+after+int(homes[tile])]
		same[n] = walkNode{node.board + s.delta[tile], entry, node.cols}
		n += int(entry & 1)
	}
	return n
}

func levelColMoves(s *step, next []uint16, homes *[16]uint8, in, same []walkNode) (n int) {
	shift, after, same := s.shift&63, s.after, same[:len(in)]
	for i := range in {
		node := &in[i]
		tile := node.board >> shift & 15
		entry := next[int(node.cols&^1)*4+after+int(homes[tile])]
		same[n] = walkNode{node.board + s.delta[tile], node.rows, entry}
		n += int(entry & 1)
	}
	return n
}

func sortRowMoves(s *step, next []uint16, homes *[16]uint8, in, same, less []walkNode) (n int) {
	shift, after, same, less := s.shift&63, s.after, same[:len(in)], less[:len(in)]
	for i := range in {
		node := &in[i]
		tile := node.board >> shift & 15
		entry := next[int(node.rows&^1)*4+after+int(homes[tile])]
		child := walkNode{node.board + s.delta[tile], entry, node.cols}
		same[n], less[i-n] = child, child
		n += int(entry & 1)
	}
	return n
}

func sortColMoves(s *step, next []uint16, homes *[16]uint8, in, same, less []walkNode) (n int) {
	shift, after, same, less := s.shift&63, s.after, same[:len(in)], less[:len(in)]
	for i := range in {
		node := &in[i]
		tile := node.board >> shift & 15
		entry := next[int(node.cols&^1)*4+after+int(homes[tile])]
		child := walkNode{node.board + s.delta[tile], node.rows, entry}
		same[n], less[i-n] = child, child
		n += int(entry & 1)
	}
	return n
}

// moveUnsolved moves the nodes that are not solved to the front.
func (e *walker) moveUnsolved(in []walkNode) (n int) {
	for _, node := range in {
		in[n] = node
		if node.board != e.solved {
			n++
		}
	}
	return n
}
