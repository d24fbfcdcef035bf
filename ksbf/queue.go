package ksbf

// queue holds tasks breadth first. A rank that executes its tasks in this order makes
// their children in it too, and so does its neighbour; so nearly every task comes
// behind one of the two last ones of such rows, and is put there. The others go to a
// heap. Putting and taking are O(1) for tasks in rows and O(log n) for others, and do
// not allocate but to grow.
type queue struct {
	rows  [2]row
	heap  []Task
	ready int // tasks in all of them
}

// row is tasks in order, first in, first out: those from head on.
type row struct {
	tasks []Task
	head  int
}

// empty says that there is none.
func (r *row) empty() bool { return r.head == len(r.tasks) }

// fits says whether a task may stand behind the last one.
func (r *row) fits(t *Task) bool { return r.empty() || r.tasks[len(r.tasks)-1].before(t) }

// put adds the last task. What has been taken makes room once it is half of all.
func (r *row) put(t *Task) {
	if r.head > len(r.tasks)/2 || r.empty() {
		r.tasks = r.tasks[:copy(r.tasks, r.tasks[r.head:])]
		r.head = 0
	}
	r.tasks = append(r.tasks, *t)
}

// put adds a task: behind the later one of the two last tasks that are before it, so
// that the other row stays open for those of the other source.
func (q *queue) put(t *Task) {
	q.ready++
	a, b := &q.rows[0], &q.rows[1]
	switch fitsA, fitsB := a.fits(t), b.fits(t); {
	case fitsA && (!fitsB || b.empty() || !a.empty() && b.tasks[len(b.tasks)-1].before(&a.tasks[len(a.tasks)-1])):
		a.put(t)
	case fitsB:
		b.put(t)
	default:
		q.push(t)
	}
}

// take removes the first task of a queue that is not empty and stores it.
func (q *queue) take(first *Task) {
	q.ready--
	var from *row
	for i := range q.rows {
		if r := &q.rows[i]; !r.empty() && (from == nil || r.tasks[r.head].before(&from.tasks[from.head])) {
			from = r
		}
	}
	if from == nil || len(q.heap) > 0 && q.heap[0].before(&from.tasks[from.head]) {
		*first = q.heap[0]
		q.pop()
		return
	}
	*first = from.tasks[from.head]
	from.head++
}

// push adds a task to the heap.
func (q *queue) push(t *Task) {
	q.heap = append(q.heap, *t)
	i := len(q.heap) - 1
	for i > 0 {
		up := (i - 1) / 2
		if !t.before(&q.heap[up]) {
			break
		}
		q.heap[i] = q.heap[up]
		i = up
	}
	q.heap[i] = *t
}

// pop removes the heap's first task.
func (q *queue) pop() {
	n := len(q.heap) - 1
	t := &q.heap[n]
	q.heap = q.heap[:n]
	i := 0
	for {
		down := 2*i + 1
		if down+1 < n && q.heap[down+1].before(&q.heap[down]) {
			down++
		}
		if down >= n || !q.heap[down].before(t) {
			break
		}
		q.heap[i] = q.heap[down]
		i = down
	}
	if n > 0 {
		q.heap[i] = *t
	}
}

// each calls f for every task, in no order.
func (q *queue) each(f func(t *Task)) {
	for i := range q.rows {
		for j := q.rows[i].head; j < len(q.rows[i].tasks); j++ {
			f(&q.rows[i].tasks[j])
		}
	}
	for i := range q.heap {
		f(&q.heap[i])
	}
}
