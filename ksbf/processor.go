package ksbf

import "fmt"

// Processor is one rank's tasks under KS-BF: those that can be executed, breadth
// first, and those that wait for their second parent. It does not know the ring, the
// time or the messages; steps.go and rank.go drive it.
//
// Every task holds a credit 2^−e, the root 1: two children halve their parent's, one
// has all of it, and a leaf's is recovered, as is the smaller one of the two that a
// task of two parents brings along. So the credits recovered and those still held add
// up to 1 on all ranks together; a task that was lost or executed twice spoils the sum.
type Processor struct {
	work      Workload
	ready     queue
	waiting   map[place]int32 // credit exponents, by task
	tally     Tally
	recovered []int64 // numbers of credits by exponent
	joins     bool    // the workload's

	// What the workload is shown stands here, since what an interface's method takes the
	// address of would else be allocated for every task.
	task, offered Task
	children      Children
}

// place tells the tasks of a grid apart, which are the ones to wait.
type place struct {
	level  int32
	column uint64
}

// NewProcessor returns a rank's part of a workload, without tasks.
func NewProcessor(w Workload) *Processor {
	return &Processor{work: w, waiting: map[place]int32{}, joins: w.Joins()}
}

// OfferTask takes in a task, from this rank or another: it is ready once it has been
// offered by every parent.
func (p *Processor) OfferTask(t Task) {
	p.offered = t
	if p.joinParents(&p.offered) {
		p.ready.insertTask(&p.offered)
	}
}

// joinParents reports whether the last parent of a task has been executed.
func (p *Processor) joinParents(t *Task) bool {
	if !p.joins || p.work.Parents(t) < 2 {
		return true
	}
	at := place{t.Level, t.Place[0]}
	other, met := p.waiting[at]
	if !met {
		p.waiting[at] = t.Credit
		return false
	}
	delete(p.waiting, at)
	p.recoverCredit(max(t.Credit, other))
	t.Credit = min(t.Credit, other)
	return true
}

// ReadyCount is the number of tasks that can be executed.
func (p *Processor) ReadyCount() int { return p.ready.ready }

// Execute executes the first task, of which there must be one. It keeps the left child
// and returns the right one, if there is one, which is to be sent. No allocation but
// for growth.
func (p *Processor) Execute() (task, right Task, send bool) {
	p.ready.takeFirst(&p.task)
	c := p.executeTask(&p.task)
	if c.HasLeft {
		p.OfferTask(c.Left)
	}
	return p.task, c.Right, c.HasRight
}

// executeTask executes a task and returns its children with their credits, until the next call.
func (p *Processor) executeTask(task *Task) *Children {
	c := &p.children
	*c = Children{}
	p.work.Execute(task, c, &p.tally.Sum)
	p.tally.countTask(task, c)
	credit := task.Credit
	switch {
	case c.HasLeft && c.HasRight:
		credit++
	case !c.HasLeft && !c.HasRight:
		p.recoverCredit(credit)
	}
	c.Left.Credit, c.Right.Credit = credit, credit
	return c
}

func (p *Processor) recoverCredit(exponent int32) {
	for len(p.recovered) <= int(exponent) {
		p.recovered = append(p.recovered, 0)
	}
	p.recovered[exponent]++
}

// Tally is what has been counted so far.
func (p *Processor) Tally() *Tally { return &p.tally }

// RecoveredCredits is the number of credits 2^−e recovered so far, by e.
func (p *Processor) RecoveredCredits() []int64 { return p.recovered }

// HeldCredits lists the exponents of the credits of all tasks that have not been executed.
func (p *Processor) HeldCredits() (exponents []int32) {
	p.ready.forEachTask(func(t *Task) { exponents = append(exponents, t.Credit) })
	for _, e := range p.waiting {
		exponents = append(exponents, e)
	}
	return exponents
}

// String describes the tasks for a person who wonders why a run does not end.
func (p *Processor) String() string {
	return fmt.Sprintf("%d tasks executed, %d ready, %d waiting for a parent", p.tally.Nodes, p.ReadyCount(), len(p.waiting))
}
