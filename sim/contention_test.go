package sim

import (
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"treesplit/comm"
	"treesplit/lb"
	"treesplit/topology"
)

// sending is a message of a test, sent at a moment by a rank without work.
type sending struct {
	at       comm.Time
	from, to int
	body     int // bytes
}

// errorReporter is a testing.T or a rapid.T.
type errorReporter interface{ Fatal(...any) }

// arrivalsOf returns the moments at which messages arrive on p ranks, and the time for which they
// waited for links. Sending and receiving take no time.
func arrivalsOf(t errorReporter, m Machine, p int, all []sending) (arrivals []comm.Time, waited comm.Time) {
	m.Startup, m.Receive = 0, 0
	arrivals = make([]comm.Time, len(all))
	r, err := Run(m, p, 1, func(rank int) lb.Balancer {
		s := &script{}
		s.start = func(env comm.Env) {
			env.Alarm(comm.Never / 2)
			for _, one := range all {
				if one.from == rank {
					env.Alarm(one.at)
				}
			}
		}
		s.wake = func(env comm.Env) {
			s.done = env.Now() >= comm.Never/2
			for i, one := range all {
				if one.from == rank && one.at == env.Now() {
					env.Send(comm.Message{To: int32(one.to), Kind: comm.Reject, Arg: int64(i), Body: make([]byte, one.body)})
				}
			}
		}
		s.deliver = func(env comm.Env, m comm.Message) { arrivals[m.Arg] = env.Now() }
		return audited{s, rank == 0}
	}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return arrivals, r.LinkWait
}

// audited is a script on any number of ranks, one of which holds all credit.
type audited struct {
	*script
	first bool
}

func (s audited) Audit() (a lb.Audit) {
	if s.first {
		a.Held.AddCredit(0)
	}
	return a
}

// contended returns the machine costly with links: PerHop is 7, and the words of a message without a
// body take 93.
func contended(network string, c Contention) Machine {
	m := costly
	m.Topology, m.Contention = network, c
	return m
}

// The arrivals of messages that share links, computed by hand. The ranks of a mesh of nine are
//
//	0 1 2
//	3 4 5
//	6 7 8
func TestSharedLinksByHand(t *testing.T) {
	for _, c := range []struct {
		name, network       string
		p                   int
		sent                []sending
		through, store      []comm.Time // arrivals
		waitThrough, waitSF comm.Time
	}{
		{"a message alone", "mesh", 9, []sending{{0, 0, 8, 0}},
			[]comm.Time{4*7 + 93}, []comm.Time{4 * (7 + 93)}, 0, 0},
		{"two on the link from 1 to 2", "mesh", 9, []sending{{0, 0, 2, 0}, {50, 1, 2, 0}},
			// The first occupies this link from 7 to 100, or reaches it at 100, where it waits until 150.
			[]comm.Time{107, 100 + 7 + 93}, []comm.Time{250, 150}, 50, 50},
		{"opposite directions", "mesh", 9, []sending{{0, 1, 2, 0}, {0, 2, 1, 0}},
			[]comm.Time{100, 100}, []comm.Time{100, 100}, 0, 0},
		{"disjoint routes that cross at rank 4", "mesh", 9, []sending{{0, 3, 5, 0}, {0, 1, 7, 0}},
			[]comm.Time{107, 107}, []comm.Time{200, 200}, 0, 0},
		{"one after the other", "mesh", 9, []sending{{0, 0, 1, 0}, {93, 0, 1, 0}},
			[]comm.Time{100, 193}, []comm.Time{100, 200}, 0, 7},
		{"a waiting message frees the link before it", "mesh", 9, []sending{{0, 1, 2, 400}, {10, 0, 2, 0}, {20, 0, 1, 0}},
			// 103 words take 3193. The second message waits at rank 1 and occupies its first link from
			// 10 to 103, or to 110. The third message follows on this link at once.
			[]comm.Time{3200, 3193 + 100, 203}, []comm.Time{3200, 3300, 210}, 3193 - 17 + 83, 3200 - 110 + 90},
		{"a hypercube", "hypercube", 8, []sending{{0, 7, 0, 0}, {0, 6, 4, 0}},
			// 111 → 110 → 100 → 000, and 110 → 100
			[]comm.Time{3*7 + 93 + 86, 100}, []comm.Time{300, 100}, 86, 0},
		{"a ring", "ring", 4, []sending{{0, 2, 0, 0}, {0, 3, 0, 0}},
			[]comm.Time{2*7 + 93 + 86, 100}, []comm.Time{200, 100}, 86, 0},
		{"a fat tree: to one rank", "fattree", 16, []sending{{0, 0, 15, 0}, {0, 5, 15, 0}},
			// up, up, down; both wait for the link to the switch of rank 15
			[]comm.Time{4*7 + 93, 4*7 + 93 + 93}, []comm.Time{400, 500}, 93, 100},
		{"a fat tree: the same number below two switches", "fattree", 16, []sending{{0, 0, 4, 0}, {0, 1, 8, 0}},
			[]comm.Time{4*7 + 93, 4*7 + 93 + 93}, []comm.Time{400, 500}, 93, 100},
		{"a fat tree: other numbers", "fattree", 16, []sending{{0, 0, 4, 0}, {0, 1, 5, 0}, {0, 2, 7, 0}},
			[]comm.Time{121, 121, 121}, []comm.Time{400, 400, 400}, 0, 0},
	} {
		for rule, want := range map[Contention][]comm.Time{CutThrough: c.through, StoreAndForward: c.store} {
			wait := map[Contention]comm.Time{CutThrough: c.waitThrough, StoreAndForward: c.waitSF}[rule]
			if got, waited := arrivalsOf(t, contended(c.network, rule), c.p, c.sent); !slices.Equal(got, want) || waited != wait {
				t.Errorf("%s, %v: arrivals %v after %v of waiting, want %v after %v", c.name, rule, got, waited, want, wait)
			}
		}
	}
}

// Time is conserved: a message arrives later than alone by exactly its waiting time, so that the sum
// over all messages is LinkWait. The last link of a route carries one message at a time. Messages on
// the same route keep their order.
func TestWaitingIsConserved(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rule := rapid.SampledFrom([]Contention{CutThrough, StoreAndForward}).Draw(t, "contention")
		name := rapid.SampledFrom([]string{"mesh", "mesh3", "hypercube", "ring", "fattree"}).Draw(t, "network")
		m, p := contended(name, rule), rapid.IntRange(2, 40).Draw(t, "ranks")
		top, err := topology.Parse(name, p)
		if err != nil {
			t.Fatal(err)
		}
		rank := rapid.IntRange(0, p-1)
		var all []sending
		for _, at := range rapid.SliceOfNDistinct(rapid.IntRange(0, 3000), 1, 60, rapid.ID).Draw(t, "moments") {
			if s := (sending{comm.Time(at), rank.Draw(t, "from"), rank.Draw(t, "to"), rapid.IntRange(0, 100).Draw(t, "body")}); s.from != s.to {
				all = append(all, s)
			}
		}
		got, waited := arrivalsOf(t, m, p, all)
		sum := comm.Time(0)
		for i, a := range all {
			words := comm.Time(3+(a.body+3)/4) * m.PerWord
			hops := top.Distance(a.from, a.to)
			late := got[i] - a.at - comm.Time(hops)*m.PerHop - words
			if rule == StoreAndForward {
				late -= comm.Time(hops-1) * words
			}
			if sum += late; late < 0 {
				t.Fatalf("%+v arrives at %v", a, got[i])
			}
			for j, b := range all {
				linked := top.(topology.Linked)
				if i == j || a.to != b.to || linked.LinkOnRoute(a.from, a.to, hops-1) != linked.LinkOnRoute(b.from, b.to, top.Distance(b.from, b.to)-1) {
					continue
				}
				if got[j] <= got[i] && got[i] < got[j]+words {
					t.Fatalf("%+v and %+v arrive over one link at %v and %v", a, b, got[i], got[j])
				}
				if a.from == b.from && a.at < b.at && got[j] < got[i] {
					t.Fatalf("%+v is overtaken by %+v: %v and %v", a, b, got[i], got[j])
				}
			}
		}
		if sum != waited {
			t.Fatalf("messages are late by %v and waited for %v", sum, waited)
		}
	})
}

