package proof

import (
	"errors"
	"fmt"
	"strings"
)

// MergeLogs writes the proof of the logs of all shares of a search, and returns the number of
// visited nodes. The search must have searched the whole tree without a solution. At a node
// reached by a second branch MergeLogs writes the lemma that the first branch is refuted. Then it
// deletes the lemmas below the first branch, which are no longer needed. The lemmas found at the
// node follow. The last lemma is the empty clause. The literals of a lemma are in the order of
// the path.
//
// The nodes must form a binary tree: both children of every inner node must be present, and every
// node exactly once. If they do not, the logs are not the logs of one search; MergeLogs then
// returns an error and does not add the empty clause at the end. The output can have it already, if
// a log has an empty lemma at a node without a first branch above it, so the caller must discard the
// output. A node with two missing children is indistinguishable from a leaf, so the caller must
// compare the number of nodes with the counts of the shares. The time is proportional to the logs
// and the proof. The memory is proportional to the number of runs of the logs and to one path with
// its lemmas.
func MergeLogs(out *Writer, streams []Stream) (nodes int64, err error) {
	return mergeLogs(out, streams, false)
}

// mergeLogs is MergeLogs. copied means that the learnt clauses are in the proof already.
func mergeLogs(out *Writer, streams []Stream, copied bool) (nodes int64, err error) {
	runs, err := indexRuns(streams)
	if err != nil {
		return 0, err
	}
	m := merger{out: out, runs: runs, copied: copied}
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

// merger walks the tree in preorder. It needs no heap. The next node is either a child of the
// previous node, or the second branch at the deepest step that is still on its first branch; only
// one run can have that node. A run that continues at another node waits at the step of the path
// whose second branch that node is.
type merger struct {
	out   *Writer
	runs  []run // by first node
	next  int   // runs[:next] have been opened
	agree int   // number of common leading steps of path and the path to the first node of runs[next]

	path    []level // the steps to the last visited node
	visited *cursor // the run of the last visited node; nil at the end of the tree
	nodes   int64

	prefix []byte // the literals ¬D of the path, in the form of a line
	live   []byte // the clauses of the lemmas that are not deleted, without their ¬D
	ends   []int  // ends[i] is the end of lemma i in live
	spare  []*cursor
	copied bool // learnt clauses are in the proof already
}

// level is a step of the path.
type level struct {
	literal int32   // made true
	second  bool    // this is the second branch
	waits   *cursor // the run whose next node is the second branch of this step
	lemmas  int     // number of live lemmas before the step
	prefix  int     // length of merger.prefix for the path down to this step
	refuted bool    // a lemma at a node below was exactly ¬D
}

// cursor is a run that is being read. The reader is after the header of the next node, whose step
// was read.
type cursor struct {
	reader
	ended   bool // the run has no further node
	depth   int
	literal int32
	second  bool
}

// takeNodeHeader reads the header of the next node. The reader must be at a node record.
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
	errStray   = errors.New("the logs do not make a tree: a share began at a place without a node")
)

// visitRoot visits the root.
func (m *merger) visitRoot() error {
	if len(m.runs) == 0 || m.runs[0].depth != 0 {
		return fmt.Errorf("%w: it is the root", errMissing)
	}
	c, err := m.openNextRun()
	if err != nil {
		return err
	}
	return m.visitNode(c)
}

// visitNode writes the lemmas of the next node of a run, and advances the run to its following
// node.
func (m *merger) visitNode(c *cursor) error {
	m.nodes++
	m.visited = c
	for m.takeClause(c) {
	}
	c.takeNodeHeader()
	if c.err != nil {
		return c.err
	}
	return m.out.err
}

// takeClause writes the next clause of the last visited node, if there is one.
func (m *merger) takeClause(c *cursor) bool {
	kind := c.peekNextByte()
	switch kind {
	case recordLemma, recordLearnt, recordDeleted, recordKept:
		c.takeRecordKind()
	case recordClock:
		c.takeRecordKind()
		c.takeUvarint()
		return true
	default:
		return false
	}
	from := len(m.live)
	for range c.takeCount() {
		m.live = m.out.appendLiteral(m.live, c.reader.decodeLiteral(c.takeUvarint()))
	}
	clause := m.live[from:]
	switch {
	case (kind == recordLearnt || kind == recordKept) && !m.copied:
		m.out.appendLemma(nil, clause)
	case kind == recordDeleted && !m.copied:
		m.out.appendDeletion(nil, clause)
	case kind != recordLemma: // in the proof already
	case len(clause) > 0:
		m.out.appendLemma(m.prefix, clause)
		m.ends = append(m.ends, len(m.live))
		return true
	default:
		m.writeRefutation()
	}
	m.live = m.live[:from]
	return true
}

// writeRefutation writes the lemma ¬D alone. The deepest first branch above would write the same
// lemma when it is left; writing it once is enough.
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

// visitNext visits the node that follows in the tree.
func (m *merger) visitNext() error {
	c, depth := m.visited, len(m.path)
	var waits *cursor // the run that continues at the second branch of the previous node
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

// parkCursor lets a run wait at the step of the path whose second branch is its next node.
func (m *merger) parkCursor(c *cursor) error {
	l := &m.path[c.depth-1] // the indexer has checked that the path is long enough
	switch {
	case l.second || l.waits != nil:
		return fmt.Errorf("%w: the second branch at %s", errTwice, m.placeName(c.depth-1))
	case c.literal != -l.literal:
		return fmt.Errorf("%w: at %s", errDiffer, m.placeName(c.depth-1))
	}
	l.waits = c
	return nil
}

// backtrack moves, from a leaf, to the second branch at the deepest step that is on its first
// branch, or to the end of the tree.
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

// turnToSecond moves the last step of the path to its second branch. It writes the lemma that the
// first branch is refuted, and deletes the lemmas from below it. These lemmas are of nodes on the
// last path through the first branch. All steps of that path below this step are second branches,
// so the ¬D of the lemmas is the ¬D of this step.
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

// beginsNextRun reports whether the next run begins with the given child of the node at the given
// depth of the path.
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

// openNextRun opens the next run, which must begin at the next node of the tree, and compares the
// literals of its path with the path of the merger.
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

// unusedCursor returns a cursor that is not in use.
func (m *merger) unusedCursor() *cursor {
	if n := len(m.spare); n > 0 {
		c := m.spare[n-1]
		m.spare = m.spare[:n-1]
		return c
	}
	return &cursor{reader: reader{buf: make([]byte, 0, runWindow)}}
}

// placeName describes the node at a depth of the path.
func (m *merger) placeName(depth int) string {
	return describePlace(depth, func(i int) bool { return m.path[i].second })
}

// placeName describes the first node of a run.
func (r *run) placeName() string { return describePlace(r.depth, r.isSecondBranch) }

// describePlace describes a node by the branches that lead to it, truncated to a readable length.
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
