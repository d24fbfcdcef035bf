package objects

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"treesplit/comm"
	"treesplit/mapping"
)

// desk holds all ranks of a run and the messages between them. The oldest message of any channel
// may arrive next.
type desk struct {
	t     testing.TB
	ranks []*Rank
	ways  [][]comm.Message // by sender · P + receiver
	rng   *rand.Rand
	now   comm.Time
	still *Rank // is not stepped; or nil
}

// seat is the Env of a rank at a desk.
type seat struct {
	*desk
	rank int
}

func (s seat) Rank() int        { return s.rank }
func (s seat) Size() int        { return len(s.ranks) }
func (s seat) Now() comm.Time   { return s.desk.now }
func (s seat) Alarm(comm.Time)  { s.t.Fatal("an alarm") }
func (s seat) Rand() *rand.Rand { return s.rng }
func (s seat) Send(m comm.Message) {
	if int(m.To) == s.rank {
		s.t.Fatalf("rank %d sends %v to itself", s.rank, m.Kind)
	}
	m.From = int32(s.rank)
	way := &s.ways[s.rank*len(s.ranks)+int(m.To)]
	*way = append(*way, m)
}

// newDesk makes and starts the ranks of a run.
func newDesk(t testing.TB, p int, c Config, seed uint64) *desk {
	t.Helper()
	if err := c.Benchmark.Validate(); err != nil {
		t.Fatal(err)
	}
	d := &desk{t: t, ways: make([][]comm.Message, p*p), rng: rand.New(rand.NewPCG(seed, 7))}
	for range p {
		d.ranks = append(d.ranks, NewRank(c))
	}
	for i, r := range d.ranks {
		r.Start(seat{d, i})
	}
	return d
}

// happen executes one possible event, drawn at random. It reports whether there was one.
func (d *desk) happen() bool {
	p := len(d.ranks)
	var can []int
	for i, r := range d.ranks {
		if r.Busy() && r != d.still {
			can = append(can, p*p+i)
		}
	}
	for w := range d.ways {
		if len(d.ways[w]) > 0 {
			can = append(can, w)
		}
	}
	if len(can) == 0 {
		return false
	}
	d.now++
	which := can[d.rng.IntN(len(can))]
	if which >= p*p {
		most := 1 + d.rng.IntN(40)
		if n := d.ranks[which-p*p].Step(seat{d, which - p*p}, most); n < 1 || n > most {
			d.t.Fatalf("%d units of at most %d", n, most)
		}
		return true
	}
	m := d.ways[which][0]
	d.ways[which] = d.ways[which][1:]
	d.ranks[which%p].Deliver(seat{d, which % p}, m)
	return true
}

// run runs to the end.
func (d *desk) run() {
	for d.happen() {
	}
	for i, r := range d.ranks {
		if r.Err() != nil || !r.Done() {
			d.t.Fatalf("rank %d: %v: %v", i, r, r.Err())
		}
	}
}

// here is the number of ranks that each object is on.
func (d *desk) here() []int {
	n := make([]int, d.ranks[0].config.Benchmark.Objects)
	for _, r := range d.ranks {
		r.EachObject(func(i int) { n[i]++ })
	}
	return n
}

// small is a benchmark of a shape drawn by a seed.
func small(seed uint64) Benchmark {
	rng := rand.New(rand.NewPCG(seed, 3))
	return Benchmark{
		Objects: 1 + rng.IntN(14), Iterations: 1 + rng.IntN(4), Phases: 1 + rng.IntN(4), Work: 1 + rng.IntN(30), Bytes: MinBytes + rng.IntN(20),
		Sizes: Sizes[rng.IntN(len(Sizes))], Start: Starts[rng.IntN(len(Starts))], Seed: seed,
	}
}

// scatter maps objects at random, so that very many move.
func scatter(p *mapping.Problem, now mapping.Map) (mapping.Map, error) {
	rng := rand.New(rand.NewPCG(uint64(len(now)), 5))
	for i := range now {
		now[i] = int32(rng.IntN(p.Processors))
	}
	return now, nil
}

// Under any order of messages, on any number of ranks and with any maps, the states of all
// objects are those of the plain loop. Every object is on one rank, the rank in the last map, and
// all units of work are done.
func TestStatesAreThoseOfTheLoop(t *testing.T) {
	seeds := uint64(400)
	if testing.Short() {
		seeds = 100
	}
	for seed := range seeds {
		b, p := small(seed), 1+int(seed%5)
		c := Config{Benchmark: b, Remap: scatter}
		if seed%7 == 0 {
			c.Remap = nil
		}
		d := newDesk(t, p, c, seed)
		d.run()
		report := d.ranks[0].RunReport()
		if want := Sequential(b); report.Checksum != want {
			t.Fatalf("%+v on %d ranks: checksum %x, want %x", b, p, report.Checksum, want)
		}
		units, left, came := int64(0), int64(0), int64(0)
		for _, r := range d.ranks {
			l, c, _ := r.MoveCounts()
			units, left, came = units+r.ComputedUnits(), left+l, came+c
		}
		moved := int64(0)
		for _, ph := range report.Phases {
			moved += int64(ph.Moved)
		}
		if units != b.TotalUnits() || left != came || left != moved || len(report.Phases) != b.Phases {
			t.Errorf("%+v on %d ranks: %d units of %d, %d objects left, %d came, %d moved, %d phases", b, p, units, b.TotalUnits(), left, came, moved, len(report.Phases))
		}
		last := report.Phases[b.Phases-1].Map
		for i, n := range d.here() {
			if n != 1 || d.ranks[last[i]].objects[i] == nil {
				t.Errorf("%+v on %d ranks: object %d is on %d ranks, and should be on %d", b, p, i, n, last[i])
			}
		}
	}
}

