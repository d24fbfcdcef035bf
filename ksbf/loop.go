package ksbf

// Loop executes a workload in one plain loop, depth first, without queues, credits and
// messages: the reference for the ranks of a ring.
type Loop struct {
	work    Workload
	stack   []Task
	waiting map[place]bool // tasks that one of two parents has created
	tally   Tally

	task     Task // the current task
	children Children
}

// NewLoop returns a loop that holds the root.
func NewLoop(w Workload) *Loop {
	return &Loop{work: w, stack: []Task{w.Root()}, waiting: map[place]bool{}}
}

// ExecuteTasks executes up to limit tasks and returns their number.
func (l *Loop) ExecuteTasks(limit int) (executed int) {
	c := &l.children
	for executed < limit && len(l.stack) > 0 {
		l.task = l.stack[len(l.stack)-1]
		l.stack = l.stack[:len(l.stack)-1]
		*c = Children{}
		l.work.Execute(&l.task, c, &l.tally.Sum)
		l.tally.countTask(&l.task, c)
		executed++
		if c.HasRight {
			l.createTask(&c.Right)
		}
		if c.HasLeft {
			l.createTask(&c.Left)
		}
	}
	return executed
}

// createTask pushes a task if all its parents have been executed.
func (l *Loop) createTask(t *Task) {
	if l.work.Parents(t) > 1 {
		at := place{t.Level, t.Place[0]}
		if !l.waiting[at] {
			l.waiting[at] = true
			return
		}
		delete(l.waiting, at)
	}
	l.stack = append(l.stack, *t)
}

// Empty reports whether no task is left.
func (l *Loop) Empty() bool { return len(l.stack) == 0 }

// Tally returns the counts so far.
func (l *Loop) Tally() *Tally { return &l.tally }
