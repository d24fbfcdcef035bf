package ring

// keepSend is KS-BF: every rank keeps the left child and passes the right one on.
//
// With a load test a rank passes the right child on only where that leaves the next
// rank no worse off than itself: where the next rank had fewer tasks at the start of
// the step than this one has now, the left child among them. The test is this
// project's: the paper's regimen looks at nothing. What the neighbour has is taken to
// come with the messages of the step before.
func (l *lockstep) keepSend(loadTest bool) {
	type parcel struct {
		task Task
		full bool
	}
	processors := make([]*Processor, l.p)
	for i := range processors {
		processors[i] = NewProcessor(l.work)
	}
	parcels, loads := make([]parcel, l.p), make([]int, l.p)
	processors[0].Offer(l.work.Root())
	for busy := true; busy; {
		for i, p := range processors {
			loads[i] = p.Ready()
		}
		for i, p := range processors {
			if loads[i] == 0 {
				continue
			}
			_, right, send := p.Execute()
			l.executed(i, &p.task)
			to := (i + 1) % l.p
			switch {
			case !send:
			case l.p == 1 || loadTest && p.Ready() <= loads[to]:
				p.Offer(right)
			default:
				l.message(1)
				l.steps.Moves++
				parcels[to] = parcel{right, true}
			}
		}
		busy = false
		for i, p := range processors {
			if parcels[i].full {
				p.Offer(parcels[i].task)
				parcels[i].full = false
			}
			busy = busy || p.Ready() > 0
		}
		busy = l.next() && busy
	}
	l.finish(processors...)
}
