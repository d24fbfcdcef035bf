package sanders

import (
	"math"
	"math/rand/v2"

	"treesplit/search/model"
)

// wholeNodes is the size of the trees whose parts are measured as fractions of the whole. It is so
// large that rounding to whole numbers has no effect.
const wholeNodes = 1 << 60

// smallPart is the largest size of a part that is not listed, as a fraction of the mean load of a
// rank.
const smallPart = 1. / 64

// pieceLen is the length of a piece of a model.Binary.
const pieceLen = 16

// parts holds the parts of one tree of model.Binary as the number of splits increases. There may be
// 2^80 parts. Parts that are not small compared with a rank's load are listed. For the other parts
// only their sum is known, and the sum of their squares by theorem 1.
//
// This method of this project measures loads for which theorem 5 requires more parts than can be
// listed; a test compares it with lists.
type parts struct {
	share   *model.Binary // halves pieces
	shrink  float64       // factor of the mean sum of squares per split: 2σ²+1/2
	least   int64         // smaller parts are not listed
	k       int
	large   []byte // the pieces listed, one after the other
	next    []byte // room for the pieces of the next k
	small   float64
	squares float64 // the mean of the sum of the squares of the small parts
}

// newParts returns a tree as a single part, whose parts will be dealt to the given number of ranks.
func newParts(law model.Law, sigma float64, seed uint64, ranks int) (*parts, error) {
	share, err := model.NewBinary(model.Halving{Nodes: wholeNodes, Law: law, Sigma: sigma, Seed: seed}, true)
	if err != nil {
		return nil, err
	}
	return &parts{
		share: share, shrink: 2*sigma*sigma + 0.5,
		least: int64(wholeNodes / float64(ranks) * smallPart),
		large: share.Pack(nil),
	}, nil
}

// splitAllParts splits all parts.
func (p *parts) splitAllParts() error {
	p.k++
	p.squares *= p.shrink
	whole := p.large
	p.large = p.next[:0]
	for at := 0; at < len(whole); at += pieceLen {
		if err := p.share.Accept(whole[at : at+pieceLen]); err != nil {
			return err
		}
		p.large, _ = p.share.Split(p.large)
		p.siftLastPiece()
		p.large = p.share.Pack(p.large)
		p.siftLastPiece()
	}
	p.next = whole
	return nil
}

// siftLastPiece removes the last piece from the list if it is small.
func (p *parts) siftLastPiece() {
	last := len(p.large) - pieceLen
	if nodes := model.NodesInPiece(p.large[last:]); nodes < p.least {
		size := float64(nodes) / wholeNodes
		p.small += size
		p.squares += size * size
		p.large = p.large[:last]
	}
}

// largestLoad deals all parts in random order, the same number to each rank, and returns the
// largest load. The number of ranks must be a power of two, 2^k at most.
//
// The listed parts are dealt one by one. The number of small parts of a rank is so large that their
// sum is drawn from the normal distribution.
func (p *parts) largestLoad(ranks int, rng *rand.Rand) float64 {
	each := math.Ldexp(1, p.k) / float64(ranks)
	loads, given := make([]float64, ranks), make([]float64, ranks)
	for at := 0; at < len(p.large); at += pieceLen {
		r := rng.IntN(ranks)
		for rng.Float64()*each < given[r] { // the drawn place is taken
			r = rng.IntN(ranks)
		}
		given[r]++
		loads[r] += float64(model.NodesInPiece(p.large[at:at+pieceLen])) / wholeNodes
	}
	few := math.Ldexp(1, p.k) - float64(len(p.large)/pieceLen)
	largest := 0.0
	for r, load := range loads {
		if few > 0 {
			mean, free := p.small/few, each-given[r]
			load += free*mean + math.Sqrt(free*max(p.squares/few-mean*mean, 0))*rng.NormFloat64()
		}
		largest = max(largest, load)
	}
	return largest
}
