package lb

import (
	"encoding/binary"
	"errors"
	"math"
	"math/bits"
	"math/rand/v2"

	"treesplit/search"
)

const (
	// sampleFirst splits lead from the range of a rank to the first part of a dive, and sampleStep splits
	// from one part of a dive to the next one.
	sampleFirst, sampleStep = 5, 3
	// A dive expands sampleCut nodes of a part, and sampleAtom nodes of a part that cannot be split then. It
	// ends at the first part that has no more nodes.
	sampleCut, sampleAtom = 16, 64

	// A rank expands sureShare of its nodes for the sample, or vagueShare as long as the standard error of the
	// mean is more than sampleError of the mean, and never more than sampleMost nodes.
	sureShare, vagueShare = 0.01, 0.1
	sampleError           = 0.25
	sampleMost            = 1 << 17
	// sampleGrowth bounds a round of samples, as a multiple of all rounds before it.
	sampleGrowth = 3

	// priorDives and priorSigma are an estimate before the sample: the result is as if this number of dives into a tree
	// with this σ were added. Two parts often have equal sizes by chance.
	priorDives, priorSigma = 1, 0.1
	// sigmaRise is about σ divided by its estimate, if σ is large.
	sigmaRise = 1.2
	// sampleEpsilon is ε of theorem 5: a largest load within 10 % of the mean is sufficient.
	sampleEpsilon = 0.05
)

// sample holds the results of random dives into a tree, from which rank 0 chooses the number of splits of a static
// start. Samples of several ranks are added up. Sanders ("Randomized Static Load Balancing for Tree-Shaped
// Computations", section 5.2) chooses k from W and σ, which are known there. Here they are estimated.
//
// A dive follows a random path of halvings from the root. It expands the first nodes of the parts of every third level on
// the path, and ends at the first of these parts that has no more nodes. Let m be 2^level·size of this part. By optional
// stopping, the mean of m is W, because the next part on a random path has half of the size in the mean. In the
// model of theorem 1 the mean of m²·(4σ²+1)^−level is W², for the same reason. (Knuth, "Estimating the Efficiency of
// Backtrack Programs", 1975, estimates W by dives from node to node.) Both are estimated from the sums that a
// sample keeps.
//
// The estimates of W and, even more, of σ are too low if the largest parts are heavy, because few dives end in
// them.
type sample struct {
	levels [search.MaxSplits + 1]levelSample
	ways   int64 // nodes of other parts that were expanded on the ways to parts
	splits int64 // the sum of the lengths of these ways
	spent  int64 // all nodes that were expanded
}

// levelSample holds the sizes of the parts in which dives ended at one level.
type levelSample struct {
	dives   int64
	sum     int64 // of the sizes
	squares int64 // the sum of the squares of the sizes
}

// takeSample makes dives as long as they expand at most the given number of nodes, and at least one. The first dive
// follows the given path, and the others follow random paths. It returns the number of expanded nodes. fresh returns an
// empty share that is a search.Bisecter and whose counts are not added up.
func (s *sample) takeSample(fresh func() search.Work, path uint64, ranks int, nodes int64, rng *rand.Rand) int64 {
	share, least, before := fresh(), bits.Len(uint(ranks-1)), s.spent
	for dives := int64(1); ; dives++ {
		share = s.dive(share, fresh, least, path)
		if spent := s.spent - before; spent+max(spent/dives, 1) > nodes {
			return spent
		}
		path = randomPath(rng)
	}
}

// randomPath returns a path of MaxSplits bits.
func randomPath(rng *rand.Rand) uint64 { return rng.Uint64N(allPaths) }

// pathInRange returns a path to a part in the range rank/ranks to (rank+1)/ranks of the tree. If every rank begins with
// such a path, no range is left out. Only the first dive has one, because ranks with large subtrees would make more
// dives.
func pathInRange(rank, ranks int, rng *rand.Rand) uint64 {
	return min(uint64((float64(rank)+rng.Float64())/float64(ranks)*allPaths), allPaths-1)
}

// allPaths is the number of paths of MaxSplits bits.
const allPaths = 1 << search.MaxSplits

// dive makes one dive along a path of MaxSplits bits. least is ⌈log2 ranks⌉. It returns a share for the next dive.
func (s *sample) dive(share search.Work, fresh func() search.Work, least int, path uint64) search.Work {
	for level := min(least+sampleFirst, search.MaxSplits); ; level = min(level+sampleStep, search.MaxSplits) {
		parts, _ := search.As[search.Bisecter](share)
		own, others := parts.Bisect(level, path>>(search.MaxSplits-level))
		size, left := int64(own), hasNodes(share)
		if left {
			size += int64(share.Expand(sampleCut))
			left = hasNodes(share)
		}
		if left && !canSplit(share) {
			size += int64(share.Expand(sampleAtom - sampleCut))
			left = hasNodes(share)
		}
		s.ways += int64(others)
		s.splits += int64(level)
		s.spent += size + int64(others)
		if left || search.Decided(share) {
			share = fresh()
		}
		if !left || level == search.MaxSplits {
			s.levels[level].addSize(size)
			return share
		}
	}
}

// hasNodes reports whether a share has nodes left to expand.
func hasNodes(share search.Work) bool { return !search.Decided(share) && !share.Empty() }

// canSplit reports whether a share can be split, and then splits it.
func canSplit(share search.Work) bool {
	_, ok := share.Split(nil)
	return ok
}

