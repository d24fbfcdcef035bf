package sim

import (
	"fmt"
	"testing"

	"treesplit/comm"
	"treesplit/internal/explore"
	"treesplit/lb"
	"treesplit/search"
	"treesplit/search/replay"
	"treesplit/termination"
	"treesplit/topology"
	"treesplit/uts"
)

// setup describes a run: a tree, a scheme, a detector and a machine.
type setup struct {
	machine  Machine
	p        int
	seed     uint64
	scheme   string
	detector string
	share    func(root bool) search.Work
	lb       lb.Options
	options  Options
}

// run creates the ranks and runs them.
func (s setup) run(t testing.TB) (Result, error) {
	t.Helper()
	return Run(s.machine, s.p, s.seed, func(rank int) lb.Balancer {
		b, err := s.balancer(rank, s.options.Faults.WrapRefusing(s.share(rank == 0), s.seed, rank))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}, s.options)
}

func (s setup) balancer(rank int, work search.Work) (lb.Balancer, error) {
	o := s.lb
	o.Work = work
	o.Fresh = func() search.Work { return s.share(false) }
	var err error
	if o.Network, err = s.machine.SchemeNetwork(s.p); err != nil {
		return nil, err
	}
	if o.Detector, err = termination.New(s.detector, rank, s.p); err != nil {
		return nil, err
	}
	return lb.New(s.scheme, o, rank, s.p)
}

