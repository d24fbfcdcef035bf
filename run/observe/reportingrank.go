package observe

import (
	"treesplit/comm"
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
