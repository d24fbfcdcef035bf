package objects

// Loop is the benchmark in one plain loop, without ranks: what runs are checked and
// measured against.
type Loop struct {
	benchmark Benchmark
	sizes     []int
	offsets   []int
	states    []uint64
	in, out   []uint64 // what messages add up to, for this iteration and the next
	body      []byte
	iteration int
	object    int // that computes
	done      int // units of its
}

// NewLoop returns the loop of a benchmark that Validate has accepted, at its beginning.
func NewLoop(b Benchmark) *Loop {
	l := &Loop{
		benchmark: b, sizes: b.sizes(), offsets: b.offsets(), body: make([]byte, b.Bytes),
		states: make([]uint64, b.Objects), in: make([]uint64, b.Objects), out: make([]uint64, b.Objects),
	}
	for i := range l.states {
		l.states[i] = initial(b.Seed, i)
	}
	return l
}

// Over says that all iterations are made.
func (l *Loop) Over() bool { return l.iteration == l.benchmark.Iterations*l.benchmark.Phases }

// Run computes up to limit units of work and returns how many.
func (l *Loop) Run(limit int) (units int) {
	for !l.Over() && units < limit {
		i := l.object
		if l.done == 0 {
			l.states[i] = take(l.states[i], l.in[i])
		}
		n := min(l.sizes[i]-l.done, limit-units)
		for range n {
			l.states[i] = unit(l.states[i])
		}
		units += n
		if l.done += n; l.done == l.sizes[i] {
			l.send()
		}
	}
	return units
}

// send sends the messages of the object that has computed, and goes on to the next.
func (l *Loop) send() {
	n := len(l.states)
	for _, o := range l.offsets {
		to := (l.object + o) % n
		write(l.body, l.states[l.object], to)
		l.out[to] += read(l.body, l.object)
	}
	l.done = 0
	if l.object++; l.object == n {
		l.object = 0
		l.iteration++
		l.in, l.out = l.out, l.in
		clear(l.out)
	}
}

// Checksum is that of the states of all objects so far. It is the run's once Over.
func (l *Loop) Checksum() uint64 { return checksum(l.states) }

// Sequential runs a benchmark that Validate has accepted and returns its checksum.
func Sequential(b Benchmark) uint64 {
	l := NewLoop(b)
	for !l.Over() {
		l.Run(1 << 20)
	}
	return l.Checksum()
}