// Every scheme expands every node once with contention, also with jitter, and a run repeats event by
// event. Under each scheme some messages wait.
func TestExactWithContention(t *testing.T) {
	tree := small(t)
	networks := []string{"mesh", "fattree", "mesh3", "hypercube", "ring"}
	if testing.Short() {
		networks = networks[:2]
	}
	for _, scheme := range lb.SchemeNames() {
		waited := comm.Time(0)
		for _, name := range networks {
			for _, c := range []struct {
				rule   Contention
				p      int
				faults Faults
			}{{CutThrough, 16, Faults{Jitter: 50 * us}}, {StoreAndForward, 13, Faults{}}} {
				s := over(tree, ncubeWithTopology("test", name), scheme, "tree", c.p, 5)
				s.machine.Contention, s.options.Faults = c.rule, c.faults
				r, hash := s.transcript(t)
				if r.Stats.Expanded != tree.NodeCount() {
					t.Errorf("%s, %s, %v: %d of %d nodes", scheme, name, c.rule, r.Stats.Expanded, tree.NodeCount())
				}
				if again, other := s.transcript(t); other != hash || !reflect.DeepEqual(r, again) {
					t.Errorf("%s, %s, %v: two runs differ", scheme, name, c.rule)
				}
				waited += r.LinkWait
			}
		}
		if waited <= 0 {
			t.Errorf("%s: no message has waited", scheme)
		}
	}
}

// A simulation without contention has no state of links.
func TestNoContentionNoLinks(t *testing.T) {
	for _, m := range Builtin {
		w, err := newWorld(m, 64, 1, Options{})
		if err != nil || w.links != nil {
			t.Errorf("%s: %v, %v", m.Name, w.links, err)
		}
	}
}
