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

// Spread is a number of all ranks.
type Spread struct {
	Min  float64 `json:"min"`
	Mean float64 `json:"mean"`
	Max  float64 `json:"max"`
}

// Statistics is what --stats tells of a run, of all ranks.
type Statistics struct {
	// Seconds by what they were spent on.
	Seconds struct {
		Work     Spread `json:"work"`
		Search   Spread `json:"search"`
		Idle     Spread `json:"idle"`
		Overhead Spread `json:"overhead"`
		Total    Spread `json:"total"`
	} `json:"seconds"`
	// Messages between different ranks by kind, those kinds that there were; they add up
	// to run.Result.Messages.
	Messages map[string]int64 `json:"messages"`
	// Requests are run.Result.Requests by how they ended, for the requester. Donors may have
	// refused more often.
	Requests struct {
		Made       int64 `json:"made"`
		Granted    int64 `json:"granted"`
		Refused    int64 `json:"refused"`
		Unanswered int64 `json:"unanswered"` // when the search was over
	} `json:"requests"`
	// PieceBytes are the lengths of the pieces handed over, as the world counts them.
	PieceBytes histogram.Histogram `json:"pieceBytes"`
	// The nanoseconds from a request to its answer, by what the answer was.
	GrantNanoseconds   histogram.Histogram `json:"grantNanoseconds"`
	RefusalNanoseconds histogram.Histogram `json:"refusalNanoseconds"`
}

// newStatistics takes the times from the ranks of a result.
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
