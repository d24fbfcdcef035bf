package objects

import (
	"fmt"

	"treesplit/comm"
	"treesplit/mapping"
)

// Config is what ranks are made with. All ranks have the same benchmark; Remap and Costs
// are used on rank 0 alone.
type Config struct {
	Benchmark Benchmark // that Validate has accepted
	// Costs are the costs of a message between ranks, for the problem that Remap gets.
	Costs mapping.Machine
	// Remap maps the objects again between two phases. It gets a problem with the measurements,
	// in which every object's current rank is its home, and the current map. nil: objects stay.
	Remap func(p *mapping.Problem, now mapping.Map) (mapping.Map, error)
	// Clock is what the loads of objects are measured by, on the rank that calls it. nil:
	// the Now of the rank's Env.
	Clock func() comm.Time
}

// Rank is one rank of the benchmark (package documentation). Its driver calls Step while
// Busy, Deliver with every message that arrives, and neither any more once Done, except for
// Deliver while messages are left.
type Rank struct {
	config  Config
	sizes   []int
	offsets []int

	owner   []int32   // the rank of each object
	objects []*object // by number; nil: on another rank
	stage   int32
	limit   int32     // iterations that objects make in this phase and those before
	current *object   // that computes
	queue   []*object // that have what they wait for, oldest first from head on
	head    int
	lacking int            // objects that have not come to the end of the phase, or not arrived
	due     bool           // the stage has come to its end here, which rank 0 is to be told
	out     []comm.Message // of the object that computes, to other ranks
	scratch []byte
	spare   [][]byte // bodies that have been read, to be sent again
	root    *root    // on rank 0

	phase   traffic // of this phase
	units   int64
	moved   traffic // objects that left, and their bytes
	came    int64   // objects that arrived
	halting bool
	done    bool
	reason  int64
	err     error
}

// traffic is what went to other ranks.
type traffic struct{ messages, bytes int64 }

// NewRank returns a rank that has not been started.
func NewRank(c Config) *Rank {
	return &Rank{config: c, sizes: c.Benchmark.drawSizes(), offsets: c.Benchmark.partnerOffsets(), scratch: make([]byte, c.Benchmark.Bytes)}
}

// Start makes the objects that start here.
func (r *Rank) Start(env comm.Env) {
	n := r.config.Benchmark.Objects
	r.owner = r.config.Benchmark.initialOwners(env.Size())
	r.objects = make([]*object, n)
	for i, q := range r.owner {
		if int(q) == env.Rank() {
			r.objects[i] = &object{number: int32(i), state: initialState(r.config.Benchmark.Seed, i)}
		}
	}
	if env.Rank() == 0 {
		r.root = newRoot(n, env.Size())
	}
	r.due = true
	r.reportStageEnd(env)
}

// Busy reports whether the rank has something to compute.
func (r *Rank) Busy() bool {
	return !r.done && !r.halting && (r.current != nil || r.head < len(r.queue))
}

// Done reports whether the rank knows that the run is over.
func (r *Rank) Done() bool { return r.done }

// Reason is why the run is over: what was given to Halt, or 0.
func (r *Rank) Reason() int64 { return r.reason }

// Err is the first message that made no sense, or the error of Remap, or nil. The run
// cannot go on after it.
func (r *Rank) Err() error { return r.err }

// ComputedUnits is the number of units of work computed here.
func (r *Rank) ComputedUnits() int64 { return r.units }

// MoveCounts are the numbers of objects that left the rank and that came, and the bytes of
// those that left.
func (r *Rank) MoveCounts() (left, came, bytes int64) { return r.moved.messages, r.came, r.moved.bytes }

// EachObject calls f with the number of every object that is here.
func (r *Rank) EachObject(f func(object int)) {
	for i, o := range r.objects {
		if o != nil {
			f(i)
		}
	}
}

// RunReport is what rank 0 has seen of the run so far; nil on other ranks.
func (r *Rank) RunReport() *Report {
	if r.root == nil {
		return nil
	}
	return &r.root.report
}

