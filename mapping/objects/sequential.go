package objects

// Loop is the benchmark in one plain loop, without ranks. Runs are checked and compared with it.
type Loop struct {
	benchmark Benchmark
	sizes     []int
	offsets   []int
	states    []uint64
	in, out   []uint64 // sums of messages, for this iteration and the next
	body      []byte
	iteration int
	object    int // the object that is computing
	done      int // number of its finished units
}

// NewLoop returns the loop of a benchmark that Validate has accepted, at its beginning.
func NewLoop(b Benchmark) *Loop {
	l := &Loop{
		benchmark: b, sizes: b.drawSizes(), offsets: b.partnerOffsets(), body: make([]byte, b.Bytes),
		states: make([]uint64, b.Objects), in: make([]uint64, b.Objects), out: make([]uint64, b.Objects),
	}
	for i := range l.states {
		l.states[i] = initialState(b.Seed, i)
	}
	return l
}

// IsFinished reports whether all iterations are complete.
func (l *Loop) IsFinished() bool { return l.iteration == l.benchmark.Iterations*l.benchmark.Phases }

// ComputeUnits computes up to limit units of work and returns their number.
func (l *Loop) ComputeUnits(limit int) (units int) {
	for !l.IsFinished() && units < limit {
		i := l.object
		if l.done == 0 {
			l.states[i] = absorbMessages(l.states[i], l.in[i])
		}
		n := min(l.sizes[i]-l.done, limit-units)
		for range n {
			l.states[i] = computeUnit(l.states[i])
		}
		units += n
		if l.done += n; l.done == l.sizes[i] {
			l.sendMessages()
		}
	}
	return units
}

// sendMessages sends the messages of the object that has computed, and advances to the next
// object.
func (l *Loop) sendMessages() {
	n := len(l.states)
	for _, o := range l.offsets {
		to := (l.object + o) % n
		fillMessage(l.body, l.states[l.object], to)
		l.out[to] += digestMessage(l.body, l.object)
	}
	l.done = 0
	if l.object++; l.object == n {
		l.object = 0
		l.iteration++
		l.in, l.out = l.out, l.in
		clear(l.out)
	}
}

// Checksum returns the checksum of the current states of all objects. After the last iteration it
// is the checksum of the run.
func (l *Loop) Checksum() uint64 { return checksumStates(l.states) }

// Sequential runs a benchmark that Validate has accepted and returns its checksum.
func Sequential(b Benchmark) uint64 {
	l := NewLoop(b)
	for !l.IsFinished() {
		l.ComputeUnits(1 << 20)
	}
	return l.Checksum()
}
