package feed

import (
	"treesplit/comm"
	"treesplit/run/observe/ledger"
)

// Reporter makes the reports of one real rank from its ledger.
type Reporter struct {
	rank  *ledger.Rank
	every comm.Time // the least time between two reports
	last  comm.Time // the time until which the last report accounts
	spent Times     // until the last report
	sent  Messages
}

// The least time between two reports is leastEvery, or perRank for each rank. So rank 0 receives at
// most 5000 reports per second, however many ranks there are.
const (
	leastEvery comm.Time = 150 * 1e6
	perRank    comm.Time = 200 * 1e3
)

// NewReporter returns the reporter of a rank of a run of the given number of ranks.
func NewReporter(rank *ledger.Rank, ranks int) *Reporter {
	rank.Given = ledger.NewTransfers(MaxTransfers)
	return &Reporter{rank: rank, every: reportEvery(ranks), last: rank.AccountedUntil()}
}

// reportEvery returns the least time between two reports of a rank.
func reportEvery(ranks int) comm.Time { return max(leastEvery, perRank*comm.Time(ranks)) }

// AppendReport appends the encoded activity of the rank since its last report, or nothing if the
// last report is too recent.
func (r *Reporter) AppendReport(dst []byte) []byte {
	if r.rank.AccountedUntil()-r.last < r.every {
		return dst
	}
	return r.AppendLastReport(dst)
}

// AppendLastReport appends the encoded activity of the rank since its last report.
func (r *Reporter) AppendLastReport(dst []byte) []byte {
	r.last = r.rank.AccountedUntil()
	spent, sent := timesOf(&r.rank.Account), messagesOf(r.rank.Counts)
	report := Report{Sent: sent.minus(r.sent), Transfers: r.rank.Given.All}
	for a := range spent {
		report.Spent[a] = spent[a] - r.spent[a]
	}
	r.spent, r.sent = spent, sent
	dst = report.AppendBinary(dst)
	r.rank.Given.Clear()
	return dst
}

// timesOf returns the times of an account.
func timesOf(a *ledger.Account) (t Times) {
	t.addAccount(a)
	return t
}

// messagesOf returns the numbers of messages of a ledger. Pieces are counted where they are handed
// over, so that a forwarded piece counts once.
func messagesOf(c *ledger.Counts) Messages {
	return Messages{c.Messages[comm.WorkRequest], c.Pieces.Count, c.Messages[comm.Reject]}
}
