package calibrate

import (
	"errors"
	"iter"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"treesplit/comm"
	"treesplit/lb"
	"treesplit/run"
	"treesplit/search"
	"treesplit/search/model"
	"treesplit/sim"
)

// program is a rank of a simulated machine that runs plain code over comm.Transport on a coroutine,
// whereas a Balancer only reacts. A poll is a step of a Busy rank that expands nothing; the
// simulator then charges Poll and delivers messages. A rank that waits is Waiting.
type program struct {
	lb.Balancer     // for methods that the simulator does not call
	comm.Collective // for collectives that no measurement uses
	env             comm.Env
	meeting         *meeting
	state           lb.State
	stats           lb.Stats
	inbox           []comm.Message
	met             int // meetings that have ended and that the program has not noticed
	next            func() (struct{}, bool)
	yield           func(struct{}) bool
}

// meeting is a point at which programs wait for each other.
type meeting struct {
	programs []*program
	arrived  int
	values   []int64
}

// onMachine runs body on every rank of a simulated machine.
func onMachine(t rapid.TB, m sim.Machine, ranks int, body func(p *program) error) {
	t.Helper()
	all := &meeting{}
	errs := make([]error, ranks)
	var stops []func()
	_, err := sim.Run(m, ranks, 1, func(rank int) lb.Balancer {
		p := &program{meeting: all}
		next, stop := iter.Pull(func(yield func(struct{}) bool) {
			p.yield = yield
			errs[rank] = body(p)
			p.state = lb.Done
		})
		p.next = next
		stops = append(stops, stop)
		all.programs = append(all.programs, p)
		return p
	}, sim.Options{})
	for _, stop := range stops {
		stop()
	}
	if err := errors.Join(append(errs, err)...); err != nil {
		t.Fatal(err)
	}
}

func (p *program) Start(env comm.Env) { p.env = env }

func (p *program) Step(comm.Env, int) int {
	before := p.stats.Expanded
	p.next()
	return int(p.stats.Expanded - before)
}

func (p *program) Deliver(_ comm.Env, m comm.Message) {
	if m.Kind == comm.Pulse {
		p.met++
	} else {
		p.inbox = append(p.inbox, m)
	}
	if p.state == lb.Waiting {
		p.state = lb.Busy
	}
}

func (p *program) State() lb.State   { return p.state }
func (p *program) Reason() lb.Reason { return lb.Timeout }
func (p *program) Stats() lb.Stats   { return p.stats }
func (p *program) Err() error        { return nil }
func (p *program) Dump() string      { return p.state.String() }
func (p *program) Audit() (a lb.Audit) {
	if p.env.Rank() == 0 {
		a.Held.AddCredit(0) // the whole credit
	}
	return a
}

func (p *program) Rank() int           { return p.env.Rank() }
func (p *program) Size() int           { return p.env.Size() }
func (p *program) Now() comm.Time      { return p.env.Now() }
func (p *program) Send(m comm.Message) { p.env.Send(m) }

func (p *program) TryRecv() (m comm.Message, ok bool) {
	if len(p.inbox) == 0 {
		p.yield(struct{}{})
	}
	if len(p.inbox) == 0 {
		return m, false
	}
	m, p.inbox = p.inbox[0], p.inbox[1:]
	return m, true
}

// wait lets the simulation continue until something has been delivered.
func (p *program) wait() {
	p.state = lb.Waiting
	p.yield(struct{}{})
}

func (p *program) Recv(comm.Time) (m comm.Message, ok bool) {
	for len(p.inbox) == 0 {
		p.wait()
	}
	return p.TryRecv()
}

func (p *program) meet() {
	if p.meeting.arrived++; p.meeting.arrived < len(p.meeting.programs) {
		for p.met == 0 {
			p.wait()
		}
		p.met--
		return
	}
	p.meeting.arrived = 0
	for i := range p.meeting.programs {
		if i != p.Rank() {
			p.Send(comm.Message{To: int32(i), Kind: comm.Pulse})
		}
	}
}

func (p *program) Drain(func(comm.Message)) error { p.meet(); return nil }

func (p *program) reduce(v []int64, join func(a, b int64) int64) error {
	m := p.meeting
	if m.arrived == 0 {
		m.values = slices.Clone(v)
	} else {
		for i := range v {
			m.values[i] = join(m.values[i], v[i])
		}
	}
	p.meet()
	copy(v, m.values)
	return nil
}

func (p *program) Sum(v []int64) error {
	return p.reduce(v, func(a, b int64) int64 { return a + b })
}
func (p *program) Max(v []int64) error {
	return p.reduce(v, func(a, b int64) int64 { return max(a, b) })
}

// charged is work whose nodes the simulator charges.
type charged struct {
	*model.Binary
	p *program
}

func (c charged) Expand(limit int) int {
	n := c.Binary.Expand(limit)
	c.p.stats.Expanded += int64(n)
	return n
}

