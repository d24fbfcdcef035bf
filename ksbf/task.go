package ksbf

// MaxLevels bounds the levels of a tree: as many turns as a Place has bits.
const MaxLevels = 256

// Task is a node of a computation that has been created and not executed yet.
type Task struct {
	Level int32 // steps from the root
	// Credit is the exponent of the task's share 2^−Credit of the root's credit of 1,
	// which a Processor divides among children and an audit adds up again.
	Credit int32
	// Place orders the tasks of a level from left to right. In a tree it is the way
	// from the root, a bit a level from the top of Place[0] on, 1 for right; in a grid
	// Place[0] is the column.
	Place [4]uint64
	State [2]uint64 // the workload's own
}

// comesBefore reports whether t comes before u breadth first, from left to right.
func (t *Task) comesBefore(u *Task) bool {
	if t.Level != u.Level {
		return t.Level < u.Level
	}
	for i, word := range t.Place {
		if word != u.Place[i] {
			return word < u.Place[i]
		}
	}
	return false
}

// leftChild is a tree's left child, of the same state.
func (t *Task) leftChild() Task {
	c := *t
	c.Level++
	return c
}

// rightChild is a tree's right child, of the same state.
func (t *Task) rightChild() Task {
	c := t.leftChild()
	c.Place[t.Level/64] |= 1 << (63 - t.Level%64)
	return c
}
