package run

import (
	"errors"
	"testing"

	"treesplit/comm"
	"treesplit/internal/explore"
	"treesplit/local"
	"treesplit/search"
)

// fullSpool is a Spool that cannot send its logs.
type fullSpool struct{ Spool }

func (fullSpool) HandOver(comm.Transport) error { return errors.New("no space left on device") }

// toyProblem is a problem of a small tree.
type toyProblem struct{ Problem }

func (toyProblem) Share(_ search.Splitting, root bool) search.Work {
	return explore.NewToy(explore.Shape{Seed: 9, Depth: 14, Width: 4}, root)
}

// If the logs of a proof cannot be sent to rank 0, nothing is saved, and the ranks halt soon. Until then they
// resume the search, for which rank 0 needs the sizes of the pieces.
func TestPiecesAreMeasuredWithoutSaving(t *testing.T) {
	share := toyProblem{}.Share(search.Splitting{}, true)
	share.Expand(100)
	next := &resumePoint{problem: toyProblem{}}
	for range 3 {
		if piece, ok := share.Split(nil); ok {
			next.Pieces = append(next.Pieces, piece)
		}
	}
	e := &engine{peers: local.New(1)[0], ranks: &realRank{}, plan: planOf("sl"), logs: fullSpool{}, saver: &saver{}}
	if err := e.saveResumePoint(next, newEmptyStep()); err != nil || e.saver.failed == nil {
		t.Fatalf("error %v, failure %v: expected a failure to save only", err, e.saver.failed)
	}
	if len(next.Pieces) < 2 || len(next.sizes) != len(next.Pieces) {
		t.Errorf("%d pieces have %d sizes: expected several pieces, and one size for each", len(next.Pieces), len(next.sizes))
	}
}
