package objects

import (
	"fmt"

	"treesplit/comm"
	"treesplit/mapping"
)

// Config holds the parameters of the ranks. All ranks have the same benchmark. Only rank 0 uses
// Remap and Costs.
type Config struct {
	Benchmark Benchmark // accepted by Validate
	// Costs are the costs of a message between ranks, for the problem that Remap gets.
	Costs mapping.Machine
	// Remap maps the objects again between two phases. It gets a problem with the measurements,
	// in which every object's current rank is its home, and the current map. nil: objects stay.
	Remap func(p *mapping.Problem, now mapping.Map) (mapping.Map, error)
	// Clock is the clock that measures the loads of objects, on the rank that calls it. nil: the
	// Now of the rank's Env.
	Clock func() comm.Time
}

// Rank is one rank of the benchmark (package documentation). Its driver calls Step while the rank
// is Busy, and Deliver with every message that arrives. After Done it calls only Deliver, while
// messages are in flight.
type Rank struct {
	config  Config
	sizes   []int
	offsets []int

	owner   []int32   // the rank of each object
	objects []*object // by number; nil: on another rank
	stage   int32
	limit   int32     // number of iterations of each object up to the end of this phase
	current *object   // the object that is computing
	queue   []*object // objects that can begin an iteration, oldest first from head on
	head    int
	lacking int            // objects that have not finished the phase, or not arrived
	due     bool           // the stage has ended here, and rank 0 does not know it yet
	out     []comm.Message // messages of the computing object to other ranks
	scratch []byte
	spare   [][]byte // bodies that have been read, for reuse
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

// traffic counts messages to other ranks.
type traffic struct{ messages, bytes int64 }

// NewRank returns a rank that is not started yet.
func NewRank(c Config) *Rank {
	return &Rank{config: c, sizes: c.Benchmark.drawSizes(), offsets: c.Benchmark.partnerOffsets(), scratch: make([]byte, c.Benchmark.Bytes)}
}

// Start makes the objects that start on this rank.
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

// Reason returns the reason for the end of the run: the argument of Halt, or 0.
func (r *Rank) Reason() int64 { return r.reason }

// Err returns the error of the first invalid message, or the error of Remap, or nil. The run
// cannot continue after an error.
func (r *Rank) Err() error { return r.err }

// ComputedUnits returns the number of units of work computed on this rank.
func (r *Rank) ComputedUnits() int64 { return r.units }

// MoveCounts returns the numbers of objects that have left and reached the rank, and the bytes of
// the objects that have left.
func (r *Rank) MoveCounts() (left, came, bytes int64) { return r.moved.messages, r.came, r.moved.bytes }

// EachObject calls f with the number of every object on this rank.
func (r *Rank) EachObject(f func(object int)) {
	for i, o := range r.objects {
		if o != nil {
			f(i)
		}
	}
}

// RunReport returns the observations of rank 0 so far; nil on other ranks.
func (r *Rank) RunReport() *Report {
	if r.root == nil {
		return nil
	}
	return &r.root.report
}

// String describes the rank for debugging a run that does not end.
func (r *Rank) String() string {
	here := 0
	r.EachObject(func(int) { here++ })
	s := fmt.Sprintf("%d objects in stage %d, %d lacking, %d ready, halting %v, done %v", here, r.stage, r.lacking, len(r.queue)-r.head, r.halting, r.done)
	if r.root != nil {
		s += fmt.Sprintf(", %d ranks ready", r.root.ready)
	}
	return s
}

// readClock returns the time on the clock that measures loads.
func (r *Rank) readClock(env comm.Env) comm.Time {
	if r.config.Clock != nil {
		return r.config.Clock()
	}
	return env.Now()
}

// Step computes up to limit units of work, and sends the messages of objects that have finished
// an iteration.
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

// dequeueObject removes the oldest object from the queue.
func (r *Rank) dequeueObject() *object {
	o := r.queue[r.head]
	r.queue[r.head] = nil
	if r.head++; r.head == len(r.queue) {
		r.queue, r.head = r.queue[:0], 0
	}
	return o
}

// writeMessages writes the messages of an object. Messages to objects on this rank are read at
// once. Messages to other ranks wait in out, so that the cost of sending them does not count as
// computing.
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

// sendMessages sends the messages that writeMessages has written.
func (r *Rank) sendMessages(env comm.Env) {
	r.phase.messages += int64(len(r.out))
	for i, m := range r.out {
		r.phase.bytes += int64(len(m.Body))
		env.Send(m)
		r.out[i].Body = nil
	}
	r.out = r.out[:0]
}

// takeSpareBody returns a body for a message.
func (r *Rank) takeSpareBody() []byte {
	k := len(r.spare)
	if k == 0 {
		return make([]byte, r.config.Benchmark.Bytes)
	}
	b := r.spare[k-1]
	r.spare = r.spare[:k-1]
	return b
}

// spares is the largest number of bodies kept for reuse.
const spares = 1 << 10

// receiveMessage handles a message to an object on this rank.
func (r *Rank) receiveMessage(o *object, from int, iteration int32, body []byte) {
	s := o.messageSlot(iteration)
	s.messages++
	s.sum += digestMessage(body, from)
	if iteration == o.iteration && int(s.messages) == len(r.offsets) {
		r.advanceObject(o)
	}
}

// advanceObject queues an object that can begin an iteration in this phase, or notes that the
// object has finished the phase. It is called for every object on this rank at the start of a
// phase, after an iteration of an object, and when the messages for its next iteration are
// complete. The last two come in either order; the first of them has no effect.
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
