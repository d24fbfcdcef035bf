package cli

import (
	"fmt"
	"strings"

	"treesplit/cli/internal/units"
	"treesplit/run"
	"treesplit/run/observe"
)

// simWorld is the world of simulated ranks in a result.
const simWorld = "sim"

// summarizeRun describes a run in one line of text, followed by the lines of --stats.
func summarizeRun(r *run.Result) string {
	s := summaryLine(r)
	if stats := observe.StatisticsOf(r); stats != nil {
		s += "\n" + formatStatistics(stats)
	}
	return s
}

// summaryLine describes a run by clauses: the work, the protocols, the requests, the audit, and the
// clauses that only some runs have.
func summaryLine(r *run.Result) string {
	span, where := units.Seconds(r.Seconds), units.Things(int64(r.Ranks), "rank")
	if r.World == simWorld {
		span, where = span+" of virtual time", where+" of machine "+r.Machine
	}
	clauses := []string{
		fmt.Sprintf("%s in %s (%s) on %s", expandedNodes(r), span, units.Rate(r.NodesPerSecond), where),
		fmt.Sprintf("scheme %s, detector %s", r.Scheme, r.Termination),
		fmt.Sprintf("%s, %s", units.Things(r.Requests, "request"), units.Things(r.Grants, "grant")),
		"audit " + r.Audit,
	}
	if r.Paced != "" {
		clauses = append(clauses, "paced at "+r.Paced+" per node")
	}
	if r.Efficiency > 0 {
		clauses = append(clauses, fmt.Sprintf("efficiency %.2f", r.Efficiency))
	}
	for _, silent := range r.Silent {
		clauses = append(clauses, silentText(silent))
	}
	return strings.Join(clauses, "; ")
}

// expandedNodes returns the number of nodes, and of those of this run if the run resumed a checkpoint:
// the time and the rate are those of this run.
func expandedNodes(r *run.Result) string {
	if r.Resumed == nil {
		return units.Things(r.Expanded, "node")
	}
	return fmt.Sprintf("%s in all, %s of this run", units.Things(r.Expanded, "node"), units.Count(r.Expanded-r.Resumed.Expanded))
}

// silentText names a silent rank and the time.
func silentText(s run.Silence) string {
	return fmt.Sprintf("rank %d silent for %s", s.Rank, units.Seconds(s.Seconds))
}

// stoppedLine is the line of a run that was ended early, with what its numbers describe.
func stoppedLine(r *run.Result, numbers string) string {
	return fmt.Sprintf("stopped early (%s): %s\n", r.Reason, numbers)
}
