package ksbf

// queue holds tasks in breadth-first order. A rank that executes its tasks in this order also
// creates their children in this order, and so does its neighbour. So nearly every task comes
// after the last task of one of two rows, and is appended there. The other tasks go to a heap.
// Insertion and removal take O(1) for tasks in rows and O(log n) for tasks in the heap. They
// allocate only for growth.
type queue struct {
	rows  [2]row
	heap  []Task
	ready int // number of tasks in all three
}

// row is a first-in, first-out list of tasks in order: tasks[head:].
type row struct {
	tasks []Task
	head  int
}

// hasNoTasks reports whether the queue is empty.
func (r *row) hasNoTasks() bool { return r.head == len(r.tasks) }

// canAppend reports whether a task may follow the last one.
func (r *row) canAppend(t *Task) bool {
	return r.hasNoTasks() || r.tasks[len(r.tasks)-1].comesBefore(t)
}

// appendLast adds the last task. It reclaims the space of removed tasks when they are more
// than half of all.
func (r *row) appendLast(t *Task) {
	if r.head > len(r.tasks)/2 || r.hasNoTasks() {
		r.tasks = r.tasks[:copy(r.tasks, r.tasks[r.head:])]
		r.head = 0
	}
	r.tasks = append(r.tasks, *t)
}

// insertTask adds a task to a row whose last task comes before it. If both rows qualify, it
// chooses the row with the later last task, so that the other row stays usable for the tasks
// of the other source.
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

// takeFirst removes the first task of a queue that is not empty, and stores it in first.
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

// forEachTask calls f for every task, in no particular order.
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
