package puzzle

// Most nodes of a tree have little slack: an iteration expands 5 to 8 times the nodes of the
// previous iteration, and its nodes with a slack of s or more are the tree of the iteration s
// earlier. So only the few nodes of much slack are on the explicit stack. The subtrees below them
// are searched in any order by a bulk, several at a time, because a bulk is faster with more
// nodes.

// MaxBulk is the largest Options.Bulk.
const MaxBulk = 8

// DefaultBulk is the default of a run: subtrees have some hundred nodes on average. On Korf's
// instances 2, 11 and 44, a value of 4 is hardly faster, and single subtrees are larger (millions
// of nodes in number 2). A value of 2 is slower by a tenth or more.
const DefaultBulk = 3

// bulk searches complete subtrees, in any order.
type bulk interface {
	// addSubtree adds the subtree of the engine's node at a depth, given the blank's cell, the last move
	// and the slack, which is below Options.Bulk.
	addSubtree(depth, blank int, last Move, slack int)
	// searchSubtrees searches all subtrees that were added, and adds to the counts.
	searchSubtrees(c *Counts)
}

// bulkEngine is an engine that has a bulk for nodes with a slack below a limit.
type bulkEngine interface {
	engine
	newBulk(limit int) bulk
}

// maxBatch is the expected number of nodes that Expand searches in bulk before it looks at the
// stack again.
const maxBatch = 1 << 20

// nextBatchSize returns the target size of the next batch, if expanded of most nodes are done. It
// is at least a quarter of the first batch, because small batches are slow.
func nextBatchSize(most, expanded int) int { return max(most-expanded, min(most, maxBatch)/4) }

// searchBatch collects subtrees with an expected total of limit nodes and searches them. The
// actual number is known only after the search, so it may exceed limit. With steps of 30,000
// nodes on Korf's instances 2, 11 and 44, half of the steps expanded up to 1.1 times that number,
// one in a hundred 3 to 12 times, and the largest 32 times.
func (s *Search) searchBatch(limit int) (expanded int) {
	s.mark.saveSearch(s)
	left, want := int64(0), s.pace.estimateWork(min(limit, maxBatch))
	for left < want && !s.Empty() && !s.Decided() && s.counts.Expanded < s.mark.counts.Expanded+int64(limit) {
		left += s.processNextNode(s.opt.Bulk)
	}
	before := s.counts
	s.bulk.searchSubtrees(&s.counts)
	s.pace.recordBatch(left, s.counts.Expanded-before.Expanded)
	if s.counts.Solutions > before.Solutions && !s.mark.solved {
		return s.retraceBatch()
	}
	return int(s.counts.Expanded - s.mark.counts.Expanded)
}

// retraceBatch returns to the start of the batch, because the bulk has met the goal. The bulk
// knows neither the path nor the nodes that depth-first search would have expanded before it. So
// retraceBatch searches by the stack up to that solution.
func (s *Search) retraceBatch() (expanded int) {
	s.mark.restoreSearch(s)
	for s.path == nil {
		s.processNextNode(0)
	}
	return int(s.counts.Expanded - s.mark.counts.Expanded)
}

// mark is a saved state of the search.
type mark struct {
	atRoot bool
	depth  int
	frames []frame
	counts Counts
	solved bool // a path was known
}

// saveSearch saves the state of a share.
func (k *mark) saveSearch(s *Search) {
	k.atRoot, k.depth, k.counts, k.solved = s.atRoot, s.depth, s.counts, s.path != nil
	k.frames = append(k.frames[:0], s.frames[:s.depth+1]...)
}

// restoreSearch restores the state of a share. The share keeps a path that it has found since.
func (k *mark) restoreSearch(s *Search) {
	s.atRoot, s.depth, s.counts, s.path = k.atRoot, k.depth, k.counts, nil
	copy(s.frames, k.frames)
	s.reenterStack()
}

// reenterStack makes the engine enter the nodes of the stack again.
func (s *Search) reenterStack() {
	for d := range s.depth {
		f := &s.frames[d]
		s.engine.enterChild(d, int(f.blank), int(f.slack), s.frames[d+1].last)
	}
}

// expectedNodes returns the expected number of nodes of a subtree, on average.
func expectedNodes(slack int) int64 {
	w := int64(6)
	for range slack {
		w *= 6
	}
	return w
}

// pace is the ratio of actual to expected nodes.
type pace struct{ supposed, nodes int64 }

func newPace() pace { return pace{1, 1} }

// estimateWork returns the expected work for the given number of nodes, at least 1.
func (p *pace) estimateWork(nodes int) int64 {
	return max(1, int64(nodes)*p.supposed/p.nodes)
}

// recordBatch records the numbers of a batch. Older batches count less.
func (p *pace) recordBatch(supposed, nodes int64) {
	p.supposed += supposed
	p.nodes += nodes
	for max(p.supposed, p.nodes) > 1<<32 {
		p.supposed, p.nodes = p.supposed/2+1, p.nodes/2+1
	}
}
