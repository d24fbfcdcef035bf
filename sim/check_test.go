package sim

import (
	"strings"
	"testing"

	"treesplit/comm"
	"treesplit/lb"
	"treesplit/search"
	"treesplit/search/replay"
	"treesplit/termination"
)

// leaky is a share that expands a node without counting it, or gives a piece that it has given
// before.
type leaky struct {
	*replay.Share
	fault string
	given []byte
}

func (l *leaky) Split(dst []byte) ([]byte, bool) {
	piece, ok := l.Share.Split(nil)
	switch {
	case ok && l.given == nil:
		l.given = append(l.given, piece...)
	case ok && l.fault == "loses":
		l.Share.Expand(1)
	case ok && l.fault == "doubles":
		piece = l.given
	}
	return append(dst, piece...), ok
}

// hasty assumes that the search is over when rank 0 first becomes idle.
type hasty struct {
	termination.Credit
	done bool
}

func (h *hasty) Idle(env comm.Env) { h.done = h.done || env.Rank() == 0 && env.Now() > 0 }
func (h *hasty) Done() bool        { return h.done }

// Each run that breaks an invariant is caught by the check of that invariant.
func TestInvariantsCatchMutants(t *testing.T) {
	tree := small(t)
	for _, c := range []struct {
		name, want string
		watched    bool
		spoil      func(*setup)
		detector   func() termination.Detector
	}{
		{"nothing wrong", "", true, nil, nil},
		{"lost nodes", "invariant: after an event", true, func(s *setup) { s.share = leaks(tree, "loses") }, nil},
		{"lost nodes, seen at the end", "nodes were expanded", false, func(s *setup) { s.share = leaks(tree, "loses") }, nil},
		{"doubled nodes", "invariant: after an event", true, func(s *setup) { s.share = leaks(tree, "doubles") }, nil},
		{"early end", "assumes the end of the search", true, nil, func() termination.Detector { return &hasty{} }},
		{"early end, seen by time or at the end", "", false, nil, func() termination.Detector { return &hasty{} }},
	} {
		s := over(tree, nCUBE2, "rp", "credit", 5, 3)
		if c.spoil != nil {
			c.spoil(&s)
		}
		if c.watched {
			s.watch()
		}
		_, err := Run(s.machine, s.p, s.seed, func(rank int) lb.Balancer {
			o := s.lb
			o.Work = s.share(rank == 0)
			o.Detector, _ = termination.New(s.detector, rank, s.p)
			if c.detector != nil {
				o.Detector = c.detector()
			}
			b, err := lb.New(s.scheme, o, rank, s.p)
			if err != nil {
				t.Fatal(err)
			}
			return b
		}, s.options)
		switch {
		case c.name == "nothing wrong":
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
		case err == nil || !strings.Contains(err.Error(), c.want):
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

func leaks(tree *replay.Tree, fault string) func(root bool) search.Work {
	return func(root bool) search.Work {
		return &leaky{Share: tree.Share(search.DefaultSplitting, root), fault: fault}
	}
}
