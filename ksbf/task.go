package ksbf

// MaxLevels is the largest number of levels of a tree: the number of bits of a Place.
const MaxLevels = 256

// Task is a node of a computation that has been created and not executed yet.
type Task struct {
	Level int32 // steps from the root
	// Credit is the exponent of the task's credit 2^−Credit; the root's credit is 1. A
	// Processor divides the credit among children, and an audit adds the credits up.
	Credit int32
	// Place orders the tasks of a level from left to right. In a tree it is the path from the
	// root, one bit per level from the top bit of Place[0] on, 1 for right. In a grid Place[0]
	// is the column.
	Place [4]uint64
	State [2]uint64 // used by the workload
}

// comesBefore reports whether t comes before u in breadth-first order, from left to right.
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

// leftChild returns a tree's left child with the same state.
func (t *Task) leftChild() Task {
	c := *t
	c.Level++
	return c
}

// rightChild returns a tree's right child with the same state.
func (t *Task) rightChild() Task {
	c := t.leftChild()
	c.Place[t.Level/64] |= 1 << (63 - t.Level%64)
	return c
}