// The messages between ranks are those of arcs between ranks, once an iteration each.
func TestMessagesAreThoseOfArcs(t *testing.T) {
	for seed := range uint64(60) {
		b, p := small(seed), 1+int(seed%5)
		d := newDesk(t, p, Config{Benchmark: b, Remap: scatter}, seed)
		d.run()
		for k, ph := range d.ranks[0].RunReport().Phases {
			apart := int64(0)
			for from := range b.Objects {
				for to := range b.Objects {
					if b.hasPartner(from, to) && ph.Map[from] != ph.Map[to] {
						apart++
					}
				}
			}
			if want := apart * int64(b.Iterations); ph.Messages != want || ph.Bytes != want*int64(b.Bytes) {
				t.Errorf("%+v, phase %d: %d messages of %d bytes, want %d", b, k, ph.Messages, ph.Bytes, want)
			}
		}
	}
}

// An object that does not run lets others get ahead by the largest accepted number of iterations,
// and not by more: from object 0 of six it is three partner steps to object 5, which sends to it.
func TestSkew(t *testing.T) {
	b := Benchmark{Objects: 6, Iterations: 9, Phases: 1, Work: 3, Sizes: "even", Bytes: 8, Start: "round-robin"}
	d := newDesk(t, 6, Config{Benchmark: b}, 1)
	slow := d.ranks[0]
	for slow.units < int64(3*b.Work) {
		d.happen()
	}
	d.still = slow
	for d.happen() {
	}
	if o := slow.objects[0]; o.iteration != 3 || len(o.waiting) != 1+skew {
		t.Errorf("object 0 has begun %d iterations and has messages for %d more", o.iteration, len(o.waiting))
	}
	d.still = nil
	d.run()
	if got, want := d.ranks[0].RunReport().Checksum, Sequential(b); got != want {
		t.Errorf("checksum %x, want %x", got, want)
	}
}

// The partners are those of section 4.3, worked out by hand.
func TestPartners(t *testing.T) {
	for n, want := range map[int]string{1: "[]", 2: "[1]", 3: "[1]", 4: "[1 3]", 7: "[1 3 6]", 10: "[1 3 6 9]"} {
		b := Benchmark{Objects: n}
		if got := fmt.Sprint(b.partnerOffsets()); got != want {
			t.Errorf("%d objects: %s, want %s", n, got, want)
		}
		for from := range n {
			for to := range n {
				if got := slices.Contains(b.partnerOffsets(), (to-from+n)%n); got != b.hasPartner(from, to) {
					t.Errorf("%d objects: %d to %d: %v", n, from, to, got)
				}
			}
		}
	}
}

// A lost message, a doubled one, or one with a byte changed is noticed: the run does not
// end, ends with an error, or has another checksum.
func TestDamagedMessagesAreNoticed(t *testing.T) {
	b := Benchmark{Objects: 9, Iterations: 3, Phases: 2, Work: 5, Sizes: "uniform", Bytes: 13, Start: "block"}
	want := Sequential(b)
	for what := range 3 {
		for at := range 25 {
			d := newDesk(t, 3, Config{Benchmark: b, Remap: scatter}, uint64(at))
			damaged := false
			for parcels := 0; d.happen(); {
				for w, way := range d.ways {
					if damaged || len(way) == 0 || way[len(way)-1].Kind != comm.Parcel {
						continue
					}
					if parcels++; parcels < 5*at {
						continue
					}
					damaged = true
					switch last := &way[len(way)-1]; what {
					case 0:
						d.ways[w] = way[:len(way)-1]
					case 1:
						d.ways[w] = append(way, comm.Message{From: last.From, To: last.To, Kind: last.Kind, Tag: last.Tag, Arg: last.Arg, Body: slices.Clone(last.Body)})
					case 2:
						last.Body[at%len(last.Body)] ^= 1 << (at % 8)
					}
				}
			}
			ok := true
			for _, r := range d.ranks {
				ok = ok && r.Done() && r.Err() == nil
			}
			if damaged && ok && d.ranks[0].RunReport().Checksum == want {
				t.Errorf("damage %d to message %d: nothing noticed", what, at)
			}
			if !damaged {
				t.Errorf("no message %d", at)
			}
		}
	}
}

