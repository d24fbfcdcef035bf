package lb

import (
	"math/rand/v2"
	"slices"

	"treesplit/search"
)

// NewDealt wraps a share as a static start does, with the parts from, …, to−1 of 2^k.
func NewDealt(w search.Work, k int, seed, from, to uint64) *dealt {
	d := newDealt(w, nil)
	if from < to {
		d.assignRange(order{k: k, seed: seed}, from, to)
	}
	return d
}

// Redundant returns the number of redundant nodes of a dealt share.
func Redundant(w search.Work) int64 { return w.(*dealt).redundant }

// Sample is what a static start knows of the tree.
type Sample = sample

// TakeSamples returns the sum of the samples that a static start takes, and the most nodes that a rank expanded for its
// own. Without rounds only the first samples are taken.
func TakeSamples(fresh func() search.Work, ranks int, rounds bool, rng *rand.Rand) (all *Sample, most int64) {
	all = new(sample)
	spent := make([]int64, ranks)
	for nodes := int64(0); ; {
		for rank := range ranks {
			var s sample
			spent[rank] += s.takeSample(fresh, pathInRange(rank, ranks, rng), ranks, nodes, rng)
			all.add(&s)
		}
		if nodes = all.nextRound(ranks); nodes == 0 || !rounds {
			return all, slices.Max(spent)
		}
	}
}

// Estimate, ChooseSplits, Append and ParseSample are for tests.
func (s *sample) Estimate() (nodes, sigma, perSplit float64) { return s.estimate() }
func (s *sample) ChooseSplits(ranks int, waste float64) int  { return s.chooseSplits(ranks, waste) }
func (s *sample) Append(dst []byte) []byte                   { return s.append(dst) }
func ParseSample(body []byte) (*Sample, error)               { return parseSample(body) }

// SampleMost is the most nodes of a sample, except for the last dive.
const SampleMost = sampleMost
