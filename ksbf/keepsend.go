package ksbf

// runKeepSend simulates KS-BF: every rank keeps the left child and sends the right one on.
//
// With the load test a rank sends the right child only if the next rank is then not worse off
// than itself: the next rank had fewer tasks at the start of the step than this rank has now,
// including the left child. The test is an addition of this project: the paper's regimen uses
// no loads. The neighbour's load is assumed to arrive with the messages of the previous step.
func (l *lockstep) runKeepSend(loadTest bool) {
	r := regimen{lockstep: l, loadTest: loadTest, processors: make([]*Processor, l.p), parcels: make([]parcel, l.p), loads: make([]int, l.p)}
	for i := range r.processors {
		r.processors[i] = NewProcessor(l.work)
	}
	r.processors[0].OfferTask(l.work.Root())
	for r.executeStep() && l.advanceStep() {
	}
	l.sumUpCounts(r.processors...)
}

// regimen is a simulation of keep left, send right.
type regimen struct {
	*lockstep
	loadTest   bool
	processors []*Processor
	parcels    []parcel // the parcel for each rank
	loads      []int    // at the start of the step
}

// parcel is a right child in flight to the next rank, or none.
type parcel struct {
	task Task
	full bool
}

// executeStep executes one step and reports whether tasks remain.
func (r *regimen) executeStep() (more bool) {
	for i, p := range r.processors {
		r.loads[i] = p.ReadyCount()
	}
	for i, p := range r.processors {
		if r.loads[i] == 0 {
			continue
		}
		_, right, send := p.Execute()
		r.recordExecution(i, &p.task)
		to := (i + 1) % r.p
		switch {
		case !send:
		case r.p == 1 || r.loadTest && p.ReadyCount() <= r.loads[to]:
			p.OfferTask(right)
		default:
			r.countMessage(i, 1).Moves++
			r.parcels[to] = parcel{right, true}
		}
	}
	for i, p := range r.processors {
		if r.parcels[i].full {
			p.OfferTask(r.parcels[i].task)
			r.parcels[i].full = false
		}
		more = more || p.ReadyCount() > 0
	}
	return more
}
