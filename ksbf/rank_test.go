package ksbf

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"treesplit/comm"
)

// world is ranks and links under a random schedule: in each turn one busy rank executes a few
// tasks, or one message arrives.
type world struct {
	t      testing.TB
	ranks  []*Rank
	links  [][]comm.Message // by sender: the messages to its right neighbour
	random *rand.Rand
	at     int // the rank that acts
	p      int
	tokens int
	mutant string
}

func newWorld(t testing.TB, w Workload, p int, seed uint64, mutant string) *world {
	x := &world{t: t, p: p, random: rand.New(rand.NewPCG(seed, 7)), links: make([][]comm.Message, p), mutant: mutant}
	for range p {
		x.ranks = append(x.ranks, NewRank(w))
	}
	for x.at = range p {
		x.ranks[x.at].Start(x)
	}
	return x
}

// Rank, Size, Now, Alarm and Rand implement comm.Env.
func (x *world) Rank() int        { return x.at }
func (x *world) Size() int        { return x.p }
func (x *world) Now() comm.Time   { return 0 }
func (x *world) Alarm(comm.Time)  { x.t.Error("the rank sets an alarm") }
func (x *world) Rand() *rand.Rand { x.t.Error("the rank draws a random number"); return nil }

// Send checks that messages go only to the right neighbour.
func (x *world) Send(m comm.Message) {
	if int(m.To) != (x.at+1)%x.p || x.p == 1 {
		x.t.Errorf("rank %d of %d sends %v to rank %d", x.at, x.p, m.Kind, m.To)
	}
	m.From = int32(x.at)
	if m.Kind == comm.Token {
		x.tokens++
	}
	x.links[x.at] = append(x.links[x.at], m)
}

// turn makes one rank act, and reports whether one could.
func (x *world) turn() bool {
	var able []int // ranks, then links
	for i := range x.p {
		if x.ranks[i].Busy() {
			able = append(able, i)
		}
		if len(x.links[i]) > 0 {
			able = append(able, x.p+i)
		}
	}
	if len(able) == 0 {
		return false
	}
	i := able[x.random.IntN(len(able))]
	if i < x.p {
		x.at = i
		x.ranks[i].Step(x, 1+x.random.IntN(3))
		return true
	}
	from := i - x.p
	k := 0
	if x.mutant == "messages overtake" {
		k = x.random.IntN(len(x.links[from]))
	}
	m := x.links[from][k]
	x.links[from] = append(x.links[from][:k:k], x.links[from][k+1:]...)
	x.at = (from + 1) % x.p
	r := x.ranks[x.at]
	if x.mutant == "token passes busy ranks" && m.Kind == comm.Token && x.at != 0 {
		r.sendToNeighbour(x, comm.Message{Kind: comm.Token})
		return true
	}
	r.Deliver(x, m)
	if x.mutant == "rank 0 forgets tasks" {
		r.round.tasks = false
	}
	return true
}

// run makes turns until the run is over and returns the first fault.
func (x *world) run(want *Tally) error {
	last := 0
	for turns := 0; x.turn(); turns++ {
		if turns > 40*int(want.Nodes)*x.p+1000 {
			return fmt.Errorf("the run does not end within %d turns", turns)
		}
		executed := int64(0)
		for _, r := range x.ranks {
			if r.Err() != nil {
				return r.Err()
			}
			executed += r.Processor().Tally().Nodes
		}
		if executed < want.Nodes {
			last = x.tokens
		}
		if x.ranks[0].Done() && executed != want.Nodes {
			return fmt.Errorf("the end is early: %d of %d tasks are executed", executed, want.Nodes)
		}
	}
	var all Tally
	var credits []int64
	for i, r := range x.ranks {
		if !r.Done() {
			return fmt.Errorf("rank %d is stuck: %v", i, r)
		}
		all.AddCounts(r.Processor().Tally())
		for e, n := range r.Processor().RecoveredCredits() {
			for len(credits) <= e {
				credits = append(credits, 0)
			}
			credits[e] += n
		}
	}
	if x.tokens-last > 3*x.p { // the round in progress, one that is not quiet, one that is
		return fmt.Errorf("the end is late: %d tokens after the last task", x.tokens-last)
	}
	if !same(&all, want) || !creditsSumToOne(credits) {
		return fmt.Errorf("the ranks executed %d tasks, want %d; credits %v", all.Nodes, want.Nodes, credits)
	}
	return nil
}

