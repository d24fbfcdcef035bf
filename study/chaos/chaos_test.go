package chaos

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"treesplit/comm"
	"treesplit/lb"
	"treesplit/termination"
)

// Runs drawn from seeds are exact and end. Together they cover every scheme with every detector,
// and all the events that they should cover.
func TestRuns(t *testing.T) {
	runs := uint64(6000)
	if testing.Short() {
		runs = 500
	}
	var all Summary
	for seed := range runs {
		o, err := Run(seed)
		if err != nil {
			t.Fatalf("treesplit chaos --seed %d --runs 1: %v", seed, err)
		}
		all.AddOutcome(o)
	}
	if all.Runs != int(runs) || all.Segments < all.Runs*3/2 || all.Encoded == 0 || all.Decided == 0 || all.Pieces < all.Segments {
		t.Errorf("%+v", all)
	}
	for _, s := range lb.SchemeNames() {
		for _, d := range termination.DetectorNames() {
			if all.Pairs[s+" "+d] == 0 && !testing.Short() {
				t.Errorf("no segment under %s with detector %s", s, d)
			}
		}
	}
}

// The same seed gives the same run.
func TestRunsAgain(t *testing.T) {
	for seed := range uint64(100) {
		a, errA := Run(seed)
		b, errB := Run(seed)
		if errA != nil || errB != nil || !reflect.DeepEqual(a, b) {
			t.Fatalf("seed %d: %+v, %v; %+v, %v", seed, a, errA, b, errB)
		}
	}
}

// tampered is a rank that loses some of its messages and is otherwise unchanged.
type tampered struct {
	lb.Balancer
	swallow func(b lb.Balancer, m comm.Message) bool
}

func (b *tampered) Deliver(env comm.Env, m comm.Message) {
	if !b.swallow(b.Balancer, m) {
		b.Balancer.Deliver(env, m)
	}
}

func (b *tampered) TakeRemaining(emit func([]byte)) { b.Balancer.(lb.Resumable).TakeRemaining(emit) }

// swallowing returns a world in which each rank loses one message of a kind, after the given number
// of messages of that kind.
func swallowing(kind comm.Kind, before int) func() *world {
	return func() *world {
		return &world{balancer: func(b lb.Balancer, _ int) lb.Balancer {
			n := 0
			return &tampered{b, func(_ lb.Balancer, m comm.Message) bool {
				if m.Kind == kind {
					n++
				}
				return m.Kind == kind && n == before+1
			}}
		}}
	}
}

// hasty treats every rank as idle, so that a wave passes ranks at work.
type hasty struct{ termination.Detector }

func (d hasty) Receive(env comm.Env, m comm.Message, _ bool) { d.Detector.Receive(env, m, true) }

// generous returns credit twice.
type generous struct{ termination.Detector }

func (d generous) Recover(env comm.Env, e int64) {
	d.Detector.Recover(env, e)
	d.Detector.Recover(env, e+1)
}

// forgetful does not count the messages that it has sent.
type forgetful struct{ termination.Detector }

func (d forgetful) Sent() {}

// stuck never sees the end.
type stuck struct{ termination.Detector }

func (d stuck) Done() bool { return false }

func detecting(f func(d termination.Detector) termination.Detector) func() *world {
	return func() *world {
		return &world{detector: func(d termination.Detector, _ int) termination.Detector { return f(d) }}
	}
}

// faults are worlds with one fault each, and the errors that report the fault.
var faults = []struct {
	name  string
	world func() *world
	says  []string // one of these texts
}{
	{"a piece lost between two segments", func() *world {
		return &world{left: func(p [][]byte) [][]byte { return p[:len(p)-min(len(p), 1)] }}
	}, []string{"pieces hold"}},
	{"a piece doubled between two segments", func() *world {
		return &world{left: func(p [][]byte) [][]byte { return append(p, p[:min(len(p), 1)]...) }}
	}, []string{"pieces hold"}},
	{"a range of parts that a rank forgets", swallowing(comm.Deal, 0), []string{"credits", "do not know of an end", "no end"}},
	{"a piece that a rank forgets", swallowing(comm.Grant, 2), []string{"credits", "do not know of an end", "no end"}},
	{"a share that forgets in a shuffle", swallowing(comm.Move, 0), []string{"credits", "do not know of an end", "no end"}},
	{"a token that a rank forgets", swallowing(comm.Token, 1), []string{"do not know of an end", "no end"}},
	{"a Stop that a rank forgets", swallowing(comm.Stop, 0), []string{"do not know of an end", "no end"}},
	{"a bound that a rank forgets", swallowing(comm.Bound, 0), []string{"knows the value", "least value"}},
	{"a witness that rank 0 forgets", swallowing(comm.Found, 0), []string{"do not know of an end", "no end"}},
	{"a wave that passes busy ranks", detecting(func(d termination.Detector) termination.Detector { return hasty{d} }), []string{"assumes the end of the search", "nodes were expanded"}},
	{"credit given back twice", detecting(func(d termination.Detector) termination.Detector { return generous{d} }), []string{"assumes the end of the search", "credit"}},
	{"grants that are not counted", detecting(func(d termination.Detector) termination.Detector { return forgetful{d} }), []string{"assumes the end of the search", "do not know of an end", "no end"}},
	{"a detector that never sees the end", detecting(func(d termination.Detector) termination.Detector { return stuck{d} }), []string{"do not know of an end", "no end"}},
}

// Runs find seeded faults, within the number of runs of a short test.
func TestFaultsAreFound(t *testing.T) {
	for _, f := range faults {
		t.Run(f.name, func(t *testing.T) {
			for seed := range uint64(500) {
				_, err := f.world().runFromSeed(seed)
				if err == nil {
					continue
				}
				for _, says := range f.says {
					if strings.Contains(err.Error(), says) {
						t.Logf("found by run %d: %.150v", seed+1, err)
						return
					}
				}
				t.Fatalf("seed %d finds something else: %v", seed, err)
			}
			t.Fatal("not found in 500 runs")
		})
	}
}

// A share that loses a node when it is split is found in toy trees, whose pieces are lists.
func TestLostNodeIsFound(t *testing.T) {
	const node = 17
	for seed := range uint64(500) {
		w := &world{piece: func(p []byte) []byte {
			if (len(p)-1)%node == 0 && len(p) > 1+node && p[0] == 2 {
				return p[:len(p)-node]
			}
			return p
		}}
		if _, err := w.runFromSeed(seed); err != nil {
			t.Logf("found by run %d: %.150v", seed+1, err)
			return
		}
	}
	t.Fatal("not found in 500 runs")
}

// An error names the seed and everything that was drawn. A panic becomes an error.
func TestErrors(t *testing.T) {
	w := &world{balancer: func(lb.Balancer, int) lb.Balancer { panic("on purpose") }}
	_, err := w.runFromSeed(7)
	for _, want := range []string{"seed 7", "panic: on purpose", " ranks, seed ", "machine {"} {
		if !strings.Contains(fmt.Sprint(err), want) {
			t.Errorf("%v: expected %q", err, want)
		}
	}
}
