package main

import (
	"bytes"
	"path/filepath"

	"treesplit/comm"
	"treesplit/internal/svg"
	"treesplit/run/observe/trace"
	"treesplit/run/observe/trace/timeline"
)

// The two timelines show the same tree on 64 simulated ranks, under two schemes, on one time axis.

func drawTimelineRP(data string, theme svg.Theme) ([]byte, error) {
	return drawTimeline(data, "rp", "64 ranks under rp: each idle rank asks any other rank", theme)
}

func drawTimelineGRR(data string, theme svg.Theme) ([]byte, error) {
	return drawTimeline(data, "grr", "64 ranks under grr: each idle rank first asks the counter at rank 0", theme)
}

// drawTimeline draws the trace of a scheme.
func drawTimeline(data, scheme, title string, theme svg.Theme) ([]byte, error) {
	t, until, err := readTraces(data, scheme)
	if err != nil {
		return nil, err
	}
	t.Title, t.Arrows = title, nil // hundreds of pieces would hide the rows
	var b bytes.Buffer
	err = timeline.WriteAsSVG(&b, t, timeline.Style{Columns: 600, Theme: theme, Until: until})
	return b.Bytes(), err
}

// readTraces reads the traces and returns that of a scheme, and the end of the longest.
func readTraces(data, scheme string) (wanted *trace.Trace, until comm.Time, err error) {
	for _, name := range []string{"rp", "grr"} {
		t, err := trace.ReadFile(filepath.Join(data, name+".json.zst"))
		if err != nil {
			return nil, 0, err
		}
		_, end := t.TimeRange()
		until = max(until, end)
		if name == scheme {
			wanted = t
		}
	}
	return wanted, until, nil
}
