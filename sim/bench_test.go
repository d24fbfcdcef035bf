package sim

import (
	"runtime"
	"testing"

	"treesplit/lb"
	"treesplit/sat"
	"treesplit/sat/gen"
	"treesplit/search"
	"treesplit/search/replay"
)

// recorded returns the tree of a formula in 61 variables with 14 million nodes, about as large as
// the largest tree of Kumar et al., section 8.
func recorded(b *testing.B) *replay.Tree {
	b.Helper()
	family, err := gen.FindFamily("random")
	if err != nil {
		b.Fatal(err)
	}
	f, _, err := family.MakeFormula(map[string]float64{"n": 61, "ratio": 5}, 2)
	if err != nil {
		b.Fatal(err)
	}
	tree, err := replay.RecordTree(sat.NewPaper(f).Shape(), replay.MaxNodes)
	if err != nil {
		b.Fatal(err)
	}
	return tree
}

// meter notes the largest amount of memory in use during a run.
type meter struct {
	calls int
	peak  uint64
}

// read is called every few thousand events. It reads the memory in use at every 256th call.
func (m *meter) read() (lb.Reason, bool) {
	if m.calls++; m.calls&255 == 0 {
		m.peak = max(m.peak, inUse())
	}
	return 0, false
}

func inUse() uint64 {
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	return s.HeapInuse
}

// BenchmarkRun reports three numbers: events per second, where an event is a step, a delivery or an
// alarm; bytes per rank, Balancers included and the tree excluded; and simulated processor seconds
// per second. With a million ranks a run takes minutes and some GiB: name it to run it, -bench
// 'Run/P=1Mi' -benchtime 1x.
func BenchmarkRun(b *testing.B) {
	for _, c := range []struct {
		name   string
		p      int
		scheme string
	}{
		{"P=1Ki/rp", 1 << 10, "rp"},
		{"P=1Ki/nn", 1 << 10, "nn"},
		{"P=1Ki/grr-m", 1 << 10, "grr-m"},
		{"P=64Ki/rp", 1 << 16, "rp"},
		{"P=1Mi/rp", 1 << 20, "rp"},
	} {
		b.Run(c.name, func(b *testing.B) {
			if testing.Short() && c.p > 1<<10 {
				b.Skip("takes minutes")
			}
			tree := recorded(b)
			s := over(tree, nCUBE2, c.scheme, "tree", c.p, 1)
			s.options.MaxEvents = 0
			s.share = func(root bool) search.Work {
				return tree.Share(search.Splitting{Rule: search.Half, MinOpen: 2}, root)
			}
			events, virtual, m := int64(0), 0.0, meter{}
			runtime.GC()
			before := inUse()
			s.options.Halt = m.read
			for b.Loop() {
				r, err := s.run(b)
				if err != nil {
					b.Fatal(err)
				}
				events += r.Events
				virtual += float64(r.Time) / 1e9 * float64(c.p)
			}
			b.ReportMetric(float64(events)/b.Elapsed().Seconds(), "events/s")
			b.ReportMetric(float64(m.peak-before)/float64(c.p), "B/rank")
			b.ReportMetric(virtual/b.Elapsed().Seconds(), "simulated-s/s")
			b.ReportMetric(float64(tree.NodeCount()), "nodes")
		})
	}
}
