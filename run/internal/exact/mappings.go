package exact

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"treesplit/mapping"
	"treesplit/mapping/bb"
	"treesplit/run"
	"treesplit/run/workloads"
)

// graphs are mapping problems, drawn by seed. Half of them are searched with a bound that stays
// at the optimum, so that W is the W of the sequential search. The other half are searched with
// bounds that ranks share.
var graphs = []struct {
	objects, processors, arcs int
	options                   bb.Options
}{
	{16, 3, 2, bb.Options{}},
	{13, 3, 3, bb.Options{Numbered: true, Symmetric: true}},
	{1, 2, 0, bb.Options{}},
}

// mappings returns the inputs of branch and bound.
func mappings() (inputs []Input, err error) {
	for i, g := range graphs {
		p := drawGraph(uint64(i), g.objects, g.processors, g.arcs)
		in, err := bb.New(p, g.options)
		if err != nil {
			return nil, err
		}
		best := in.SolveSequentially(nil)
		for _, count := range []bool{false, true} {
			o := g.options
			o.Count = count
			if count {
				o.Upper = best.Makespan
			}
			input := Input{
				Name:  fmt.Sprintf("mapping %d, fixed %v", i, count),
				Open:  func() run.Workload { return &workloads.Mapping{Problem: p, Options: o} },
				Check: func(w run.Workload, r *run.Result) error { return nil },
			}
			if count {
				if in, err = bb.New(p, o); err != nil {
					return nil, err
				}
				input.Expanded = in.SolveSequentially(nil).Expanded
			} else {
				input.Check = func(w run.Workload, r *run.Result) error {
					return checkMapping(w.(*workloads.Mapping), r, best.Makespan)
				}
			}
			inputs = append(inputs, input)
		}
	}
	return inputs, nil
}

// drawGraph draws a problem with proxies, a fixed object and background load.
func drawGraph(seed uint64, objects, processors, arcs int) *mapping.Problem {
	rng := rand.New(rand.NewPCG(seed, 1))
	p := &mapping.Problem{Processors: processors}
	for range processors {
		p.Background = append(p.Background, rng.Int64N(2)*20)
	}
	for range objects {
		p.Objects = append(p.Objects, mapping.Object{Comp: 20 + rng.Int64N(80), Home: mapping.Nowhere})
	}
	p.Objects[objects/2] = mapping.Object{Comp: 10, Home: 1, Fixed: true}
	for range arcs * objects {
		p.Arcs = append(p.Arcs, mapping.Arc{
			From: int32(rng.IntN(objects)), To: int32(rng.IntN(objects)),
			Send: rng.Int64N(20), Receive: rng.Int64N(20), Proxy: int32(rng.IntN(4) - 1),
		})
	}
	return p
}

// Pairs checks that a map improved pair by pair in some world equals the map that a single rank
// computes. The problem has no proxies, so that pairs do not depend on each other.
func Pairs(improve func(w *workloads.Pairs) (workloads.Paired, error)) error {
	p := drawGraph(77, 50, 7, 3)
	start := make(mapping.Map, 50)
	for i := range p.Arcs {
		p.Arcs[i].Proxy = mapping.NoProxy
	}
	for i, o := range p.Objects {
		start[i] = int32(i % 7)
		if o.Fixed {
			start[i] = o.Home
		}
	}
	want, err := (&workloads.Pairs{Problem: p, Start: start}).RunOnGoroutines(1)
	if err != nil {
		return err
	}
	got, err := improve(&workloads.Pairs{Problem: p, Start: start})
	if err != nil {
		return err
	}
	if before, after := p.EvaluateMap(start).Makespan, p.EvaluateMap(got.Map).Makespan; !slices.Equal(got.Map, want.Map) || after >= before {
		return fmt.Errorf("pairs of processors: %v with makespan %d after %d, one rank has %v", got.Map, after, before, want.Map)
	}
	return nil
}

// checkMapping checks that the optimum was found and proved.
func checkMapping(w *workloads.Mapping, r *run.Result, best int64) error {
	m, err := w.ReadResult(r)
	if err != nil {
		return err
	}
	if m.Makespan != best || m.Lower != best || m.Map == nil {
		return fmt.Errorf("the run found %+v, but the optimum is %d", m, best)
	}
	return nil
}
