package mapping

import "math/rand/v2"

// placeRandomly puts each object that may move on a processor drawn uniformly (section 4).
func placeRandomly(in *Incumbent, _ *graph) {
	p, rng := in.Problem, newRandomStream(in.Options.Seed, 0)
	m := make(Map, len(p.Objects))
	for i, o := range p.Objects {
		m[i] = o.Home
		if !o.Fixed {
			m[i] = int32(rng.IntN(p.Processors))
		}
	}
	in.OfferMap(m, p.EvaluateMap(m).Makespan)
}

// newRandomStream returns a stream of random numbers of a seed.
func newRandomStream(seed, number uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, number)) }