// tree returns a problem with the given number of nodes.
func (p *program) tree(nodes int64) run.Problem {
	return run.Made(func(_ search.Splitting, root bool) search.Work {
		b, err := model.NewBinary(model.Halving{Nodes: nodes, Sigma: 0.2}, root)
		if err != nil {
			panic(err)
		}
		return charged{b, p}
	})
}

// measured calibrates a simulated machine.
func measured(t rapid.TB, m sim.Machine, ranks int, nodes int64, span comm.Time) (found Measures) {
	t.Helper()
	onMachine(t, m, ranks, func(p *program) error {
		got, err := MeasureCosts(p, p.tree(nodes), Options{Splitting: search.DefaultSplitting, Nodes: span, Rounds: 3})
		if p.Rank() == 0 {
			found = got
		}
		return err
	})
	return found
}

// Calibrating a simulated machine finds the costs of the machine. The words of a header are part of
// the latency, as in t_s.
func TestFindsTheCostsOfAMachine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cost := func(name string) comm.Time {
			return comm.Time(rapid.Int64Range(1, 200_000).Draw(t, name))
		}
		m := sim.Machine{
			Name: "given", Topology: "crossbar",
			Expand: 1000 + cost("expand"), ExpandPico: rapid.Int64Range(0, 999).Draw(t, "pico"), Poll: cost("poll"), Startup: cost("startup"),
			Receive: cost("receive"), PerWord: cost("per-word") / 100, PerHop: cost("per-hop"), HeaderWords: rapid.IntRange(0, 8).Draw(t, "header"),
			Quantum: 1, Serve: bursts[len(bursts)-1],
		}
		ranks := rapid.IntRange(2, 5).Draw(t, "ranks")
		found := measured(t, m, ranks, 2000, 3e9)
		got := found.BuildMachine("given", "", m.Serve)
		want := m
		want.PerHop, want.HeaderWords = m.PerHop+comm.Time(m.HeaderWords)*m.PerWord, 0
		want.Together, want.Rest = ranks, run.Rest
		// The simulator's clock counts nanoseconds: over 2000 nodes a picosecond may be lost.
		node := m.NodeCostPicos(ranks)
		for _, got := range []int64{got.NodeCostPicos(1), got.NodeCostPicos(ranks)} {
			if got < node-1 || got > node+1 {
				t.Errorf("a node takes %d ps, found %d", node, got)
			}
		}
		want.Expand, want.ExpandPico, want.AlonePico = got.Expand, got.ExpandPico, got.AlonePico
		want.Quantum, want.Work = got.Quantum, got.Work // properties of the workload
		if got != want {
			t.Errorf("found %+v\nof     %+v", got, want)
		}
		if found.Nodes != 2000 || !found.Whole {
			t.Errorf("walked %d nodes, whole %v", found.Nodes, found.Whole)
		}
	})
}

// A tree that takes longer than the available time is walked in parts. The measurement is as exact
// as for a small tree if all nodes cost the same.
func TestMeasuresLargeTreesInParts(t *testing.T) {
	m := sim.Machine{Name: "given", Topology: "crossbar", Expand: 18, ExpandPico: 250, Quantum: 1, Serve: 16, PerHop: 1000}
	found := measured(t, m, 3, 1<<40, 60e6)
	if got := found.BuildMachine("given", "", 0); got.Expand != 18 || got.ExpandPico != 250 || found.Whole {
		t.Errorf("found %+v, whole %v", got, found.Whole)
	}
	if got := found.Bytes; got.Median != 16 || got.N == 0 {
		t.Errorf("pieces have %+v bytes, want 16", got)
	}
}

// The costs of the built-in machines are found on their own networks, except for the costs of
// distance.
func TestFindsBuiltinMachines(t *testing.T) {
	for _, m := range sim.Builtin {
		m.Serve, m.Work = 16, sim.WorkSize{}
		if strings.Contains("bus", m.Topology) {
			continue // carries one message at a time: bursts take longer than their receipt
		}
		got := measured(t, m, 2, 1000, 1e9)
		machine := got.BuildMachine(m.Name, "", 0)
		if machine.Expand != m.Expand || machine.Poll != m.Poll || machine.Startup != m.Startup || machine.Receive != m.Receive || machine.PerWord != m.PerWord {
			t.Errorf("%s: found %+v, want %+v", m.Name, machine, m)
		}
	}
}

// An interruption of one rank ends the measurement on all ranks.
func TestInterrupted(t *testing.T) {
	m, err := sim.FindMachine("ncube2")
	if err != nil {
		t.Fatal(err)
	}
	for at := range 4 {
		onMachine(t, m, 3, func(p *program) error {
			asked := 0
			_, err := MeasureCosts(p, p.tree(1000), Options{Splitting: search.DefaultSplitting, Nodes: 1e9, Rounds: 3, Interrupted: func() bool {
				asked++
				return p.Rank() == 1 && asked > at
			}})
			if !errors.Is(err, ErrInterrupted) {
				return errors.New("no end")
			}
			return nil
		})
	}
}
