package ksbf

import "fmt"

// Processor holds one rank's tasks under KS-BF: the ready ones, which are executed breadth
// first, and the ones that wait for their second parent. It knows neither the ring, nor the
// time, nor messages; steps.go and rank.go drive it.
//
// Every task holds a credit 2^−e; the root holds 1. Two children get half of their parent's
// credit each, and a single child gets all of it. The credit of a leaf is recovered. If a task
// has two parents, the smaller one of the two credits is recovered. So the recovered and the
// held credits of all ranks together add up to 1. If a task is lost or executed twice, the sum
// is wrong.
type Processor struct {
	work      Workload
	ready     queue
	waiting   map[place]int32 // credit exponents, by task
	tally     Tally
	recovered []int64 // number of recovered credits by exponent
	joins     bool    // the result of the workload's Joins

	// The arguments of the workload's methods are stored here. Otherwise they would be
	// allocated for every task, because their addresses are passed to methods of an interface.
	task, offered Task
	children      Children
}

// place identifies a task of a grid. Only these tasks wait.
type place struct {
	level  int32
	column uint64
}

// NewProcessor returns one rank's part of a workload, without tasks.
func NewProcessor(w Workload) *Processor {
	return &Processor{work: w, waiting: map[place]int32{}, joins: w.Joins()}
}

// OfferTask takes a task from this rank or another. The task is ready after every parent has
// offered it.
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

// ReadyCount returns the number of tasks that can be executed.
func (p *Processor) ReadyCount() int { return p.ready.ready }

// Execute executes the first ready task; there must be one. It keeps the left child. It
// returns the right child, if there is one, for sending. It allocates only for growth.
func (p *Processor) Execute() (task, right Task, send bool) {
	p.ready.takeFirst(&p.task)
	c := p.executeTask(&p.task)
	if c.HasLeft {
		p.OfferTask(c.Left)
	}
	return p.task, c.Right, c.HasRight
}

// executeTask executes a task and returns its children with their credits. They are valid
// until the next call.
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

// Tally returns the counts so far.
func (p *Processor) Tally() *Tally { return &p.tally }

// RecoveredCredits returns the number of recovered credits 2^−e, by e.
func (p *Processor) RecoveredCredits() []int64 { return p.recovered }

// HeldCredits returns the exponents of the credits of all tasks that have not been executed.
func (p *Processor) HeldCredits() (exponents []int32) {
	p.ready.forEachTask(func(t *Task) { exponents = append(exponents, t.Credit) })
	for _, e := range p.waiting {
		exponents = append(exponents, e)
	}
	return exponents
}

// String describes the tasks, for a user who wants to know why a run does not end.
func (p *Processor) String() string {
	return fmt.Sprintf("%d tasks executed, %d ready, %d waiting for a parent", p.tally.Nodes, p.ReadyCount(), len(p.waiting))
}
