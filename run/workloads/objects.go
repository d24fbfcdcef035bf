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

// Objects is the ring benchmark of communicating objects (package objects). A strategy of package
// mapping/auto maps the objects again between the phases. The problem consists of the parameters,
// which every rank has from the command line.
type Objects struct {
	Benchmark objects.Benchmark
	Strategy  string        // one of auto.Strategies, or Stay
	Time      time.Duration // most time for one mapping; 0: until the strategy ends by itself
	// Message is the assumed cost of a message between ranks at either end; 0: the measured cost,
	// or the cost of the simulated machine.
	Message time.Duration
}

// Stay is the strategy that never moves an object. Other strategies are compared with it.
const Stay = "stay"

// Observed holds the observations of a run.
type Observed struct {
	objects.Report
	Costs mapping.Machine // costs of a message of the benchmark's size between ranks
	Clock string          // the clock that measures loads
	Loop  *uint64         // checksum of the plain loop, if it has run before
}

// Load checks the parameters.
func (w *Objects) Load() (run.Problem, error) { return w.Decode(nil) }

// Decode checks the parameters. It ignores the data.
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

// ReadResult returns the observations of a run, on rank 0. It checks that all work was done. If
// the plain loop has run before, it also checks that all objects have the states of the loop.
func (w *Objects) ReadResult(r *run.Result) (o Observed, err error) {
	if err = json.Unmarshal(r.Witness, &o); err != nil {
		return o, fmt.Errorf("internal error: the report of rank 0 cannot be read: %w", err)
	}
	if r.Why != lb.Exhausted {
		return o, nil
	}
	if units := w.Benchmark.TotalUnits(); r.Expanded != units {
		return o, fmt.Errorf("internal error: %d units of work were done of %d", r.Expanded, units)
	}
	if o.Loop != nil && *o.Loop != o.Checksum {
		return o, fmt.Errorf("internal error: the checksum is %016x, in one loop %016x", o.Checksum, *o.Loop)
	}
	return o, nil
}

// objectsProblem is the benchmark as a rank runs it.
type objectsProblem struct {
	Objects
	strategy mapping.Strategy // the strategy, except Stay
	costs    mapping.Machine
	clock    func() comm.Time // nil: the clock of the world
	loop     *objects.Loop    // the loop that has run before, or nil
}

func (p *objectsProblem) Encode() ([]byte, error) { return nil, nil }

// Names returns the names that replace a scheme and a detector.
func (p *objectsProblem) Names() (scheme, termination string) { return p.Strategy, "stages" }

// On measures the cost of a message and selects the clock of the thread.
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

// OnMachine takes the costs of a message from the machine. The time that a message is in flight
// costs no processor time.
func (p *objectsProblem) OnMachine(m sim.Machine) run.Problem {
	own := *p
	own.costs = p.givenCosts()
	if p.Message == 0 {
		own.costs = mapping.Machine{SendMessage: float64(m.Startup), ReceiveMessage: float64(m.Receive)}
	}
	return &own
}

// givenCosts returns the costs for a given Message.
func (p *objectsProblem) givenCosts() mapping.Machine {
	return mapping.Machine{SendMessage: float64(p.Message), ReceiveMessage: float64(p.Message)}
}

// remapObjects maps the objects again. The new map is never worse than the current map.
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

// encodeReport encodes the report of rank 0; it returns nil on other ranks.
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
		panic(err) // numbers can always be encoded
	}
	return data
}

// Share makes the share of a sequential run: the benchmark in one loop.
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
	return errors.New("the ring benchmark has received a piece: expected none, because it is never split")
}
