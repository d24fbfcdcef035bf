package ring

// queue holds tasks breadth first: a binary heap ordered by Task.before. Putting and
// taking cost O(log n) comparisons and do not allocate but to grow.
type queue struct{ heap []Task }

// put adds a task.
func (q *queue) put(t Task) {
	q.heap = append(q.heap, t)
	i := len(q.heap) - 1
	for i > 0 {
		up := (i - 1) / 2
		if !t.before(&q.heap[up]) {
			break
		}
		q.heap[i] = q.heap[up]
		i = up
	}
	q.heap[i] = t
}

// take removes the first task of a queue that is not empty.
func (q *queue) take() Task {
	first := q.heap[0]
	n := len(q.heap) - 1
	t := q.heap[n]
	q.heap = q.heap[:n]
	for i := 0; i < n; {
		down := 2*i + 1
		if down+1 < n && q.heap[down+1].before(&q.heap[down]) {
			down++
		}
		if down >= n || !q.heap[down].before(&t) {
			q.heap[i] = t
			break
		}
		q.heap[i] = q.heap[down]
		i = down
	}
	return first
}