// small returns small workloads, for many schedules.
func small(t testing.TB, seed uint64) Workload {
	return []Workload{
		Complete{N: 1 + int(seed%4)}, Grid{N: 1 + int(seed%5)}, Random{Binary: 0.45, Unary: 0.2, Levels: 12, Seed: seed},
		Bad{Family: "chained", Levels: 5, Weight: 2}, Quadrature{Function: function(t, "sqrt"), To: 1, Tolerance: 1e-3, Resolution: 1e-2},
	}[seed%5]
}

// On any schedule the end is detected neither early nor late, and every task is executed once.
func TestRankUnderAnySchedule(t *testing.T) {
	seeds := uint64(2000)
	if testing.Short() {
		seeds = 200
	}
	for p := 1; p <= 5; p++ {
		for seed := range seeds {
			w := small(t, seed)
			if err := newWorld(t, w, p, seed, "").run(loop(w)); err != nil {
				t.Fatalf("p = %d, seed %d: %v", p, seed, err)
			}
		}
	}
}

// A fault in the protocol or the world is caught.
func TestMutantsAreCaught(t *testing.T) {
	for _, mutant := range []string{"token passes busy ranks", "rank 0 forgets tasks", "messages overtake"} {
		caught := error(nil)
		for seed := uint64(0); seed < 3000 && caught == nil; seed++ {
			w := small(t, seed)
			caught = newWorld(t, w, 2+int(seed%4), seed, mutant).run(loop(w))
		}
		if caught == nil {
			t.Errorf("mutant %q is not caught", mutant)
		}
		t.Logf("%s: %v", mutant, caught)
	}
}

// The rank on which a task runs, and so the number of tasks of each rank, equals the
// simulation's on any schedule.
func TestPlacementDoesNotDependOnTheSchedule(t *testing.T) {
	for name, w := range workloads(t) {
		for _, p := range []int{1, 2, 3, 5} {
			s, _ := simulate(t, w, p)
			for seed := range uint64(3) {
				x := newWorld(t, w, p, seed, "")
				if err := x.run(loop(w)); err != nil {
					t.Fatalf("%s, p = %d: %v", name, p, err)
				}
				for i, r := range x.ranks {
					if n := r.Processor().Tally().Nodes; n != s.PerRank[i].Executed {
						t.Errorf("%s, p = %d, rank %d: %d tasks, want %d as in lockstep", name, p, i, n, s.PerRank[i].Executed)
					}
				}
			}
		}
	}
}

// Halt on any rank ends the run on all ranks with its reason. Tasks that have not been
// executed are still held.
func TestHalt(t *testing.T) {
	for _, p := range []int{1, 2, 3, 5} {
		for who := range p {
			x := newWorld(t, Complete{N: 40}, p, uint64(who), "")
			for range 50 {
				x.turn()
			}
			x.at = who
			x.ranks[who].Halt(x, 2)
			for x.turn() {
			}
			var credits []int64
			for i, r := range x.ranks {
				if !r.Done() || r.Reason() != 2 || r.Err() != nil {
					t.Errorf("p = %d, halted by %d: rank %d done %v, reason %d, %v", p, who, i, r.Done(), r.Reason(), r.Err())
				}
				credits = append(credits, make([]int64, 64)...)[:64]
				for e, n := range r.Processor().RecoveredCredits() {
					credits[e] += n
				}
				for _, e := range r.Processor().HeldCredits() {
					credits[e]++
				}
			}
			if !creditsSumToOne(credits) {
				t.Errorf("p = %d, halted by %d: credits %v", p, who, credits)
			}
		}
	}
}

