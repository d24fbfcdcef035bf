package sim

import (
	"math/big"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"treesplit/comm"
)

// U_calc grows from the value of a rank alone to the value of a full host, and no further.
func TestNodeCost(t *testing.T) {
	m := Machine{Expand: 20, ExpandPico: 400, AlonePico: 18_000, Together: 4}
	for p, want := range map[int]int64{1: 18_000, 2: 18_800, 3: 19_600, 4: 20_400, 5: 20_400, 4096: 20_400} {
		if got := m.NodeCostPicos(p); got != want {
			t.Errorf("%d ranks: %d ps, want %d", p, got, want)
		}
	}
	m.AlonePico = 0
	if got := m.NodeCostPicos(1); got != 20_400 {
		t.Errorf("without expand-alone: %d ps", got)
	}
}

// The time of n nodes is n times the time of one node, rounded down.
func TestTimes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pico, n := rapid.Int64Range(1, 1e9).Draw(t, "pico"), rapid.Int64Range(0, 1e12).Draw(t, "n")
		want := new(big.Int).Mul(big.NewInt(pico), big.NewInt(n))
		want.Div(want, big.NewInt(1000))
		if got := multiplyPicos(pico, n); want.Cmp(big.NewInt(int64(got))) != 0 {
			t.Errorf("got %d, want %v", got, want)
		}
	})
}

// Picoseconds that are charged to a rank are not lost between steps.
func TestFineNodesAreCharged(t *testing.T) {
	m := Machine{Name: "fine", Topology: "crossbar", Expand: 1, ExpandPico: 301, Quantum: 1, Serve: 1}
	work := &script{nodes: 1000}
	var at comm.Time
	work.idle = func(env comm.Env) { at = env.Now() }
	moments(t, m, work, &script{})
	if at != 1301 {
		t.Errorf("1000 nodes of 1.301 ns took %d ns", at)
	}
}

// A piece costs its sender Split and its receiver Accept. A message without a body costs neither.
func TestPiecesCost(t *testing.T) {
	m := costly
	m.Split, m.Accept = 100, 200
	for body, want := range map[string][]string{
		"":     {"0 sent at 10007", "1 received at 10610"},
		"abcd": {"0 sent at 10107", "1 received at 10941"}, // the word takes 31 more
	} {
		donor := &script{start: func(env comm.Env) {
			msg := comm.Message{To: 1, Kind: comm.Reject}
			if body != "" {
				msg.Kind, msg.Body = comm.Grant, []byte(body)
			}
			env.Send(msg)
		}}
		got := moments(t, m, donor, &script{})
		if strings.Join(got, "; ") != strings.Join(want, "; ") {
			t.Errorf("body %q: %q, want %q", body, got, want)
		}
	}
}

func TestFineSpans(t *testing.T) {
	for text, want := range map[string]int64{
		"18.4ns": 18_400, "18.4319ns": 18_431, "7ns": 7_000, "1.5us": 1_500_000, "1.5us3ns": 1_503_000, "2us1.25ns": 2_001_250,
		"1.500us3ns": 1_503_000, "1.5us1.25ns": 1_501_250, "0.25us": 250_000, ".5ns": 500, "7.ns": 7_000,
	} {
		ns, pico, err := parseFine(text)
		if got := int64(ns)*1000 + pico; err != nil || got != want {
			t.Errorf("%s: %d ps, %v; want %d", text, got, err, want)
		}
	}
}

// The time of a node is scaled alone, together with others and between, and nothing else changes.
func TestScaleNodes(t *testing.T) {
	m := Machine{Expand: 100, ExpandPico: 250, AlonePico: 90_000, Together: 3, Poll: 50}
	if m.ScaleNodes(1) != m {
		t.Errorf("scaled by 1: %+v", m.ScaleNodes(1))
	}
	s := m.ScaleNodes(1.004)
	if got := []int64{s.NodeCostPicos(1), s.NodeCostPicos(2), s.NodeCostPicos(3), s.NodeCostPicos(4)}; !slices.Equal(got, []int64{90_360, 95_505, 100_651, 100_651}) {
		t.Errorf("times of a node in picoseconds: %v", got)
	}
	s.Expand, s.ExpandPico, s.AlonePico = m.Expand, m.ExpandPico, m.AlonePico
	if s != m {
		t.Errorf("other fields have changed: %+v", s)
	}
}

// A machine with the shortest or the longest times is valid after small changes of the time of a node.
func TestScaleNodesAtTheLimits(t *testing.T) {
	ideal, err := FindMachine("ideal")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		expand      comm.Time
		pico, alone int64
		quantum     int
	}{{1, 0, 0, 1}, {1, 1, 1, 1}, {maxCost, 0, 0, 1}, {maxCost, 999, 1000 * maxCost, 1}, {maxCost, 0, 1, 1000}, {maxCost / 2, 0, 0, 2000}, {333_333_333_334, 0, 0, 2999}, {1, 0, 1000 * maxCost / 2, 2000}} {
		m := ideal
		m.Expand, m.ExpandPico, m.AlonePico, m.Quantum = c.expand, c.pico, c.alone, c.quantum
		if c.alone > 0 {
			m.Together = 2
		}
		if err := m.CheckFields(); err != nil {
			t.Fatal(err)
		}
		for _, factor := range []float64{0.995, 0.9999, 1.0001, 1.005} {
			s := m.ScaleNodes(factor)
			if err := s.CheckFields(); err != nil {
				t.Errorf("%+v times %v: %v", c, factor, err)
			}
			if (s.AlonePico > 0) != (m.AlonePico > 0) {
				t.Errorf("%+v times %v: expand-alone is %d ps", c, factor, s.AlonePico)
			}
		}
	}
}
