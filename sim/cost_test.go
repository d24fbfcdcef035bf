package sim

import (
	"fmt"
	"slices"
	"testing"

	"treesplit/comm"
	"treesplit/lb"
)

// script is a Balancer that follows the instructions of a test: it works for a number of nodes, and
// start, idle and deliver act through Env.
type script struct {
	lb.Balancer
	nodes   int
	start   func(env comm.Env)
	idle    func(env comm.Env) // called when the nodes are expanded
	deliver func(env comm.Env, m comm.Message)
	wake    func(env comm.Env)
	done    bool
	stats   lb.Stats
}

func (s *script) Start(env comm.Env) {
	if s.start != nil {
		s.start(env)
	}
}

func (s *script) Step(env comm.Env, limit int) int {
	n := min(limit, s.nodes)
	s.nodes -= n
	s.stats.Expanded += int64(n)
	if s.nodes == 0 && s.idle != nil {
		s.idle(env)
	}
	return n
}

func (s *script) Deliver(env comm.Env, m comm.Message) {
	if s.deliver != nil {
		s.deliver(env, m)
	}
}
func (s *script) Wake(env comm.Env) { s.wake(env) }

func (s *script) State() lb.State {
	switch {
	case s.done:
		return lb.Done
	case s.nodes > 0:
		return lb.Busy
	}
	return lb.Waiting
}
func (s *script) Reason() lb.Reason { return lb.Timeout }
func (s *script) Stats() lb.Stats   { return s.stats }
func (s *script) Err() error        { return nil }
func (s *script) Audit() (a lb.Audit) {
	a.Held.AddCredit(1) // half each of two ranks
	return a
}

// costly has a different prime for every cost, so that a sum identifies its parts.
var costly = Machine{
	Name: "costly", Topology: "ring",
	Expand: 1009, Poll: 211, Startup: 10007, Receive: 503, PerWord: 31, PerHop: 7,
	HeaderWords: 3, Quantum: 4, Serve: 1,
}

