package ksbf

import "slices"

// stacks holds the tasks of all ranks under the schemes in which a task may run on any rank. A
// rank executes its deepest task first, so that it has few tasks. It gives away its shallowest
// task, which is probably the largest.
type stacks struct {
	*lockstep
	processor *Processor // counts, and joins tasks with two parents, for all ranks
	of        [][]Task   // by rank, the shallowest first
	open      int64      // ready tasks, on stacks and in flight
}

func newStacks(l *lockstep) *stacks {
	s := &stacks{lockstep: l, processor: NewProcessor(l.work), of: make([][]Task, l.p), open: 1}
	s.insertTask(0, l.work.Root())
	return s
}

// insertTask inserts a task by its level.
func (s *stacks) insertTask(rank int, t Task) {
	tasks := s.of[rank]
	at := len(tasks)
	for at > 0 && tasks[at-1].Level > t.Level {
		at--
	}
	s.of[rank] = slices.Insert(tasks, at, t)
}

// takeShallowest removes the shallowest task of a rank and returns it.
func (s *stacks) takeShallowest(rank int) Task {
	t := s.of[rank][0]
	s.of[rank] = slices.Delete(s.of[rank], 0, 1)
	return t
}

// executeDeepest executes the deepest task of every rank that has one.
func (s *stacks) executeDeepest() {
	for rank := range s.of {
		n := len(s.of[rank])
		if n == 0 {
			continue
		}
		s.processor.task = s.of[rank][n-1]
		s.of[rank] = s.of[rank][:n-1]
		c := s.processor.executeTask(&s.processor.task)
		s.recordExecution(rank, &s.processor.task)
		s.open--
		// The left child is executed next.
		s.createChild(rank, &c.Right, c.HasRight)
		s.createChild(rank, &c.Left, c.HasLeft)
	}
}

// createChild inserts a child, if it exists and all its parents have been executed.
func (s *stacks) createChild(rank int, child *Task, exists bool) {
	if exists && s.processor.joinParents(child) {
		s.open++
		s.insertTask(rank, *child)
	}
}
