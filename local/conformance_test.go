package local

import (
	"testing"

	"treesplit/comm"
	"treesplit/comm/commtest"
)

func TestConformance(t *testing.T) {
	commtest.Run(t, func(size int) (ranks []comm.Transport, fail func(error)) {
		endpoints := New(size)
		for _, e := range endpoints {
			ranks = append(ranks, e)
		}
		return ranks, endpoints[0].World().FailAllRanks
	})
}
