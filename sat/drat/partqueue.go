package drat

import "sync"

// partQueue gives the parts of a proof to the workers, in their order, while a reader adds parts.
// Every worker gets every part: the first one that asks for a part checks it, and the others pass
// it, which for DRAT means that they apply its steps without a check. The results are joined in the
// order of the proof, so that the first step that does not hold is the one that one worker finds.
// The queue holds the parts that some worker has yet to get or has not finished. It reuses their
// memory, so that reading a proof allocates little.
type partQueue struct {
	division
	mu      sync.Mutex
	changed sync.Cond
	parts   []*part
	first   int   // the number of parts[0], from 0
	next    []int // by worker: the part that it gets next; never if it has retired
	free    []int // by worker: it uses no part before this one
	spare   []*part
	size    int // literals and hints of parts
	joined  int // parts whose results are joined
	total   Report
	last    *part // the part with which the check ended, or nil
	stopped bool  // the check has ended
	ended   bool  // no part will be added
	show    func(Report)
}

// worker checks parts of a proof, or passes them.
type worker interface {
	checkPart(k *part)
	passPart(k *part) (more bool) // more is false if no later part is to be checked
	stays(workers int) bool       // reports whether there is memory for a number of workers
}

// newPartQueue returns an empty queue for a check that has reached a report.
func newPartQueue(workers int, d division, sofar Report, show func(Report)) *partQueue {
	q := &partQueue{division: d, next: make([]int, workers), free: make([]int, workers), total: sofar, show: show}
	q.changed.L = &q.mu
	return q
}

// emptyPart returns a part that nobody uses.
func (q *partQueue) emptyPart() *part {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.spare) == 0 {
		return &part{}
	}
	k := q.spare[len(q.spare)-1]
	q.spare = q.spare[:len(q.spare)-1]
	*k = part{steps: k.steps[:0], literals: k.literals[:0], numbers: k.numbers[:0], hints: k.hints[:0], clauses: k.clauses[:0]}
	return k
}

// addPart adds a part when there is room. It returns false if the check has ended.
func (q *partQueue) addPart(k *part) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	for !q.stopped && len(q.parts) > 0 && (len(q.parts) > 2*len(q.next) || q.size >= q.waiting) {
		q.changed.Wait()
	}
	q.parts = append(q.parts, k)
	q.size += k.size()
	q.changed.Broadcast()
	return !q.stopped
}

// awaitResults waits until all parts are checked. It returns false if the check has ended.
func (q *partQueue) awaitResults() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	for !q.stopped && q.joined < q.first+len(q.parts) {
		q.changed.Wait()
	}
	return !q.stopped
}

// endParts notes that no part will be added.
func (q *partQueue) endParts() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.ended = true
	q.changed.Broadcast()
}

// takePart returns the next part for a worker, which has finished its last one, and whether the
// worker checks it; nil at the end.
func (q *partQueue) takePart(w int) (k *part, check bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.free[w] = q.next[w]
	q.dropParts()
	for !q.stopped && !q.ended && q.next[w] == q.first+len(q.parts) {
		q.changed.Wait()
	}
	if q.stopped || q.next[w] == q.first+len(q.parts) {
		return nil, false
	}
	k = q.parts[q.next[w]-q.first]
	check = !k.claimed
	k.claimed = true
	q.next[w]++
	return k, check
}

// retire notes that a worker takes no further part.
func (q *partQueue) retire(w int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.next[w], q.free[w] = never, never
	q.dropParts()
}

// dropParts drops the parts that every worker has finished and whose results are joined.
func (q *partQueue) dropParts() {
	for !q.stopped && len(q.parts) > 0 && q.first < q.joined && q.isFinished(q.first) {
		q.size -= q.parts[0].size()
		q.spare = append(q.spare, q.parts[0])
		q.parts = q.parts[1:]
		q.first++
		q.changed.Broadcast()
	}
}

// isFinished reports whether every worker has finished a part.
func (q *partQueue) isFinished(number int) bool {
	for _, n := range q.free {
		if n <= number {
			return false
		}
	}
	return true
}

// joinResults joins the result of a part, and of later ones that have waited for it.
func (q *partQueue) joinResults(k *part) {
	q.mu.Lock()
	defer q.mu.Unlock()
	k.checked = true
	for !q.stopped && q.joined < q.first+len(q.parts) && q.parts[q.joined-q.first].checked {
		q.joinResult(q.parts[q.joined-q.first])
		q.joined++
	}
	q.dropParts()
	q.changed.Broadcast()
}

// joinResult adds the counts of a part.
func (q *partQueue) joinResult(k *part) {
	before := q.total.Step
	q.total.addCounts(k.report)
	if k.hasEnded() {
		q.last, q.stopped = k, true
	} else if q.show != nil && q.total.Step/ProgressSteps > before/ProgressSteps {
		q.show(q.total)
	}
}

// countUnused returns the number of steps that have been read after the one that ended the check.
func (q *partQueue) countUnused() (n int64) {
	n = int64(len(q.last.steps) - q.last.at - 1)
	for _, k := range q.parts[q.joined-q.first:] {
		if k != q.last {
			n += int64(len(k.steps))
		}
	}
	return n
}

// work lets a worker check or pass parts until the end.
func (q *partQueue) work(number int, w worker) {
	for number == 0 || w.stays(number+1) {
		k, check := q.takePart(number)
		if k == nil {
			return
		}
		more := false
		if check {
			w.checkPart(k)
			more = !k.hasEnded()
			q.joinResults(k)
		} else {
			more = w.passPart(k)
		}
		if !more {
			break
		}
	}
	q.retire(number)
}

// run lets the workers check the parts that read adds. It returns when the check has ended; a call
// of read may then still be in progress, until done is closed.
func (q *partQueue) run(workers []worker, read func()) (done chan struct{}) {
	done = make(chan struct{})
	go func() {
		defer close(done)
		read()
		q.endParts()
	}()
	var all sync.WaitGroup
	for number, w := range workers {
		all.Go(func() { q.work(number, w) })
	}
	all.Wait()
	return done
}
