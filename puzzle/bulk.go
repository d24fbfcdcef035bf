package puzzle

// Nodes of little slack are most of a tree: an iteration expands 5 to 8 times what the
// one before it did, and what it expands with a slack of s or more is the tree of the
// iteration s earlier. So the explicit stack is left to the few nodes of much
// slack, and the subtrees below are searched out of order by a bulk, several of them
// together, since it is the faster the more nodes it has at hand.

// MaxBulk is the largest Options.Bulk.
const MaxBulk = 8

// DefaultBulk is what a run uses unless told otherwise: subtrees have some hundred
// nodes on average. On Korf's instances 2, 11 and 44, 4 is hardly faster, and single
// subtrees are larger (millions of nodes in number 2); 2 is slower by a tenth or more.
const DefaultBulk = 3

// bulk searches subtrees whole, in any order.
type bulk interface {
	// addSubtree adds the subtree of the node that the engine has at a depth, given the
	// blank's cell, the last move and the slack, which is below Options.Bulk.
	addSubtree(depth, blank int, last Move, slack int)
	// searchSubtrees searches all that was added and adds to the counts.
	searchSubtrees(c *Counts)
}

// bulkEngine is an engine that has a bulk for nodes of a slack below a limit.
type bulkEngine interface {
	engine
	newBulk(limit int) bulk
}

// maxBatch is how many nodes Expand supposes to search in bulk before it looks at the
// stack again.
const maxBatch = 1 << 20

// nextBatchSize is how many nodes a batch is to have where expanded of most are done: no less than
// a quarter of what the first was to have, since a batch of few nodes is slow.
func nextBatchSize(most, expanded int) int { return max(most-expanded, min(most, maxBatch)/4) }

// searchBatch collects subtrees that are supposed to have limit nodes in all and searches
// them. How many they have is known only then, so that it may pass limit. With steps of
// 30,000 on Korf's instances 2, 11 and 44, half of the steps expanded up to 1.1 times
// as many, one in a hundred 3 to 12 times, and the largest 32 times.
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

// retraceBatch goes back to where the batch began, because the bulk has met the goal and
// knows neither the path nor what depth-first search would have expanded before it,
// and goes through the stack up to that solution.
func (s *Search) retraceBatch() (expanded int) {
	s.mark.restoreSearch(s)
	for s.path == nil {
		s.processNextNode(0)
	}
	return int(s.counts.Expanded - s.mark.counts.Expanded)
}

// mark is a place in the search to go back to.
type mark struct {
	atRoot bool
	depth  int
	frames []frame
	counts Counts
	solved bool // a path was known
}

// saveSearch marks where a share is.
func (k *mark) saveSearch(s *Search) {
	k.atRoot, k.depth, k.counts, k.solved = s.atRoot, s.depth, s.counts, s.path != nil
	k.frames = append(k.frames[:0], s.frames[:s.depth+1]...)
}

// restoreSearch takes a share back, which has found its path since, if any.
func (k *mark) restoreSearch(s *Search) {
	s.atRoot, s.depth, s.counts, s.path = k.atRoot, k.depth, k.counts, nil
	copy(s.frames, k.frames)
	s.reenterStack()
}

// reenterStack makes the engine know the nodes of the stack again.
func (s *Search) reenterStack() {
	for d := range s.depth {
		f := &s.frames[d]
		s.engine.enterChild(d, int(f.blank), int(f.slack), s.frames[d+1].last)
	}
}

// expectedNodes is the number of nodes that a subtree is supposed to have, if all goes by
// the average.
func expectedNodes(slack int) int64 {
	w := int64(6)
	for range slack {
		w *= 6
	}
	return w
}

// pace is how many nodes there were for what was supposed.
type pace struct{ supposed, nodes int64 }

func newPace() pace { return pace{1, 1} }

// estimateWork is how much work may be supposed for so many nodes, at least 1.
func (p *pace) estimateWork(nodes int) int64 {
	return max(1, int64(nodes)*p.supposed/p.nodes)
}

// recordBatch takes in what a batch was. What is long past counts less.
func (p *pace) recordBatch(supposed, nodes int64) {
	p.supposed += supposed
	p.nodes += nodes
	for max(p.supposed, p.nodes) > 1<<32 {
		p.supposed, p.nodes = p.supposed/2+1, p.nodes/2+1
	}
}