// moments runs two scripted ranks and returns the moment of each event, as "rank what" in order.
func moments(t *testing.T, m Machine, a, b *script) (log []string) {
	t.Helper()
	ranks := []*script{a, b}
	// Both ranks end at a moment later than all other events.
	for _, s := range ranks {
		start, wake := s.start, s.wake
		s.start = func(env comm.Env) {
			env.Alarm(1_000_000)
			if start != nil {
				start(env)
			}
		}
		s.wake = func(env comm.Env) {
			if env.Now() >= 1_000_000 {
				s.done = true
			} else {
				wake(env)
			}
		}
	}
	_, err := Run(m, 2, 1, func(rank int) lb.Balancer { return ranks[rank] }, Options{Trace: func(e Entry) {
		if e.At < 1_000_000 {
			log = append(log, fmt.Sprintf("%d %v at %d", e.Rank, e.What, e.At))
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	return log
}

func want(t *testing.T, got []string, format ...string) {
	t.Helper()
	if !slices.Equal(got, format) {
		t.Errorf("got\n%q, want\n%q", got, format)
	}
}

func at(rank int, what What, moment comm.Time) string {
	return fmt.Sprintf("%d %v at %d", rank, what, moment)
}

// A request to a waiting rank and its answer with a body of 10 bytes take the sum of their costs
// and nothing else.
func TestRoundTrip(t *testing.T) {
	m := costly
	a := &script{start: func(env comm.Env) { env.Send(comm.Message{To: 1, Kind: comm.WorkRequest}) }}
	b := &script{deliver: func(env comm.Env, m comm.Message) {
		env.Send(comm.Message{To: 0, Kind: comm.Grant, Body: make([]byte, 10)})
	}}
	control := 3*m.PerWord + m.PerHop
	grant := (3+3)*m.PerWord + m.PerHop
	sent := m.Startup
	answered := sent + control + m.Receive + m.Startup
	want(t, moments(t, m, a, b),
		at(0, Sent, sent), at(1, Sent, answered), at(1, Received, answered),
		at(0, Received, answered+grant+m.Receive))

	m.Work = WorkSize{Fixed, 500}
	grant = (3+125)*m.PerWord + m.PerHop
	a.done, b.done, a.wake, b.wake = false, false, nil, nil
	a.start, b.start = func(env comm.Env) { env.Send(comm.Message{To: 1, Kind: comm.WorkRequest}) }, nil
	want(t, moments(t, m, a, b),
		at(0, Sent, sent), at(1, Sent, answered), at(1, Received, answered),
		at(0, Received, answered+grant+m.Receive))
}

// A busy rank answers at its next poll, one message each time, and expands nodes in between.
func TestBusyRankAnswersAtPolls(t *testing.T) {
	m := costly
	m.Startup = 100
	a := &script{start: func(env comm.Env) {
		for range 3 {
			env.Send(comm.Message{To: 1, Kind: comm.WorkRequest})
		}
	}}
	b := &script{nodes: 10}
	step := 4 * m.Expand
	want(t, moments(t, m, a, b),
		at(0, Sent, 100), at(0, Sent, 200), at(0, Sent, 300),
		at(1, Stepped, step),
		at(1, Received, step+m.Poll+m.Receive),
		at(1, Stepped, 2*step+m.Poll+m.Receive),
		at(1, Received, 2*step+2*m.Poll+2*m.Receive),
		at(1, Stepped, 2*step+2*m.Poll+2*m.Receive+2*m.Expand), // the last two nodes; then the rank waits
		at(1, Received, 2*step+2*m.Poll+3*m.Receive+2*m.Expand))

	m.Serve = 2
	b.nodes, a.done, b.done, b.start, b.wake = 10, false, false, nil, nil
	got := moments(t, m, a, b)
	if i := slices.Index(got, at(1, Received, step+m.Poll+2*m.Receive)); i < 0 {
		t.Errorf("the second message is not answered at the first poll: %q", got)
	}
}

// An action of a rank within a Step happens after the nodes expanded so far, not at the beginning
// of the Step.
func TestStepIsChargedBeforeItsMessages(t *testing.T) {
	m := costly
	var now comm.Time
	a := &script{nodes: 7, idle: func(env comm.Env) {
		now = env.Now()
		env.Send(comm.Message{To: 1, Kind: comm.WorkRequest})
		env.Alarm(0) // past: rings at once
	}, wake: func(comm.Env) {}}
	b := &script{}
	worked := 7*m.Expand + m.Poll
	sent := worked + m.Startup
	want(t, moments(t, m, a, b),
		at(0, Stepped, 4*m.Expand),
		at(0, Sent, sent), at(0, Stepped, sent), at(0, Rang, sent),
		at(1, Received, sent+3*m.PerWord+m.PerHop+m.Receive))
	if now != worked {
		t.Errorf("Now is %d within the step, want %d", now, worked)
	}
}

// A message to the own rank costs only its receipt.
func TestOwnMessage(t *testing.T) {
	a := &script{start: func(env comm.Env) { env.Send(comm.Message{To: 0, Kind: comm.WorkRequest}) }}
	want(t, moments(t, costly, a, &script{}), at(0, Sent, 0), at(0, Received, costly.Receive))
}

// A short message does not overtake a long one to the same rank: both arrive together.
func TestShortDoesNotOvertakeLong(t *testing.T) {
	m := costly
	m.Startup = 10
	a := &script{start: func(env comm.Env) {
		env.Send(comm.Message{To: 1, Kind: comm.Grant, Body: make([]byte, 400)})
		env.Send(comm.Message{To: 1, Kind: comm.Reject})
	}}
	var kinds []comm.Kind
	b := &script{deliver: func(_ comm.Env, m comm.Message) { kinds = append(kinds, m.Kind) }}
	there := 10 + 103*m.PerWord + m.PerHop
	want(t, moments(t, m, a, b),
		at(0, Sent, 10), at(0, Sent, 20), at(1, Received, there+m.Receive), at(1, Received, there+2*m.Receive))
	if !slices.Equal(kinds, []comm.Kind{comm.Grant, comm.Reject}) {
		t.Errorf("received in the order %v", kinds)
	}
}

// A bus carries one message at a time; on other networks two messages do not delay each other.
func TestBus(t *testing.T) {
	m := costly
	send := func(to int32) func(comm.Env) {
		return func(env comm.Env) { env.Send(comm.Message{To: to, Kind: comm.WorkRequest}) }
	}
	way := 3*m.PerWord + m.PerHop
	apart := []string{at(0, Sent, m.Startup), at(1, Sent, m.Startup), at(1, Received, m.Startup+way+m.Receive), at(0, Received, m.Startup+way+m.Receive)}
	want(t, moments(t, m, &script{start: send(1)}, &script{start: send(0)}), apart...)
	m.Topology = "bus"
	apart[3] = at(0, Received, m.Startup+2*way+m.Receive)
	want(t, moments(t, m, &script{start: send(1)}, &script{start: send(0)}), apart...)
}

// The size of a work message follows the machine's rule. The number of bytes and the time of a run
// show it.
func TestWorkSize(t *testing.T) {
	tree := small(t)
	leftIn := func([]byte) int64 { return 10 }
	for _, c := range []struct {
		size  WorkSize
		piece []byte
		bytes int64
	}{
		{WorkSize{}, make([]byte, 7), 7},
		{WorkSize{Fixed, 500}, make([]byte, 7), 500},
		{WorkSize{Sqrt, 8}, make([]byte, 7), 26}, // ⌈8·√10⌉
		{WorkSize{Fixed, 500}, nil, 0},
	} {
		if got := c.size.bodyBytes(c.piece, leftIn); got != c.bytes {
			t.Errorf("%v: a body of %d bytes counts as %d, want %d", c.size, len(c.piece), got, c.bytes)
		}
	}
	var times []comm.Time
	for _, size := range []WorkSize{{Fixed, 4}, {Fixed, 40_000}, {Sqrt, 10_000}} {
		s := over(tree, nCUBE2, "rp", "credit", 4, 1)
		s.machine.Work = size
		r, err := s.run(t)
		if err != nil {
			t.Fatal(err)
		}
		if size.Rule == Fixed && r.Stats.Bytes != size.Bytes*r.Stats.Grants {
			t.Errorf("%v: %d bytes in %d pieces", size, r.Stats.Bytes, r.Stats.Grants)
		}
		times = append(times, r.Time)
	}
	if times[0] >= times[1] || times[0] >= times[2] {
		t.Errorf("runs with small, large and growing work messages take %v", times)
	}
}

// Jitter keeps the order of messages between two ranks.
func TestJitterKeepsOrder(t *testing.T) {
	m := costly
	m.Startup = 5
	var got []int64
	a := &script{start: func(env comm.Env) {
		for i := range int64(200) {
			env.Send(comm.Message{To: 1, Kind: comm.Reject, Arg: i})
		}
	}}
	b := &script{deliver: func(_ comm.Env, m comm.Message) { got = append(got, m.Arg) }}
	ranks := []*script{a, b}
	for _, s := range ranks {
		start := s.start
		s.start = func(env comm.Env) {
			env.Alarm(1_000_000)
			if start != nil {
				start(env)
			}
		}
		s.wake = func(comm.Env) { s.done = true }
	}
	arrivals := map[comm.Time]bool{}
	_, err := Run(m, 2, 1, func(rank int) lb.Balancer { return ranks[rank] }, Options{
		Faults: Faults{Jitter: 5000},
		Trace:  func(e Entry) { arrivals[e.At] = true },
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 200 || !slices.IsSorted(got) {
		t.Errorf("received in the order %v", got)
	}
	if len(arrivals) < 300 {
		t.Errorf("only %d different moments: no jitter", len(arrivals))
	}
}