// small returns a tree of a few hundred nodes, replayed.
func small(t testing.TB) *replay.Tree {
	t.Helper()
	p := uts.DefaultParams()
	p.Type, p.B0, p.Q, p.M, p.Seed = uts.Binomial, 40, 0.18, 5, 2
	shape, err := uts.TreeShape(p)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := replay.RecordTree(shape, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// over returns the setup of a run of p ranks over a recorded tree.
func over(tree *replay.Tree, machine Machine, scheme, detector string, p int, seed uint64) setup {
	return setup{
		machine: machine, p: p, seed: seed, scheme: scheme, detector: detector,
		share: func(root bool) search.Work {
			return tree.Share(search.Splitting{Rule: search.Half, MinOpen: 2}, root)
		},
		lb:      lb.Options{Delay: 300 * us, Cutoff: 4},
		options: Options{Nodes: tree.NodeCount(), LeftIn: tree.NodesInPiece, MaxEvents: 5_000_000},
	}
}

// Every scheme with every detector on every network expands every node once, ends and passes the
// audits, for various P.
func TestExact(t *testing.T) {
	tree := small(t)
	sizes := []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 64}
	networks := topology.NetworkNames()
	if testing.Short() {
		sizes, networks = []int{1, 2, 3, 7, 16, 64}, []string{"hypercube", "bus"}
	}
	for _, scheme := range lb.SchemeNames() {
		t.Run(scheme, func(t *testing.T) {
			t.Parallel()
			for _, detector := range termination.DetectorNames() {
				for _, network := range networks {
					for _, p := range sizes {
						s := over(tree, ncubeWithTopology("test", network), scheme, detector, p, uint64(p))
						r, err := s.run(t)
						if err != nil {
							t.Fatalf("%s, %s, P = %d: %v", detector, network, p, err)
						}
						if r.Stats.Expanded != tree.NodeCount() || r.Reason != lb.Exhausted {
							t.Fatalf("%s, %s, P = %d: %d nodes of %d, %v", detector, network, p, r.Stats.Expanded, tree.NodeCount(), r.Reason)
						}
						if again := comm.Time(r.Stats.Redundant) * s.machine.Expand; r.Busy != r.Sequential+again || r.Busy+r.Overhead+r.Idle != comm.Time(p)*r.Time || r.Speedup() > float64(p) || r.LastExpansion > r.Time {
							t.Fatalf("%s, %s, P = %d: times do not add up: %+v", detector, network, p, r)
						}
					}
				}
			}
		})
	}
}

// observed are the schemes whose ranks keep nodes only in their share.
var observed = []string{"arr", "nn", "grr", "grr-m", "rp", "sb"}

// watch makes the run check after every event that nodes are conserved.
func (s *setup) watch() {
	shares := make([]interface{ Left() int64 }, 0, s.p)
	share := s.share
	s.share = func(root bool) search.Work {
		w := share(root)
		shares = append(shares, w.(interface{ Left() int64 }))
		return w
	}
	s.options.Left = func(rank int) int64 { return shares[rank].Left() }
}

// faultsOf returns faults of a kind that the seed selects.
func faultsOf(seed uint64) Faults {
	f := Faults{}
	if seed&1 != 0 {
		f.SlowOneIn, f.SlowBy = 3, 2+int(seed>>5&15)
	}
	if seed&2 != 0 {
		f.Jitter = 1000 * us
	}
	if seed&4 != 0 {
		f.PauseOneIn, f.Pause = 50, 20_000*us
	}
	if seed&8 != 0 {
		f.RefuseOneIn = 2
	}
	if seed&16 != 0 {
		f.Jitter += 50 * us
	}
	return f
}

// Faults cost only time, whatever their kinds. The invariants are checked after every event.
func TestFaults(t *testing.T) {
	tree := small(t)
	seeds := uint64(3000)
	if testing.Short() {
		seeds = 300
	}
	detectors, machines := termination.DetectorNames(), MachineNames()
	for part := range uint64(4) {
		t.Run(fmt.Sprint(part), func(t *testing.T) {
			t.Parallel()
			for seed := part; seed < seeds; seed += 4 {
				machine, err := FindMachine(machines[seed/3%uint64(len(machines))])
				if err != nil {
					t.Fatal(err)
				}
				s := over(tree, machine, observed[seed%uint64(len(observed))], detectors[seed/7%uint64(len(detectors))], 1+int(seed/5%17), seed)
				s.watch()
				s.options.Faults = faultsOf(seed)
				if _, err := s.run(t); err != nil {
					t.Fatalf("seed %d (%s, %s, %s, P = %d, %+v): %v", seed, s.machine.Name, s.scheme, s.detector, s.p, s.options.Faults, err)
				}
			}
		})
	}
}

// The search for a witness ends early, and the audits pass.
func TestDecided(t *testing.T) {
	shape := explore.Shape{Seed: 5, Depth: 9, Width: 5, Find: 97}
	for _, scheme := range observed {
		for p := 2; p <= 9; p++ {
			s := setup{
				machine: nCUBE2, p: p, seed: uint64(p), scheme: scheme, detector: "credit",
				share:   func(root bool) search.Work { return explore.NewToy(shape, root) },
				options: Options{MaxEvents: 1_000_000, Faults: Faults{RefuseOneIn: 5}},
			}
			r, err := s.run(t)
			if err != nil || r.Reason != lb.Decided {
				t.Fatalf("%s, P = %d: %v, %v", scheme, p, r.Reason, err)
			}
			if r.Stats.Expanded >= int64(shape.CountNodes()) {
				t.Errorf("%s, P = %d: all %d nodes were expanded", scheme, p, r.Stats.Expanded)
			}
		}
	}
}

// A run that is told to halt ends.
func TestHalt(t *testing.T) {
	tree := small(t)
	for _, p := range []int{1, 2, 16} {
		s := over(tree, nCUBE2, "rp", "credit", p, 1)
		calls := 0
		s.options.Nodes = 0
		s.machine.Quantum = 1
		s.share = func(root bool) search.Work { return endless{root} }
		s.options.Halt = func() (lb.Reason, bool) { calls++; return lb.Timeout, calls > 2 }
		r, err := s.run(t)
		if err != nil || r.Reason != lb.Timeout {
			t.Errorf("P = %d: %v, %v", p, r.Reason, err)
		}
	}
}

// endless is a share that never becomes empty and is never split.
type endless struct{ work bool }

func (e endless) Expand(limit int) int          { return limit }
func (e endless) Empty() bool                   { return !e.work }
func (endless) Split(dst []byte) ([]byte, bool) { return dst, false }
func (endless) Accept([]byte) error             { return nil }

// An invalid setup is refused, and a run that does not end is noticed.
func TestRefuses(t *testing.T) {
	tree := small(t)
	for name, spoil := range map[string]func(*setup){
		"no ranks":        func(s *setup) { s.p = 0 },
		"no network":      func(s *setup) { s.machine.Topology = "torus" },
		"no quantum":      func(s *setup) { s.machine.Quantum = 0 },
		"faults":          func(s *setup) { s.options.Faults.Jitter = -1 },
		"unknown weights": func(s *setup) { s.machine.Work = WorkSize{Sqrt, 1}; s.options.LeftIn = nil },
		"wrong W":         func(s *setup) { s.options.Nodes++ },
		"no end": func(s *setup) {
			s.options.MaxEvents = 1
			s.share = func(root bool) search.Work { return endless{root} }
		},
	} {
		s := over(tree, nCUBE2, "rp", "ring", 4, 1)
		spoil(&s)
		_, err := Run(s.machine, s.p, s.seed, func(rank int) lb.Balancer {
			b, _ := s.balancer(rank, s.share(rank == 0))
			return b
		}, s.options)
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
