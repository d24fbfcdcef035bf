package e2e

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// progressLine is a line of --progress-file.
type progressLine struct {
	Seconds, NodesPerSecond, IdleShare float64
	Done, SecondsLeft                  *float64
	Search, Expanded, Open             int64
	Reason                             string
	Estimate                           bool
}

// progress reads a file of them and checks that nothing falls that must not.
func progress(t *testing.T, file string) (all []progressLine) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for text := range strings.Lines(string(data)) {
		var p progressLine
		if err := json.Unmarshal([]byte(text), &p); err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if p.Done == nil || *p.Done < 0 || *p.Done > 1 || p.IdleShare < 0 || p.IdleShare > 1 {
			t.Fatalf("%q", text)
		}
		if n := len(all); n > 0 && (p.Seconds < all[n-1].Seconds || p.Expanded < all[n-1].Expanded || p.Search == all[n-1].Search && *p.Done < *all[n-1].Done) {
			t.Fatalf("%q after %+v", text, all[n-1])
		}
		all = append(all, p)
	}
	return all
}

// A search on four ranks tells how far it is, from all of them: to the end with all done, or
// to where it was stopped.
func TestProgressFile(t *testing.T) {
	t.Parallel()
	inEachWorld(t, worlds, func(t *testing.T, l library) {
		file := filepath.Join(t.TempDir(), "progress.jsonl")
		for _, scheme := range []string{"rp", "static+rp"} {
			r := object(t, runIn(t, l, 4, "", "uts", "--tree", "T1", "--scheme", scheme, "--json", "--progress-file", file), 0)
			all := progress(t, file)
			if last := all[len(all)-1]; *last.Done != 1 || last.Reason != "exhausted" || float64(last.Expanded) != r["expanded"] || *last.SecondsLeft != 0 {
				t.Errorf("%s: %d lines, at last %+v", scheme, len(all), last)
			}
		}
		r := object(t, runIn(t, l, 4, "", slices.Concat(paced, []string{"--timeout", "1500ms", "--json", "--progress-file", file})...), 3)
		all := progress(t, file)
		if last := all[len(all)-1]; len(all) < 3 || *last.Done >= 1 || last.Reason != "timeout" || float64(last.Expanded) != r["expanded"] {
			t.Fatalf("%d lines, at last %+v", len(all), last)
		}
		if busy := all[len(all)-2]; busy.IdleShare == 1 || busy.Expanded == 0 || *busy.Done == 0 || busy.Open == 0 {
			t.Errorf("before the end %+v", busy)
		}
	})
}

// Stopped and resumed, the share goes on where it was.
func TestProgressGoesOn(t *testing.T) {
	t.Parallel()
	inEachWorld(t, worlds, func(t *testing.T, l library) {
		dir := t.TempDir()
		saved, before, after := filepath.Join(dir, "saved"), filepath.Join(dir, "before"), filepath.Join(dir, "after")
		o := runIn(t, l, 2, "", "uts", "--tree", "T1XL", "--checkpoint", saved, "--timeout", "700ms", "--json", "--progress-file", before)
		if r := object(t, o, 3); r["reason"] != "timeout" {
			t.Fatalf("%v", r)
		}
		o = runIn(t, l, 3, "", "uts", "--tree", "T1XL", "--resume", saved, "--timeout", "700ms", "--json", "--progress-file", after)
		object(t, o, 3)
		first, second := progress(t, before), progress(t, after)
		reached, from := *first[len(first)-1].Done, *second[0].Done
		if reached <= 0 || from < reached || *second[len(second)-1].Done >= 1 {
			t.Errorf("%v was reached, and it went on from %v to %+v", reached, from, second[len(second)-1])
		}
		for _, line := range slices.Concat(first, second) { // the share is of the published size of T1XL
			if want := float64(line.Expanded) / 1635119272; line.Estimate || math.Abs(*line.Done-want) > 1e-9 {
				t.Errorf("%d nodes: the share is %v, an estimate: %v; want %v", line.Expanded, *line.Done, line.Estimate, want)
			}
		}
	})
}

// A file that cannot be written is refused before the search, by one line.
func TestProgressFileRefused(t *testing.T) {
	t.Parallel()
	missing := filepath.Join(t.TempDir(), "no", "progress.jsonl")
	inEachWorld(t, worlds, func(t *testing.T, l library) {
		o := runIn(t, l, 2, "", "uts", "--progress-file", missing)
		if own := o.lines(); o.status != 2 || len(own) != 1 || !strings.HasPrefix(own[0], "treesplit: --progress-file: ") {
			t.Errorf("status %d:\n%s", o.status, o.stderr)
		}
	})
}
