package observe

import (
	"math"

	"treesplit/comm"
	"treesplit/internal/histogram"
	"treesplit/run"
	"treesplit/run/observe/ledger"
)

// newSpentTimes returns an account in seconds.
func newSpentTimes(a *ledger.Account) *run.Spent {
	return &run.Spent{
		Work: toSeconds(a.WorkingTime()), Search: toSeconds(a.SearchTime()), Idle: toSeconds(a.IdlingTime()),
		Overhead: toSeconds(a.OverheadTime()), Total: toSeconds(a.TotalTime()),
	}
}

// Spread describes the distribution of a number over all ranks.
type Spread struct {
	Min  float64 `json:"min"`
	Mean float64 `json:"mean"`
	Max  float64 `json:"max"`
}

// Statistics are the statistics of --stats, over all ranks.
type Statistics struct {
	// Seconds by activity.
	Seconds struct {
		Work     Spread `json:"work"`
		Search   Spread `json:"search"`
		Idle     Spread `json:"idle"`
		Overhead Spread `json:"overhead"`
		Total    Spread `json:"total"`
	} `json:"seconds"`
	// Messages counts messages between different ranks by kind, without kinds that did not occur.
	// The counts add up to run.Result.Messages.
	Messages map[string]int64 `json:"messages"`
	// Requests splits run.Result.Requests by their outcome for the requester. Donors may have
	// refused more requests.
	Requests struct {
		Made       int64 `json:"made"`
		Granted    int64 `json:"granted"`
		Refused    int64 `json:"refused"`
		Unanswered int64 `json:"unanswered"` // when the search ended
	} `json:"requests"`
	// PieceBytes are the lengths of the pieces handed over, in bytes as the world counts them.
	PieceBytes histogram.Histogram `json:"pieceBytes"`
	// The times from a request to its answer, in nanoseconds, by kind of answer.
	GrantNanoseconds   histogram.Histogram `json:"grantNanoseconds"`
	RefusalNanoseconds histogram.Histogram `json:"refusalNanoseconds"`
}

// newStatistics returns the statistics. The times come from the ranks of the result.
func newStatistics(r *run.Result, c *ledger.Counts) *Statistics {
	s := &Statistics{Messages: map[string]int64{}, PieceBytes: c.Pieces, GrantNanoseconds: c.Granted, RefusalNanoseconds: c.Refused}
	for _, part := range []struct {
		to *Spread
		of func(*run.Spent) float64
	}{
		{&s.Seconds.Work, func(t *run.Spent) float64 { return t.Work }},
		{&s.Seconds.Search, func(t *run.Spent) float64 { return t.Search }},
		{&s.Seconds.Idle, func(t *run.Spent) float64 { return t.Idle }},
		{&s.Seconds.Overhead, func(t *run.Spent) float64 { return t.Overhead }},
		{&s.Seconds.Total, func(t *run.Spent) float64 { return t.Total }},
	} {
		*part.to = spreadOfRanks(r.PerRank, part.of)
	}
	for k, n := range c.Messages {
		if n > 0 {
			s.Messages[comm.Kind(k).String()] = n
		}
	}
	q := &s.Requests
	q.Granted, q.Refused, q.Unanswered = c.Granted.Count, c.Refused.Count, c.Unanswered
	q.Made = q.Granted + q.Refused + q.Unanswered
	return s
}

func spreadOfRanks(ranks []run.RankResult, of func(*run.Spent) float64) Spread {
	s := Spread{Min: math.Inf(1), Max: math.Inf(-1)}
	for i := range ranks {
		v := of(ranks[i].Spent)
		s.Min, s.Max = min(s.Min, v), max(s.Max, v)
		s.Mean += v / float64(len(ranks))
	}
	return s
}

func toSeconds(t comm.Time) float64 { return t.Duration().Seconds() }