// Messages that no rank of the protocol sends are refused.
func TestBadMessages(t *testing.T) {
	good := appendTask(nil, &Task{Level: 1, Credit: 1, Place: [4]uint64{1 << 63}})
	for name, c := range map[string]struct {
		m    comm.Message
		want string
	}{
		"from the right": {comm.Message{From: 2, Kind: comm.Token}, "expected messages only from the left neighbour, rank 0"},
		"of no use":      {comm.Message{Kind: comm.WorkRequest}, "unexpected message: WorkRequest"},
		"empty":          {comm.Message{Kind: comm.Grant}, "0 bytes: expected tasks of 56"},
		"cut short":      {comm.Message{Kind: comm.Grant, Body: good[:55]}, "55 bytes"},
		"too deep":       {comm.Message{Kind: comm.Grant, Body: append([]byte{0, 0, 0, 9}, good[4:]...)}, "level 9"},
		"no credit":      {comm.Message{Kind: comm.Grant, Body: append([]byte{0, 0, 0, 1, 0, 0, 0, 2}, good[8:]...)}, "credit 2^-2"},
		"a left child":   {comm.Message{Kind: comm.Grant, Body: appendTask(nil, &Task{Level: 2, Place: [4]uint64{1 << 63}})}, "expected a right one"},
		"turns":          {comm.Message{Kind: comm.Grant, Body: append([]byte{0, 0, 0, 1, 0, 0, 0, 1, 0xff}, good[9:]...)}, "more turns"},
	} {
		x := newWorld(t, Complete{N: 4}, 3, 1, "")
		x.at = 1
		x.ranks[1].Deliver(x, c.m)
		if err := x.ranks[1].Err(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
		if x.ranks[1].Busy() {
			t.Errorf("%s: the rank has accepted tasks", name)
		}
	}
}

// FuzzTasks: tasks of a message are refused or can be executed to the end.
func FuzzTasks(f *testing.F) {
	f.Add(uint8(0), appendTask(nil, &Task{Level: 1, Credit: 1, Place: [4]uint64{1 << 63}}))
	f.Add(uint8(1), appendTask(nil, &Task{Level: 3, Credit: 1, Place: [4]uint64{2}}))
	f.Add(uint8(2), appendTask(nil, &Task{Level: 70, Credit: 9, Place: [4]uint64{1 << 63, 1 << 58}, State: [2]uint64{5}}))
	f.Fuzz(func(t *testing.T, kind uint8, body []byte) {
		w := []Workload{
			Complete{N: 6}, Grid{N: 8}, Random{Binary: 0.3, Unary: 0.2, Levels: 90},
			Bad{Family: "capped", Levels: 9, Weight: 2},
			Quadrature{Function: function(t, "sqrt"), To: 1, Tolerance: 1e-2, Resolution: 1e-2},
		}[kind%5]
		p := NewProcessor(w)
		if err := p.offerTasks(body); err != nil {
			if p.ReadyCount() != 0 || len(p.waiting) != 0 {
				t.Error("the rank accepts tasks of a body that it refuses")
			}
			return
		}
		for range 10000 {
			if p.ReadyCount() == 0 {
				break
			}
			task, right, send := p.Execute()
			if send && (w.Check(&right) != nil || right.Level != task.Level+1) {
				t.Errorf("%+v has the right child %+v, which Check refuses: %v", task, right, w.Check(&right))
			}
			back := decodeTask(appendTask(nil, &task))
			if back != task {
				t.Errorf("%+v is read as %+v", task, back)
			}
		}
	})
}

// Executing tasks does not allocate after the queues have grown.
func TestNoAllocations(t *testing.T) {
	p := NewProcessor(Complete{N: 62})
	p.OfferTask(p.work.Root())
	p.ready.rows[0].tasks = append(make([]Task, 0, 1<<16), p.ready.rows[0].tasks...)
	if n := testing.AllocsPerRun(20000, func() {
		if _, right, send := p.Execute(); send {
			p.OfferTask(right)
		}
	}); n != 0 {
		t.Errorf("a task makes %v allocations, want none", n)
	}
}