// String describes the rank for a person who wonders why a run does not end.
func (r *Rank) String() string {
	here := 0
	r.EachObject(func(int) { here++ })
	s := fmt.Sprintf("%d objects in stage %d, %d lacking, %d ready, halting %v, done %v", here, r.stage, r.lacking, len(r.queue)-r.head, r.halting, r.done)
	if r.root != nil {
		s += fmt.Sprintf(", %d ranks ready", r.root.ready)
	}
	return s
}

// readClock is the moment by the clock that loads are measured by.
func (r *Rank) readClock(env comm.Env) comm.Time {
	if r.config.Clock != nil {
		return r.config.Clock()
	}
	return env.Now()
}

// Step computes up to limit units of work, and sends the messages of objects that have done
// theirs.
func (r *Rank) Step(env comm.Env, limit int) (units int) {
	for units < limit && r.Busy() {
		begin := r.readClock(env)
		if r.current == nil {
			r.current = r.dequeueObject()
			r.current.beginIteration(r.sizes[r.current.number])
		}
		o := r.current
		n := o.computeUnits(limit - units)
		units += n
		r.units += int64(n)
		if o.left == 0 {
			r.writeMessages(o)
		}
		o.load += int64(r.readClock(env) - begin)
		if o.left == 0 {
			r.sendMessages(env)
			r.current, o.queued = nil, false
			r.advanceObject(o)
		}
	}
	r.reportStageEnd(env)
	return units
}

// dequeueObject takes the oldest object out of the queue.
func (r *Rank) dequeueObject() *object {
	o := r.queue[r.head]
	r.queue[r.head] = nil
	if r.head++; r.head == len(r.queue) {
		r.queue, r.head = r.queue[:0], 0
	}
	return o
}

// writeMessages writes the messages of an object. Those to objects here are read at once; those
// to others wait in out, so that what sending them costs is not counted as computing.
func (r *Rank) writeMessages(o *object) {
	n := len(r.objects)
	for _, d := range r.offsets {
		to := (int(o.number) + d) % n
		if here := r.objects[to]; here != nil {
			fillMessage(r.scratch, o.state, to)
			r.receiveMessage(here, int(o.number), o.iteration, r.scratch)
			continue
		}
		body := r.takeSpareBody()
		fillMessage(body, o.state, to)
		r.out = append(r.out, comm.Message{
			To: r.owner[to], Kind: comm.Parcel, Tag: o.iteration, Arg: int64(o.number)<<32 | int64(to), Body: body,
		})
	}
}

// sendMessages sends what write has written.
func (r *Rank) sendMessages(env comm.Env) {
	r.phase.messages += int64(len(r.out))
	for i, m := range r.out {
		r.phase.bytes += int64(len(m.Body))
		env.Send(m)
		r.out[i].Body = nil
	}
	r.out = r.out[:0]
}

// takeSpareBody is a body to be sent.
func (r *Rank) takeSpareBody() []byte {
	k := len(r.spare)
	if k == 0 {
		return make([]byte, r.config.Benchmark.Bytes)
	}
	b := r.spare[k-1]
	r.spare = r.spare[:k-1]
	return b
}

// spares is how many bodies are kept at most.
const spares = 1 << 10

// receiveMessage takes in a message to an object that is here.
func (r *Rank) receiveMessage(o *object, from int, iteration int32, body []byte) {
	s := o.messageSlot(iteration)
	s.messages++
	s.sum += digestMessage(body, from)
	if iteration == o.iteration && int(s.messages) == len(r.offsets) {
		r.advanceObject(o)
	}
}

// advanceObject queues an object that can begin an iteration in this phase, or notes that it
// has come to the phase's end. It is called for every object that is here when the phase
// begins, when an object has made an iteration, and when it has what the next one waits
// for; the last two of an object in either order, of which the first does nothing.
func (r *Rank) advanceObject(o *object) {
	switch {
	case !isPhaseStage(r.stage) || o.queued || !o.hasAllMessages(len(r.offsets)):
	case o.iteration < r.limit:
		o.queued = true
		r.queue = append(r.queue, o)
	default:
		r.lacking--
		r.due = r.lacking == 0
	}
}
