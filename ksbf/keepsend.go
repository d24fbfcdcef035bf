package ksbf

// runKeepSend is KS-BF: every rank keeps the left child and passes the right one on.
//
// With a load test a rank passes the right child on only where that leaves the next
// rank no worse off than itself: where the next rank had fewer tasks at the start of
// the step than this one has now, the left child among them. The test is this
// project's: the paper's regimen looks at nothing. What the neighbour has is taken to
// come with the messages of the step before.
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
	parcels    []parcel // to each rank
	loads      []int    // at the start of the step
}

// parcel is a right child on its way to the next rank, or none.
type parcel struct {
	task Task
	full bool
}

// executeStep makes a step and says whether there is another one to make.
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
