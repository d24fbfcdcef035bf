package ksbf

// Workload is an evolving computation: tasks that show their children when they are
// executed. It is not changed by a run and is used by many ranks at once; the same
// task gives the same children on every rank.
type Workload interface {
	// Root is the first task.
	Root() Task
	// Execute runs a task: it sets the children that the task has, which the caller has
	// cleared, and adds what it finds to sum.
	Execute(t *Task, c *Children, sum *Sum)
	// Parents is how many tasks a task is a child of, 1 or 2: it can be executed once
	// all of them have been. The root has 1.
	Parents(t *Task) int
	// Joins reports whether some tasks have two parents.
	Joins() bool
	// Check refuses a task from another rank that no task of this workload has as its
	// right child. It cannot tell every task that does not occur.
	Check(t *Task) error
	// Validate refuses parameters that make no computation.
	Validate() error
}

// Children are the tasks that executing a task has created. One child alone (a unary
// task-arc) may be either.
type Children struct {
	Left, Right       Task
	HasLeft, HasRight bool
}

// setBothChildren sets both children of a tree's task.
func (c *Children) setBothChildren(t *Task) {
	c.Left, c.Right, c.HasLeft, c.HasRight = t.leftChild(), t.rightChild(), true, true
}

// tree is embedded by workloads whose tasks have one parent.
type tree struct{}

// Parents is 1.
func (tree) Parents(*Task) int { return 1 }

// Joins is false.
func (tree) Joins() bool { return false }

// Tally is what has been counted of a computation.
type Tally struct {
	Nodes  int64 // tasks executed
	Leaves int64 // of them without children
	Depth  int64 // the highest level of any
	Sum    Sum
}

// countTask counts a task that has been executed.
func (t *Tally) countTask(task *Task, c *Children) {
	t.Nodes++
	if !c.HasLeft && !c.HasRight {
		t.Leaves++
	}
	t.Depth = max(t.Depth, int64(task.Level))
}

// AddCounts adds what another rank has counted.
func (t *Tally) AddCounts(u *Tally) {
	t.Nodes += u.Nodes
	t.Leaves += u.Leaves
	t.Depth = max(t.Depth, u.Depth)
	t.Sum.AddAll(&u.Sum)
}
