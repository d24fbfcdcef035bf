package proof

import (
	"errors"
	"fmt"
	"strings"
)

// MergeLogs writes the proof that the logs of all shares of a search amount to, which must
// have gone through the whole tree without a solution, and returns the number of nodes
// visited. At a node reached by a second branch it writes the lemma that the first one is
// refuted, then deletes the lemmas from below that, which are not needed any more. What
// was found out at a node follows. The last lemma is the empty clause. The literals of
// a lemma stand in the order of the path.
//
// The nodes must make a binary tree: the two children of every inner node must be there, and every
// node once. Where they do not the logs are not those of one search, and MergeLogs returns an error and
// does not write the empty clause, so that what it has written proves nothing. A node whose two
// children are both missing looks like a leaf: the caller has to compare the number of nodes with
// what the shares have counted. It takes time in proportion to the logs and the proof, and memory
// for the runs of the logs and for one path with its lemmas.
func MergeLogs(out *Writer, streams []Stream) (nodes int64, err error) {
	runs, err := indexRuns(streams)
	if err != nil {
		return 0, err
	}
	m := merger{out: out, runs: runs}
	if err := m.visitRoot(); err != nil {
		return 0, err
	}
	for m.visited != nil {
		if err := m.visitNext(); err != nil {
			return m.nodes, err
		}
	}
	if m.next < len(m.runs) {
		return m.nodes, fmt.Errorf("%w: at %s", errStray, m.runs[m.next].placeName())
	}
	out.appendLemma(nil, nil)
	return m.nodes, out.err
}

// merger goes through the tree in preorder. It needs no heap: the node that comes next
// is either a child of the one before, or else the second branch at the deepest step
// that is still at its first, and only one run can have that. A run that goes on at
// another node waits at the step of the path whose second branch that is.
type merger struct {
	out   *Writer
	runs  []run // by first node
	next  int   // runs[:next] have begun
	agree int   // leading steps of the path to the first node of runs[next] that are those of path

	path    []level // the steps to the node visited last
	visited *cursor // the run that it is of; nil at the end of the tree
	nodes   int64

	prefix []byte // the literals ¬D of the path, as they stand in a line
	live   []byte // the clauses of the lemmas that are not deleted, without their ¬D
	ends   []int  // where each ends in live
	spare  []*cursor
}

// level is a step of the path.
type level struct {
	literal int32   // made true
	second  bool    // the second branch
	waits   *cursor // the run whose next node is the second branch here
	lemmas  int     // how many were live before the step
	prefix  int     // how much of merger.prefix is of the path down to here
	refuted bool    // a lemma at a node below was ¬D, with nothing more
}

// cursor is a run being read. The reader stands behind the header of the next node,
// whose step was taken.
type cursor struct {
	reader
	ended   bool // there is no next node
	depth   int
	literal int32
	second  bool
}

// takeNodeHeader takes the header of the next node. The reader must be at a record of one.
func (c *cursor) takeNodeHeader() {
	if c.ended = !c.hasMoreBytes(); c.ended {
		return
	}
	c.takeRecordKind()
	if c.depth = c.reader.takeDepth(); c.depth > 0 {
		c.literal, c.second = c.takePathStep()
	}
}

var (
	errMissing = errors.New("the logs do not make a tree: a node was visited by no share")
	errTwice   = errors.New("the logs do not make a tree: a node was visited twice")
	errDiffer  = errors.New("the logs do not make a tree: shares branch differently")
	errStray   = errors.New("the logs do not make a tree: a share has begun where there is no node")
)

// visitRoot visits the root.
func (m *merger) visitRoot() error {
	if len(m.runs) == 0 || m.runs[0].depth != 0 {
		return fmt.Errorf("%w: the root", errMissing)
	}
	c, err := m.openNextRun()
	if err != nil {
		return err
	}
	return m.visitNode(c)
}

// visitNode writes the lemmas of the next node of a run, and lets the run go on to the node
// after it.
func (m *merger) visitNode(c *cursor) error {
	m.nodes++
	m.visited = c
	for c.peekNextByte() == recordLemma {
		c.takeRecordKind()
		from := len(m.live)
		for range c.takeCount() {
			m.live = m.out.appendLiteral(m.live, c.reader.decodeLiteral(c.takeUvarint()))
		}
		if len(m.live) > from {
			m.out.appendLemma(m.prefix, m.live[from:])
			m.ends = append(m.ends, len(m.live))
		} else {
			m.writeRefutation()
		}
	}
	c.takeNodeHeader()
	if c.err != nil {
		return c.err
	}
	return m.out.err
}

// writeRefutation writes the lemma that is ¬D alone. It is the one that the deepest first branch
// above would write when it is left, and once is enough.
func (m *merger) writeRefutation() {
	depth := len(m.path)
	for depth > 0 && m.path[depth-1].second {
		depth--
	}
	if depth > 0 {
		if m.path[depth-1].refuted {
			return
		}
		m.path[depth-1].refuted = true
	}
	m.out.appendLemma(m.prefix, nil)
}

// visitNext goes on to the node that follows in the tree and visits it.
func (m *merger) visitNext() error {
	c, depth := m.visited, len(m.path)
	var waits *cursor // the run that goes on at the second branch of the node before
	child := false
	switch {
	case c.ended:
		m.spare = append(m.spare, c)
	case c.depth == depth+1 && !c.second:
		child = true
	case c.depth == depth+1:
		waits = c
	default:
		if err := m.parkCursor(c); err != nil {
			return err
		}
	}
	if m.beginsNextRun(depth+1, false) {
		if child {
			return fmt.Errorf("%w: the first branch at %s", errTwice, m.placeName(depth))
		}
		var err error
		if c, err = m.openNextRun(); err != nil {
			return err
		}
		child = true
	}
	if !child {
		if waits != nil {
			return fmt.Errorf("%w: the first branch at %s", errMissing, m.placeName(depth))
		}
		return m.backtrack()
	}
	m.path = append(m.path, level{literal: c.literal, waits: waits, lemmas: len(m.ends)})
	m.prefix = m.out.appendLiteral(m.prefix, -c.literal)
	m.path[depth].prefix = len(m.prefix)
	m.noteNewStep(depth)
	return m.visitNode(c)
}

