package ksbf

// Workload is an evolving computation: tasks whose children are known when they are executed.
// A run does not change it, and many ranks use it concurrently. The same task has the same
// children on every rank.
type Workload interface {
	// Root returns the first task.
	Root() Task
	// Execute executes a task. It sets the children of the task in c, which the caller has
	// cleared, and adds its result to sum.
	Execute(t *Task, c *Children, sum *Sum)
	// Parents returns the number of parents of a task, 1 or 2. The task can be executed after
	// all its parents. For the root it returns 1.
	Parents(t *Task) int
	// Joins reports whether some tasks have two parents.
	Joins() bool
	// Check returns an error for a task from another rank that is no right child in this
	// workload. It cannot detect every task that does not occur.
	Check(t *Task) error
	// Validate returns an error if the parameters define no computation.
	Validate() error
}

// Children holds the tasks that the execution of a task has created. A single child (a unary
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

// Parents returns 1.
func (tree) Parents(*Task) int { return 1 }

// Joins returns false.
func (tree) Joins() bool { return false }

// Tally holds the counts of a computation.
type Tally struct {
	Nodes  int64 // executed tasks
	Leaves int64 // executed tasks without children
	Depth  int64 // the highest level of an executed task
	Sum    Sum
}

// countTask counts an executed task.
func (t *Tally) countTask(task *Task, c *Children) {
	t.Nodes++
	if !c.HasLeft && !c.HasRight {
		t.Leaves++
	}
	t.Depth = max(t.Depth, int64(task.Level))
}

// AddCounts adds the counts of another rank.
func (t *Tally) AddCounts(u *Tally) {
	t.Nodes += u.Nodes
	t.Leaves += u.Leaves
	t.Depth = max(t.Depth, u.Depth)
	t.Sum.AddAll(&u.Sum)
}
