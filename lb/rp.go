package lb

import "treesplit/comm"

// RandomPolling (RP, Kumar et al., section 4.5) asks a rank drawn uniformly from all other
// ranks. On average P·H_P requests are made until every rank has been asked once (section
// 5.2).
type RandomPolling struct{ local }

// Next returns a random donor.
func (RandomPolling) Next(env comm.Env) (donor int, ok bool) {
	donor = env.Rand().IntN(env.Size() - 1)
	if donor >= env.Rank() {
		donor++
	}
	return donor, true
}
