package calibrate

import (
	"treesplit/comm"
	"treesplit/search"
)

// pieces holds the measured costs of pieces.
type pieces struct {
	split, accept []float64 // ns
	bytes         []float64
}

// mostPieces is the largest number of pieces that are measured.
const mostPieces = 256

// exchangePieces splits shares of the tree, each after a quantum of work, and lets empty shares
// take in the pieces. It continues with donor and receiver alternately, so that it measures pieces
// of pieces too, as they occur in a run. It ends after span.
func (w *walker) exchangePieces(span comm.Time) (p pieces, err error) {
	share, start := w.problem.Share(w.split, true), w.t.Now()
	nodes := 1 // the first splits of a run come early
	for len(p.split) < mostPieces && w.t.Now()-start < span && !w.halt() {
		share.Expand(nodes)
		if share.Empty() || search.Decided(share) {
			share, nodes = w.problem.Share(w.split, true), 1
			share.Expand(nodes)
			if share.Empty() || search.Decided(share) {
				return p, nil // the tree has a single node
			}
		}
		nodes = min(2*nodes, w.quantum)
		before := w.t.Now()
		piece, ok := share.Split(nil)
		after := w.t.Now()
		if !ok {
			continue
		}
		other := w.problem.Share(w.split, false)
		begun := w.t.Now()
		if err := other.Accept(piece); err != nil {
			return p, err
		}
		p.split = append(p.split, float64(after-before))
		p.accept = append(p.accept, float64(w.t.Now()-begun))
		p.bytes = append(p.bytes, float64(len(piece)))
		if len(p.split)%2 == 0 {
			share = other
		}
	}
	return p, nil
}
