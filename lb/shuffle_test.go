package lb_test

import (
	"treesplit/lb"
	"treesplit/termination"
)

// shuffleVariants are ways of poll and shuffle, each with one of the detectors: the
// scheme itself is tried with all of them.
func shuffleVariants() []variant {
	always := lb.Options{Trigger: lb.TriggerAlways}
	count := lb.Options{Trigger: lb.TriggerCount}
	notify := lb.Options{Trigger: lb.TriggerNotify, TriggerAt: 0.1}
	nodes := func(o lb.Options, n int) lb.Options { o.PhaseNodes = n; return o }
	span := func(o lb.Options) lb.Options { o.Phase = 7; return o }
	exact := func(o lb.Options) lb.Options { o.Permutation = "exact"; return o }
	rests := func(o lb.Options) lb.Options { o.Rest = 10; return o }
	var all []variant
	detectors := termination.Names()
	for i, v := range []variant{
		{name: "always", network: "hypercube", options: nodes(always, 1)},
		{name: "always, exact", network: "hypercube", options: nodes(exact(always), 1)},
		{name: "always on a mesh", network: "mesh", options: nodes(always, 1)},
		{name: "always on a mesh, in time", network: "mesh", options: span(exact(always))},
		{name: "always on a fat tree", network: "fattree", options: rests(nodes(always, 3))},
		{name: "count", network: "hypercube", options: nodes(count, 3)},
		{name: "count, exact", network: "hypercube", options: span(exact(count))},
		{name: "count on a mesh", network: "mesh3", options: nodes(count, 1)},
		{name: "notify", network: "hypercube", options: rests(nodes(notify, 1))},
		{name: "notify on a fat tree", network: "fattree", options: nodes(exact(notify), 1)},
	} {
		v.name, v.scheme, v.detector = "shuffle, "+v.name, "shuffle", detectors[i%len(detectors)]
		all = append(all, v)
	}
	return append(all, variant{name: "static+shuffle", scheme: "static+shuffle", network: "ring", options: nodes(always, 1), detector: "ring"})
}
