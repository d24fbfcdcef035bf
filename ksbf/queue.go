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

// hasNoTasks reports whether the queue is empty.
func (r *row) hasNoTasks() bool { return r.head == len(r.tasks) }

// canAppend reports whether a task may stand behind the last one.
func (r *row) canAppend(t *Task) bool {
	return r.hasNoTasks() || r.tasks[len(r.tasks)-1].comesBefore(t)
}

// appendLast adds the last task. What has been taken makes room once it is half of all.
func (r *row) appendLast(t *Task) {
	if r.head > len(r.tasks)/2 || r.hasNoTasks() {
		r.tasks = r.tasks[:copy(r.tasks, r.tasks[r.head:])]
		r.head = 0
	}
	r.tasks = append(r.tasks, *t)
}

// insertTask adds a task: behind the later one of the two last tasks that are before it, so
// that the other row stays open for those of the other source.
func (q *queue) insertTask(t *Task) {
	q.ready++
	a, b := &q.rows[0], &q.rows[1]
	switch fitsA, fitsB := a.canAppend(t), b.canAppend(t); {
	case fitsA && (!fitsB || b.hasNoTasks() || !a.hasNoTasks() && b.tasks[len(b.tasks)-1].comesBefore(&a.tasks[len(a.tasks)-1])):
		a.appendLast(t)
	case fitsB:
		b.appendLast(t)
	default:
		q.pushOntoHeap(t)
	}
}

// takeFirst removes the first task of a queue that is not empty and stores it.
func (q *queue) takeFirst(first *Task) {
	q.ready--
	var from *row
	for i := range q.rows {
		if r := &q.rows[i]; !r.hasNoTasks() && (from == nil || r.tasks[r.head].comesBefore(&from.tasks[from.head])) {
			from = r
		}
	}
	if from == nil || len(q.heap) > 0 && q.heap[0].comesBefore(&from.tasks[from.head]) {
		*first = q.heap[0]
		q.popFromHeap()
		return
	}
	*first = from.tasks[from.head]
	from.head++
}

// pushOntoHeap adds a task to the heap.
func (q *queue) pushOntoHeap(t *Task) {
	q.heap = append(q.heap, *t)
	i := len(q.heap) - 1
	for i > 0 {
		up := (i - 1) / 2
		if !t.comesBefore(&q.heap[up]) {
			break
		}
		q.heap[i] = q.heap[up]
		i = up
	}
	q.heap[i] = *t
}

// popFromHeap removes the heap's first task.
func (q *queue) popFromHeap() {
	n := len(q.heap) - 1
	t := &q.heap[n]
	q.heap = q.heap[:n]
	i := 0
	for {
		down := 2*i + 1
		if down+1 < n && q.heap[down+1].comesBefore(&q.heap[down]) {
			down++
		}
		if down >= n || !q.heap[down].comesBefore(t) {
			break
		}
		q.heap[i] = q.heap[down]
		i = down
	}
	if n > 0 {
		q.heap[i] = *t
	}
}

// forEachTask calls f for every task, in no order.
func (q *queue) forEachTask(f func(t *Task)) {
	for i := range q.rows {
		for j := q.rows[i].head; j < len(q.rows[i].tasks); j++ {
			f(&q.rows[i].tasks[j])
		}
	}
	for i := range q.heap {
		f(&q.heap[i])
	}
}
