package workloads

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"treesplit/comm"
	"treesplit/internal/cputime"
	"treesplit/lb"
	"treesplit/mapping"
	"treesplit/mapping/auto"
	"treesplit/mapping/objects"
	"treesplit/run"
	"treesplit/search"
	"treesplit/sim"
)

// Objects is the ring benchmark of communicating objects (package objects), mapped again
// between its phases by a strategy of package mapping/auto. Its problem is its parameters,
// which every rank has from the command line.
type Objects struct {
	Benchmark objects.Benchmark
	Strategy  string        // one of auto.Strategies, or Stay
	Time      time.Duration // that mapping may take; 0: until the strategy ends by itself
	// Message is what a message between ranks is taken to cost at either end; 0: what is
	// measured, or the simulated machine's.
	Message time.Duration
}

// Stay is the strategy that leaves objects where they are: what others are compared with.
const Stay = "stay"

// Observed is what a run has shown.
type Observed struct {
	objects.Report
	Costs mapping.Machine // of a message of the benchmark's size between ranks
	Clock string          // what loads are measured by
	Loop  *uint64         // the checksum of the plain loop, if that has run before
}

// Load checks the parameters.
func (w *Objects) Load() (run.Problem, error) { return w.Decode(nil) }

// Decode has nothing to decode.
func (w *Objects) Decode([]byte) (run.Problem, error) {
	if err := w.Benchmark.Validate(); err != nil {
		return nil, err
	}
	if w.Time < 0 || w.Message < 0 {
		return nil, fmt.Errorf("time to map %v, cost of a message %v: expected 0 or more", w.Time, w.Message)
	}
	p := &objectsProblem{Objects: *w}
	if w.Strategy == Stay {
		return p, nil
	}
	s, err := auto.FindStrategy(w.Strategy)
	p.strategy = s
	return p, err
}

// ReadResult reads the result of a run, on rank 0, and checks that all work was done and, where
// the plain loop has run before, that all objects have its states.
func (w *Objects) ReadResult(r *run.Result) (o Observed, err error) {
	if err = json.Unmarshal(r.Witness, &o); err != nil {
		return o, fmt.Errorf("internal error: what rank 0 has seen: %w", err)
	}
	if r.Why != lb.Exhausted {
		return o, nil
	}
	if units := w.Benchmark.TotalUnits(); r.Expanded != units {
		return o, fmt.Errorf("internal error: %d units of work were done of %d", r.Expanded, units)
	}
	if o.Loop != nil && *o.Loop != o.Checksum {
		return o, fmt.Errorf("internal error: checksum %016x, and %016x in one loop", o.Checksum, *o.Loop)
	}
	return o, nil
}

// objectsProblem is the benchmark as a rank runs it.
type objectsProblem struct {
	Objects
	strategy mapping.Strategy // except for Stay
	costs    mapping.Machine
	clock    func() comm.Time // nil: the world's
	loop     *objects.Loop    // that has run before, or nil
}

func (p *objectsProblem) Encode() ([]byte, error) { return nil, nil }

// Names are what there is in place of a scheme and a detector.
func (p *objectsProblem) Names() (scheme, termination string) { return p.Strategy, "stages" }

// On measures what a message costs and takes the thread's own clock.
func (p *objectsProblem) On(t comm.Transport) (run.Problem, error) {
	own := *p
	own.clock = cputime.Now
	own.costs = p.givenCosts()
	if p.Message == 0 {
		var err error
		if own.costs, err = messageCosts(t, p.Benchmark.Bytes); err != nil {
			return nil, err
		}
	}
	return &own, nil
}

// OnMachine takes the machine's costs of a message. What it takes to be on its way occupies
// nobody.
func (p *objectsProblem) OnMachine(m sim.Machine) run.Problem {
	own := *p
	own.costs = p.givenCosts()
	if p.Message == 0 {
		own.costs = mapping.Machine{SendMessage: float64(m.Startup), ReceiveMessage: float64(m.Receive)}
	}
	return &own
}

// givenCosts is the cost of a message that was asked for.
func (p *objectsProblem) givenCosts() mapping.Machine {
	return mapping.Machine{SendMessage: float64(p.Message), ReceiveMessage: float64(p.Message)}
}

// remapObjects maps objects again. No map is worse than the one there is.
func (p *objectsProblem) remapObjects(problem *mapping.Problem, now mapping.Map) (mapping.Map, error) {
	o := mapping.Options{Seed: p.Benchmark.Seed, Start: now}
	if p.Time > 0 {
		end := time.Now().Add(p.Time)
		o.Stop = func() bool { return !time.Now().Before(end) }
	}
	return p.strategy.Run(problem, o), nil
}

// Rank makes a rank of the benchmark.
func (p *objectsProblem) Rank() (lb.Balancer, func() (run.Counts, []byte)) {
	c := objects.Config{Benchmark: p.Benchmark, Costs: p.costs, Clock: p.clock}
	if p.Strategy != Stay {
		c.Remap = p.remapObjects
	}
	r := objectsRank{objects.NewRank(c), p.Benchmark.Objects}
	return r, func() (run.Counts, []byte) { return run.Counts{}, p.encodeReport(r.RunReport()) }
}

// encodeReport encodes what rank 0 has seen; nil on other ranks.
func (p *objectsProblem) encodeReport(r *objects.Report) []byte {
	if r == nil {
		return nil
	}
	o := Observed{Report: *r, Costs: p.costs, Clock: "virtual time"}
	if p.clock != nil {
		o.Clock = cputime.Name
	}
	if p.loop != nil && p.loop.IsFinished() {
		sum := p.loop.Checksum()
		o.Loop = &sum
	}
	data, err := json.Marshal(o)
	if err != nil {
		panic(err) // it is numbers
	}
	return data
}

// Share is for runs on one rank without ranks and messages, which take the root.
func (p *objectsProblem) Share(search.Splitting, bool) search.Work {
	p.loop = objects.NewLoop(p.Benchmark)
	return objectsLoop{p.loop}
}

func (p *objectsProblem) Count(search.Work) run.Counts { return run.Counts{} }

func (p *objectsProblem) Witness(search.Work) []byte { return nil }

// objectsLoop is the benchmark in one loop, as a share that cannot be split.
type objectsLoop struct{ *objects.Loop }

func (l objectsLoop) Expand(limit int) int { return l.ComputeUnits(limit) }

func (l objectsLoop) Empty() bool { return l.IsFinished() }

func (l objectsLoop) Split(dst []byte) ([]byte, bool) { return dst, false }

func (l objectsLoop) Accept([]byte) error {
	return errors.New("a piece of the ring benchmark: expected none, it is not split")
}