// parkCursor lets a run wait for the second branch, on the path, that it goes on with.
func (m *merger) parkCursor(c *cursor) error {
	l := &m.path[c.depth-1] // the indexer has seen to it that the path is that long
	switch {
	case l.second || l.waits != nil:
		return fmt.Errorf("%w: the second branch at %s", errTwice, m.placeName(c.depth-1))
	case c.literal != -l.literal:
		return fmt.Errorf("%w: at %s", errDiffer, m.placeName(c.depth-1))
	}
	l.waits = c
	return nil
}

// backtrack goes on, from a leaf, to the second branch at the deepest step that is at its
// first, or to the end of the tree.
func (m *merger) backtrack() error {
	depth := len(m.path)
	for depth > 0 && m.path[depth-1].second {
		depth--
	}
	m.path = m.path[:depth]
	if depth == 0 {
		m.visited = nil
		return nil
	}
	l := &m.path[depth-1]
	c := l.waits
	if m.beginsNextRun(depth, true) {
		if c != nil {
			return fmt.Errorf("%w: the second branch at %s", errTwice, m.placeName(depth-1))
		}
		var err error
		if c, err = m.openNextRun(); err != nil {
			return err
		}
	}
	switch {
	case c == nil:
		return fmt.Errorf("%w: the second branch at %s", errMissing, m.placeName(depth-1))
	case c.literal != -l.literal:
		return fmt.Errorf("%w: at %s", errDiffer, m.placeName(depth-1))
	}
	m.turnToSecond(l)
	m.agree = min(m.agree, depth-1)
	m.noteNewStep(depth - 1)
	return m.visitNode(c)
}

// turnToSecond takes the last step of the path to its second branch: it writes the lemma that the
// first is refuted, and deletes those from below it. They are of nodes on the path
// that the first branch ended with, all on second branches below this step, so that
// their ¬D is that of this step.
func (m *merger) turnToSecond(l *level) {
	above := 0
	if n := len(m.path); n > 1 {
		above = m.path[n-2].prefix
	}
	negated := m.prefix[above:l.prefix]
	if !l.refuted {
		m.out.appendLemma(m.prefix[:above], negated)
	}
	start := 0
	if l.lemmas > 0 {
		start = m.ends[l.lemmas-1]
	}
	from := start
	for _, to := range m.ends[l.lemmas:] {
		m.out.appendDeletion(m.prefix[:l.prefix], m.live[from:to])
		from = to
	}
	m.live = append(m.live[:start], negated...)
	m.ends = append(m.ends[:l.lemmas], len(m.live))
	m.prefix = m.prefix[:above]
	l.literal, l.second, l.waits, l.prefix = -l.literal, true, nil, above
}

// beginsNextRun reports whether the next run begins with the child, of the node that the path leads
// to up to its depth, by the branch.
func (m *merger) beginsNextRun(depth int, second bool) bool {
	if m.next == len(m.runs) {
		return false
	}
	r := &m.runs[m.next]
	return r.depth == depth && m.agree >= depth-1 && r.isSecondBranch(depth-1) == second
}

// noteNewStep notes that the i-th step of the path is new.
func (m *merger) noteNewStep(i int) {
	if m.next == len(m.runs) || m.agree != i {
		return
	}
	if r := &m.runs[m.next]; r.depth > i && r.isSecondBranch(i) == m.path[i].second {
		m.agree++
	}
}

// openNextRun opens the next run, which must begin where the tree goes on, and compares the
// literals of its path with those met.
func (m *merger) openNextRun() (*cursor, error) {
	r := &m.runs[m.next]
	c := m.unusedCursor()
	c.resetRange(r.in, r.from, r.to)
	if c.peekNextByte() == recordRun {
		c.takeRecordKind()
		for i := range c.takeCount() {
			if literal, _ := c.takePathStep(); c.err == nil && literal != m.path[i].literal {
				return nil, fmt.Errorf("%w: at %s", errDiffer, m.placeName(i))
			}
		}
	}
	c.takeNodeHeader()
	m.next++
	m.agree = 0
	for i := range m.path {
		m.noteNewStep(i)
	}
	return c, c.err
}

// unusedCursor returns one that is not used.
func (m *merger) unusedCursor() *cursor {
	if n := len(m.spare); n > 0 {
		c := m.spare[n-1]
		m.spare = m.spare[:n-1]
		return c
	}
	return &cursor{reader: reader{buf: make([]byte, 0, runWindow)}}
}

// placeName says where the node at a depth of the path is.
func (m *merger) placeName(depth int) string {
	return describePlace(depth, func(i int) bool { return m.path[i].second })
}

// placeName says where a run begins.
func (r *run) placeName() string { return describePlace(r.depth, r.isSecondBranch) }

// describePlace names a node by the branches that lead to it, as far as a person wants to read.
func describePlace(depth int, second func(i int) bool) string {
	const most = 64
	if depth == 0 {
		return "the root"
	}
	var s strings.Builder
	fmt.Fprintf(&s, "depth %d, branches ", depth)
	for i := range min(depth, most) {
		if second(i) {
			s.WriteByte('1')
		} else {
			s.WriteByte('0')
		}
	}
	if depth > most {
		s.WriteString("…")
	}
	return s.String()
}
