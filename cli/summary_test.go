package cli

import (
	"testing"

	"treesplit/run"
)

// The summary names the machine of a simulated run, and the nodes of this run if it resumed a checkpoint.
func TestSummaryLine(t *testing.T) {
	r := run.Result{World: "local", Ranks: 2, Scheme: "rp", Termination: "ring", Expanded: 1_000_000, Requests: 1, Audit: "ok", Seconds: 0.5, NodesPerSecond: 2e6}
	for _, c := range []struct {
		change func(*run.Result)
		want   string
	}{
		{func(*run.Result) {}, "1,000,000 nodes in 500 ms (2.00 M/s) on 2 ranks; scheme rp, detector ring; 1 request, 0 grants; audit ok"},
		{func(r *run.Result) { r.Resumed = &run.Resumed{Expanded: 400_000}; r.NodesPerSecond = 1.2e6 },
			"1,000,000 nodes in all, 600,000 of this run in 500 ms (1.20 M/s) on 2 ranks; scheme rp, detector ring; 1 request, 0 grants; audit ok"},
		{func(r *run.Result) { r.World, r.Machine, r.Ranks, r.Efficiency = "sim", "ncube2", 1, 0.934 },
			"1,000,000 nodes in 500 ms of virtual time (2.00 M/s) on 1 rank of machine ncube2; scheme rp, detector ring; 1 request, 0 grants; audit ok; efficiency 0.93"},
		{func(r *run.Result) { r.Silent = []run.Silence{{Rank: 1, Seconds: 61}} },
			"1,000,000 nodes in 500 ms (2.00 M/s) on 2 ranks; scheme rp, detector ring; 1 request, 0 grants; audit ok; rank 1 silent for 61.0 s"},
	} {
		changed := r
		c.change(&changed)
		if got := summaryLine(&changed); got != c.want {
			t.Errorf("got      %s\nexpected %s", got, c.want)
		}
	}
}