// addSize adds the size of a part.
func (l *levelSample) addSize(size int64) {
	l.dives++
	l.sum += size
	l.squares += size * size
}

// add adds another sample.
func (s *sample) add(o *sample) {
	for i, l := range o.levels {
		s.levels[i].dives += l.dives
		s.levels[i].sum += l.sum
		s.levels[i].squares += l.squares
	}
	s.ways += o.ways
	s.splits += o.splits
	s.spent += o.spent
}

// nextRound returns the number of nodes that each rank expands for the next round of samples, or 0 if these samples are
// enough.
func (s *sample) nextRound(ranks int) int64 {
	nodes, deviation := s.mean()
	share := sureShare
	if deviation > sampleError*nodes {
		share = vagueShare
	}
	most, spent := min(share*nodes/float64(ranks), sampleMost), float64(s.spent)/float64(ranks)
	if most < 2*spent {
		return 0
	}
	return int64(min(most-spent, sampleGrowth*spent))
}

// mean returns the mean of m over the dives, which estimates W, and its standard error, which is 0 for a single dive.
func (s *sample) mean() (mean, deviation float64) {
	dives, squares := 0.0, 0.0
	for level, l := range s.levels {
		dives += float64(l.dives)
		mean += math.Ldexp(float64(l.sum), level)
		squares += math.Ldexp(float64(l.squares), 2*level)
	}
	mean /= dives
	return mean, math.Sqrt(max(squares/dives-mean*mean, 0) / max(dives-1, 1))
}

// estimate returns W, σ, and the nodes of other parts for each split on a way. They are estimates of a sample
// with at least one dive.
func (s *sample) estimate() (nodes, sigma, perSplit float64) {
	nodes, _ = s.mean()
	dives, levels := 0.0, 0.0
	for level, l := range s.levels {
		dives += float64(l.dives)
		levels += float64(l.dives) * float64(level)
	}
	perSplit = float64(s.ways) / float64(s.splits)
	if nodes == 0 {
		return nodes, priorSigma, perSplit
	}
	// growth returns the mean of m²·g^−level / W², which falls if g grows.
	growth := func(g float64) (mean float64) {
		for level, l := range s.levels {
			if l.squares > 0 {
				mean += float64(l.squares) * math.Pow(4/g, float64(level)) / dives / nodes / nodes
			}
		}
		return mean
	}
	low, high := 1.0, 2.0 // g = 4σ²+1
	for range 40 {
		if g := (low + high) / 2; growth(g) > 1 {
			low = g
		} else {
			high = g
		}
	}
	return nodes, usualSigma(math.Sqrt(low-1)/2, dives, levels/dives), perSplit
}

// usualSigma returns σ, estimated from dives that end at a mean level and from priorDives dives into a tree with
// priorSigma.
func usualSigma(sigma, dives, level float64) float64 {
	growth := func(s float64) float64 { return math.Expm1(level * math.Log1p(4*s*s)) } // theorem 1
	mean := (dives*growth(sigma) + priorDives*growth(priorSigma)) / (dives + priorDives)
	return min(math.Sqrt(math.Expm1(math.Log1p(mean)/level))/2, 0.5)
}

// chooseSplits returns the k of CheapestSplits for a raised σ, or the k of theorem 5 for ε = 0.05 if that is less. With a waste, it returns
// the largest k of these for which at most this part of W is expanded more than once, on the ways to
// parts. k is at least ⌈log2 ranks⌉.
func (s *sample) chooseSplits(ranks int, waste float64) int {
	nodes, sigma, perSplit := s.estimate()
	most := SplitsFor(sigma, ranks, sampleEpsilon)
	if waste == 0 {
		return min(CheapestSplits(min(sigmaRise*sigma, 0.5), ranks, nodes, perSplit), most)
	}
	k := bits.Len(uint(ranks - 1))
	for k < most && math.Ldexp(max(1, perSplit*float64(k+1)), k+1) <= waste*nodes {
		k++
	}
	return k
}

// append appends the sample in its form on the wire: the ways, the splits, the expanded nodes, and for each level with dives the
// level and its three numbers, all as unsigned numbers of variable length.
func (s *sample) append(dst []byte) []byte {
	for _, n := range []int64{s.ways, s.splits, s.spent} {
		dst = binary.AppendUvarint(dst, uint64(n))
	}
	for level, l := range s.levels {
		if l.dives > 0 {
			for _, n := range []int64{int64(level), l.dives, l.sum, l.squares} {
				dst = binary.AppendUvarint(dst, uint64(n))
			}
		}
	}
	return dst
}

// errSample is the error of a sample that no rank sends.
var errSample = errors.New("a sample of the tree is damaged")

// parseSample reads a sample.
func parseSample(body []byte) (s *sample, err error) {
	next := func() (n int64) {
		v, size := binary.Uvarint(body)
		if size <= 0 || v > math.MaxInt64 {
			err, body = errSample, nil
			return 0
		}
		body = body[size:]
		return int64(v)
	}
	s = new(sample)
	s.ways, s.splits, s.spent = next(), next(), next()
	for len(body) > 0 {
		level := next()
		l := levelSample{next(), next(), next()}
		if level > search.MaxSplits || l.dives == 0 {
			return nil, errSample
		}
		s.levels[level] = l
	}
	return s, err
}
