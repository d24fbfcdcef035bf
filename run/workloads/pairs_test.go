package workloads_test

import (
	"errors"
	"slices"
	"sync/atomic"
	"testing"

	"treesplit/lb"
	"treesplit/mapping"
	"treesplit/run"
	"treesplit/run/workloads"
)

// Pairs improved on any number of ranks give a better and valid map. Without proxies it is the
// same map on every number of ranks.
func TestPairs(t *testing.T) {
	for _, proxies := range []bool{false, true} {
		p := graph(5, 60, 7, 150)
		if !proxies {
			for i := range p.Arcs {
				p.Arcs[i].Proxy = mapping.NoProxy
			}
		}
		start := make(mapping.Map, 60)
		for i := range start {
			start[i] = int32(i % 7)
		}
		before := p.EvaluateMap(start).Makespan
		var first mapping.Map
		for _, ranks := range []int{1, 2, 3, 4, 8} {
			told := before
			var improvements atomic.Int32
			w := &workloads.Pairs{Problem: p, Start: start, Seed: 3, Better: func(m mapping.Map, makespan int64) {
				if makespan >= told || p.EvaluateMap(m).Makespan != makespan {
					t.Errorf("told of %v as %d after %d", m, makespan, told)
				}
				told = makespan
				improvements.Add(1)
			}}
			if proxies { // each improvement makes further ones possible for a long time
				w.Interrupted = func() bool { return improvements.Load() >= 3 }
			}
			r, err := w.RunOnGoroutines(ranks)
			m := r.Map
			if err != nil || p.CheckMap(m) != nil || p.EvaluateMap(m).Makespan != told || told >= before {
				t.Fatalf("%d ranks: %v, %v; from %d to %d", ranks, m, err, before, told)
			}
			if first == nil {
				first = m
			}
			if !proxies && !slices.Equal(m, first) {
				t.Errorf("%d ranks: %v, one rank %v", ranks, m, first)
			}
		}
	}
}

// Pairs returns an error for invalid input and stops on request.
func TestPairsRefuseAndStop(t *testing.T) {
	for _, w := range []*workloads.Pairs{{}, {Problem: graph(1, 3, 2, 2), Start: mapping.Map{0}}, {Problem: &mapping.Problem{}}} {
		if r, err := w.RunOnGoroutines(2); r.Map != nil || !errors.As(err, &run.InputError{}) {
			t.Errorf("%+v: %v, %v", w, r.Map, err)
		}
	}
	if _, err := (&workloads.Pairs{Problem: graph(1, 3, 2, 2), Start: mapping.Map{0, 1, 0}}).RunOnGoroutines(0); !errors.As(err, &run.InputError{}) {
		t.Errorf("no ranks: %v", err)
	}
	missing := errors.New("not there")
	if _, err := (&workloads.Pairs{Load: func() error { return missing }}).RunOnGoroutines(3); !errors.Is(err, missing) || !errors.As(err, &run.InputError{}) {
		t.Errorf("nothing to load: %v", err)
	}
	p, calls := graph(6, 40, 4, 100), 0
	start := make(mapping.Map, 40)
	r, err := (&workloads.Pairs{Problem: p, Start: start, Interrupted: func() bool { calls++; return true }}).RunOnGoroutines(1)
	if err != nil || !slices.Equal(r.Map, start) || r.Why != lb.Interrupted || calls == 0 {
		t.Errorf("stopped at once: %+v, %v", r, err)
	}
}
