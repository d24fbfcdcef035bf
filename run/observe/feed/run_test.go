package feed_test

import (
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"treesplit/local"
	"treesplit/run"
	"treesplit/run/checkpoint"
	"treesplit/run/observe"
	"treesplit/run/observe/feed"
	"treesplit/run/workloads"
	"treesplit/uts"
)

// tree is a tree that no test searches to its end.
func tree() *workloads.UTS {
	params, _, _ := uts.FindSample("T1L")
	return &workloads.UTS{Params: params}
}

// onEndpoints runs a search on ranks with a Board each, as under MPI, with the given board on rank 0.
func onEndpoints(t *testing.T, p run.Plan, board *feed.Board, h run.Hooks) (result *run.Result) {
	t.Helper()
	var wg sync.WaitGroup
	for _, e := range local.New(p.Ranks) {
		wg.Go(func() {
			p, own := p, board
			if e.Rank() > 0 {
				own = new(feed.Board)
			}
			p.Observer = observe.Observer{Board: own}
			r, err := run.RunOn(e, p, tree(), h, e.World().FailAllRanks)
			if err != nil {
				e.World().FailAllRanks(err)
				t.Error(err)
			}
			if r != nil {
				result = r
			}
		})
	}
	wg.Wait()
	if result == nil {
		t.FailNow()
	}
	return result
}

// onGoroutines runs a search on goroutines.
func onGoroutines(t *testing.T, p run.Plan, board *feed.Board, h run.Hooks) *run.Result {
	t.Helper()
	p.Observer = observe.Observer{Board: board}
	r, err := run.RunOnGoroutines(p, tree(), h)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// No rank is silent while rank 0 writes a checkpoint, and after the search. The totals of a resumed
// search are the totals of its result.
func TestCheckpointsAndResumedRuns(t *testing.T) {
	defer feed.SetSilentAfter(0)()
	const long = 500 * time.Millisecond // without a report a rank is silent after 300 ms
	for name, search := range map[string]func(*testing.T, run.Plan, *feed.Board, run.Hooks) *run.Result{"goroutines": onGoroutines, "endpoints": onEndpoints} {
		t.Run(name, func(t *testing.T) {
			p := run.DefaultPlan(3)
			p.Store, p.Checkpoint = checkpoint.Files{}, filepath.Join(t.TempDir(), "checkpoint")
			board, saves := new(feed.Board), atomic.Int64{}
			silent := func(when string) {
				t.Helper()
				time.Sleep(long)
				if n := board.Totals().SilentCount; n > 0 {
					t.Errorf("%d ranks are silent %s", n, when)
				}
			}
			resumed := atomic.Int64{} // when the first checkpoint was written
			begun := time.Now()
			r := search(t, p, board, run.Hooks{
				Progress: func(run.Progress) {},
				SaveNow:  func() bool { return saves.Load() == 0 && time.Since(begun) > long },
				Saved: func(run.Saved, error) {
					saves.Add(1)
					silent("during a checkpoint")
					resumed.CompareAndSwap(0, int64(time.Since(begun)))
				},
				Interrupted: func() bool { at := resumed.Load(); return at > 0 && time.Since(begun) > time.Duration(at)+long },
			})
			silent("after the search")
			if r.Saved == nil || !r.StoppedEarly() || r.Requests == 0 || saves.Load() != 2 {
				t.Fatalf("%+v: expected an interrupted search with messages and two checkpoints", r)
			}
			before := r.Requests
			p.Resume, board, begun = p.Checkpoint, new(feed.Board), time.Now()
			r = search(t, p, board, run.Hooks{
				Progress:    func(run.Progress) {},
				Interrupted: func() bool { return time.Since(begun) > long },
				Resumed: func(earlier run.Totals) {
					board.NoteEarlierRuns(feed.Messages{Requests: earlier.Requests, Grants: earlier.Grants, Refusals: earlier.Rejects})
				},
			})
			if totals := board.Totals(); totals.Requests != r.Requests || totals.Grants != r.Grants || totals.Refusals != r.Rejects || r.Requests < before {
				t.Errorf("%d requests, %d grants and %d refusals, expected %d, %d and %d", totals.Requests, totals.Grants, totals.Refusals, r.Requests, r.Grants, r.Rejects)
			}
		})
	}
}
