package lb_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"treesplit/comm"
	"treesplit/lb"
)

// caller is the Env of a rank that only draws donors.
type caller struct {
	comm.Env
	rank, size int
	stream     *rand.Rand
}

func (c caller) Rank() int        { return c.rank }
func (c caller) Size() int        { return c.size }
func (c caller) Rand() *rand.Rand { return c.stream }

// K15: under random polling P·H_P requests are made on average until every rank has been asked
// once. H_P is the harmonic number. Reference: Kumar et al., section 5.2.
func TestRequestsUntilAllAreAsked(t *testing.T) {
	const p, trials = 64, 4000
	stream := rand.New(rand.NewPCG(1, 2))
	total := 0
	for range trials {
		var asked [p]bool
		for left := p; left > 0; total++ {
			requester := caller{rank: total % p, size: p, stream: stream}
			donor, ok := lb.RandomPolling{}.Next(requester)
			if !ok || donor == requester.rank || donor < 0 || donor >= p {
				t.Fatalf("rank %d asks %d, %v", requester.rank, donor, ok)
			}
			if !asked[donor] {
				asked[donor] = true
				left--
			}
		}
	}
	harmonic := 0.0
	for i := 1.0; i <= p; i++ {
		harmonic += 1 / i
	}
	if mean := float64(total) / trials; math.Abs(mean/(p*harmonic)-1) > 0.03 {
		t.Errorf("%.1f requests on average, P·H_P is %.1f", mean, p*harmonic)
	}
}
