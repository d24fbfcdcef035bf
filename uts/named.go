package uts

import "strings"

// sample is a tree of the benchmark's sample file with the result published for it.
type sample struct {
	name      string
	params    Params
	published Result // Leaves 0: number not published
}

// binomialTree, geometric and hybrid return a sample's parameters in the terms of its command
// line.
func binomialTree(q float64, m, seed int) Params {
	p := DefaultParams()
	p.Type, p.B0, p.Q, p.M, p.Seed = Binomial, 2000, q, m, seed
	return p
}

func geometricTree(a Shape, d int, b float64, seed int) Params {
	p := DefaultParams()
	p.Shape, p.Depth, p.B0, p.Seed = a, d, b, seed
	return p
}

func hybridTree(a Shape, d int, b float64, seed int) Params {
	p := geometricTree(a, d, b, seed)
	p.Type = Hybrid
	return p
}

// samples are the published trees, the small ones first. T2XXL and T2WL are binomial, although
// their names suggest another type.
var samples = []sample{
	{"T1", geometricTree(Fixed, 10, 4, 19), Result{4130071, 10, 3305118}},
	{"T2", geometricTree(Cyclic, 16, 6, 502), Result{4117769, 81, 2342762}},
	{"T3", binomialTree(0.124875, 8, 42), Result{4112897, 1572, 3599034}},
	{"T4", hybridTree(Linear, 16, 6, 1), Result{4132453, 134, 3108986}},
	{"T5", geometricTree(Linear, 20, 4, 34), Result{4147582, 20, 2181318}},
	{"T1L", geometricTree(Fixed, 13, 4, 29), Result{102181082, 13, 81746377}},
	{"T3L", binomialTree(0.200014, 5, 7), Result{111345631, 17844, 89076904}},
	{"T1XL", geometricTree(Fixed, 15, 4, 29), Result{1635119272, 15, 1308100063}},
	{"T1XXL", geometricTree(Fixed, 15, 4, 19), Result{4230646601, 15, 0}},
	{"T3XXL", binomialTree(0.499995, 2, 316), Result{2793220501, 99049, 1396611250}},
	{"T2XXL", binomialTree(0.499999995, 2, 0), Result{10612052303, 216370, 5306027151}},
	{"T1WL", geometricTree(Fixed, 18, 4, 19), Result{270751679750, 18, 216601257283}},
	{"T2WL", binomialTree(0.4999999995, 2, 559), Result{295393891003, 1021239, 147696946501}},
	{"T3WL", binomialTree(0.4999995, 2, 559), Result{157063495159, 758577, 78531748579}},
}

// FindSample returns a tree of the benchmark's sample file, T1 to T3WL in upper or lower case,
// with its published result. In the result, 0 leaves means that the number was not published.
func FindSample(name string) (p Params, published Result, ok bool) {
	for _, s := range samples {
		if strings.EqualFold(s.name, name) {
			return s.params, s.published, true
		}
	}
	return Params{}, Result{}, false
}

// Published returns the published result for a tree with these parameters, if it is in the sample
// file. The granularity does not change the tree.
func Published(p Params) (published Result, ok bool) {
	for _, s := range samples {
		s.params.Granularity = p.Granularity
		if s.params == p {
			return s.published, true
		}
	}
	return Result{}, false
}

// SampleNames lists the names that FindSample accepts, the small trees first.
func SampleNames() []string {
	names := make([]string, len(samples))
	for i, s := range samples {
		names[i] = s.name
	}
	return names
}
