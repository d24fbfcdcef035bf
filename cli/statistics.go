package cli

import (
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"treesplit/cli/internal/units"
	"treesplit/internal/histogram"
	"treesplit/run/observe"
)

// formatStatistics returns the text of --stats: a table of the use of time, the messages by kind,
// the sizes of pieces and the times of requests.
func formatStatistics(s *observe.Statistics) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-16s %12s %12s %12s\n", "time per rank", "min", "mean", "max")
	for _, row := range []struct {
		name string
		of   observe.Spread
	}{
		{"work", s.Seconds.Work}, {"search for work", s.Seconds.Search}, {"idle", s.Seconds.Idle},
		{"overhead", s.Seconds.Overhead}, {"in all", s.Seconds.Total},
	} {
		fmt.Fprintf(&b, "  %-14s %s %s %s\n", row.name, spanCell(row.of.Min), spanCell(row.of.Mean), spanCell(row.of.Max))
	}
	counted := func(name string, n int64) { fmt.Fprintf(&b, "  %-14s %12s\n", name, units.Count(n)) }
	fmt.Fprintln(&b, "messages")
	all := int64(0)
	for _, kind := range sortedKinds(s.Messages) {
		counted(kind, s.Messages[kind])
		all += s.Messages[kind]
	}
	counted("in all", all)
	fmt.Fprintln(&b, "requests")
	counted("granted", s.Requests.Granted)
	counted("refused", s.Requests.Refused)
	counted("unanswered", s.Requests.Unanswered)
	counted("in all", s.Requests.Made)
	drawBars(&b, "size of a piece", &s.PieceBytes, units.Bytes)
	drawBars(&b, "time to a grant", &s.GrantNanoseconds, units.Nanoseconds)
	drawBars(&b, "time to a refusal", &s.RefusalNanoseconds, units.Nanoseconds)
	return strings.TrimSuffix(b.String(), "\n")
}

// sortedKinds returns kinds of message, the most frequent first.
func sortedKinds(of map[string]int64) []string {
	var all []string
	for k := range of {
		all = append(all, k)
	}
	slices.SortFunc(all, func(a, b string) int {
		if d := of[b] - of[a]; d != 0 {
			return int(max(min(d, 1), -1))
		}
		return strings.Compare(a, b)
	})
	return all
}

// spanCell writes a time of 12 characters.
func spanCell(seconds float64) string { return fmt.Sprintf("%12s", units.Seconds(seconds)) }

// barWidth is the length of the longest bar.
const barWidth = 40

// drawBars draws a histogram, one line per bucket.
func drawBars(b *strings.Builder, name string, h *histogram.Histogram, say func(int64) string) {
	if h.Count == 0 {
		fmt.Fprintf(b, "%s: none\n", name)
		return
	}
	fmt.Fprintf(b, "%s: %s to %s, mean %s, of %s\n", name, say(h.Min), say(h.Max), say(int64(h.Mean())), units.Things(h.Count, "value"))
	first := slices.IndexFunc(h.Buckets[:], func(n int64) bool { return n > 0 })
	last := len(h.Buckets) - 1
	for h.Buckets[last] == 0 {
		last--
	}
	w := tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.AlignRight)
	most := slices.Max(h.Buckets[:])
	for i := first; i <= last; i++ {
		n := h.Buckets[i]
		from, below := histogram.BucketBounds(i)
		bar := strings.Repeat("#", int((float64(n)/float64(most))*barWidth+0.999))
		fmt.Fprintf(w, "%s\tto\t%s\t%s\t", say(from), say(below), units.Count(n))
		if bar != "" {
			fmt.Fprint(w, " ", bar)
		}
		fmt.Fprintln(w)
	}
	w.Flush() // a Builder returns no errors
}
