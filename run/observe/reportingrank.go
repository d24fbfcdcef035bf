package observe

import (
	"treesplit/comm"
	"treesplit/run"
	"treesplit/run/observe/feed"
)

// reportingRank is a real rank whose activity reaches the board on rank 0. It implements
// run.Reporting.
type reportingRank struct {
	*realRank
	reporter *feed.Reporter
	start    comm.Time
}

// AppendReport appends the activity since the last report, or nothing.
func (r *reportingRank) AppendReport(dst []byte) []byte { return r.reporter.AppendReport(dst) }

// TakeReport writes the report of a rank to the board. Package spmd calls it on rank 0.
func (r *reportingRank) TakeReport(rank int, report []byte) {
	r.wanted.Board.TakeReport(rank, report, r.t.Now()-r.start)
}

// EndSearch ends the search. The ranks send no reports until the next search begins: while they write
// a checkpoint, between two searches, and after the last search.
func (r *reportingRank) EndSearch() {
	r.realRank.EndSearch()
	if r.t.Rank() == 0 {
		r.wanted.Board.Pause()
	}
}

// Describe sends the last reports of all ranks to the board, so that its totals are the totals of the
// run, and then the counts and the traces to rank 0.
func (r *reportingRank) Describe(res *run.Result) error {
	reports, err := r.t.Gather(0, r.reporter.AppendLastReport(nil))
	if err != nil {
		return err
	}
	if reports != nil {
		r.wanted.Board.TakeLastReports(reports, r.AccountedUntil()-r.start)
	}
	return r.realRank.Describe(res)
}