// A run that is ended early ends on all ranks for the same reason. No object is lost, even if
// some are in flight.
func TestHalt(t *testing.T) {
	for seed := range uint64(200) {
		b := small(seed)
		b.Phases = 4
		d := newDesk(t, 2+int(seed%3), Config{Benchmark: b, Remap: scatter}, seed)
		for range seed % 70 {
			d.happen()
		}
		who := int(seed) % len(d.ranks)
		d.ranks[who].Halt(seat{d, who}, 2)
		for d.happen() {
		}
		for i, r := range d.ranks {
			if r.Err() != nil || !r.Done() || r.Reason() != d.ranks[0].Reason() {
				t.Errorf("seed %d: rank %d: %v, reason %d: %v", seed, i, r, r.Reason(), r.Err())
			}
		}
		if here := d.here(); slices.Max(here) != 1 || slices.Min(here) != 1 {
			t.Errorf("seed %d: objects are on %v ranks", seed, here)
		}
	}
}

// Invalid messages are refused, and the rank is unchanged.
func TestBadMessages(t *testing.T) {
	b := Benchmark{Objects: 6, Iterations: 2, Phases: 2, Work: 3, Sizes: "even", Bytes: 8, Start: "block"}
	arg := func(from, to int64) int64 { return from<<32 | to }
	eight := make([]byte, 8)
	object := appendObject(nil, &object{number: 0})
	for name, m := range map[string]comm.Message{
		"no partner":       {Kind: comm.Parcel, Tag: 1, Arg: arg(0, 5), Body: eight},
		"no object":        {Kind: comm.Parcel, Tag: 1, Arg: arg(0, 6), Body: eight},
		"no sender":        {Kind: comm.Parcel, Tag: 1, Arg: arg(-1, 3), Body: eight},
		"object elsewhere": {Kind: comm.Parcel, Tag: 1, Arg: arg(0, 1), Body: eight},
		"no iteration":     {Kind: comm.Parcel, Tag: 0, Arg: arg(0, 3), Body: eight},
		"far iteration":    {Kind: comm.Parcel, Tag: 1 << 29, Arg: arg(0, 3), Body: eight},
		"short":            {Kind: comm.Parcel, Tag: 1, Arg: arg(0, 3), Body: eight[:7]},
		"wrong stage":      {Kind: comm.Go, Tag: 2},
		"go from a rank":   {From: 2, Kind: comm.Go, Tag: 1},
		"ready":            {Kind: comm.Ready},
		"stop from a rank": {From: 2, Kind: comm.Stop},
		"another kind":     {Kind: comm.Grant, Body: eight},
		"too few objects":  {Kind: comm.Move, Arg: 2, Body: object},
		"half an object":   {Kind: comm.Move, Arg: 1, Body: object[:len(object)-1]},
		"an object twice":  {Kind: comm.Move, Arg: 2, Body: append(slices.Clone(object), object...)},
		"no such object":   {Kind: comm.Move, Arg: 1, Body: appendObject(nil, o6())},
	} {
		d := newDesk(t, 3, Config{Benchmark: b}, 1)
		before := d.ranks[1].String()
		d.ranks[1].Deliver(seat{d, 1}, m)
		if d.ranks[1].Err() == nil {
			t.Errorf("%s: accepted", name)
		}
		if after := d.ranks[1].String(); after != before && name != "an object twice" {
			t.Errorf("%s: %s, before %s", name, after, before)
		}
	}
}

func o6() *object { return &object{number: 6} }

// The result of Remap is checked.
func TestBadMaps(t *testing.T) {
	b := Benchmark{Objects: 5, Iterations: 1, Phases: 2, Work: 3, Sizes: "even", Bytes: 8, Start: "block"}
	for name, remap := range map[string]func(p *mapping.Problem, now mapping.Map) (mapping.Map, error){
		"short":   func(_ *mapping.Problem, now mapping.Map) (mapping.Map, error) { return now[1:], nil },
		"nowhere": func(_ *mapping.Problem, now mapping.Map) (mapping.Map, error) { now[2] = -1; return now, nil },
		"error":   func(*mapping.Problem, mapping.Map) (mapping.Map, error) { return nil, errors.New("no map") },
	} {
		d := newDesk(t, 2, Config{Benchmark: b, Remap: remap}, 1)
		for d.happen() && d.ranks[0].Err() == nil {
		}
		if d.ranks[0].Err() == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

// Whatever arrives, nothing panics, and what is taken in can be written again.
func FuzzReadObjects(f *testing.F) {
	f.Add(appendObject(nil, &object{number: 3, state: 7, iteration: 2, waiting: []arrived{{1, 2}}}), 5)
	f.Add([]byte{0x80}, 1)
	f.Fuzz(func(t *testing.T, body []byte, n int) {
		n = 1 + n&(MaxObjects-1)
		all, err := readObjects(body, n)
		if err != nil {
			return
		}
		var again []byte
		for _, o := range all {
			if int(o.number) >= n {
				t.Fatalf("object %d of %d", o.number, n)
			}
			again = appendObject(again, o)
		}
		if back, err := readObjects(again, n); err != nil || len(back) != len(all) {
			t.Errorf("%x: read again as %d objects: %v", body, len(back), err)
		}
		if _, _, err := readMeasures(body, n); err == nil && len(body) == 0 {
			t.Error("no body is no measure")
		}
		_, _ = readOwners(body, n, 3)
	})
}
