package cli

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"

	"treesplit/cli/internal/units"
	"treesplit/comm"
	"treesplit/run/observe/trace"
	"treesplit/run/observe/trace/timeline"
	"treesplit/study/figure"
)

// traceSections returns the sections of a report on traces: a timeline of each trace, and the time
// of its ranks in each state.
func traceSections(paths []string) (sections []figure.Section, err error) {
	taken := map[string]bool{}
	for _, path := range paths {
		t, err := trace.ReadFile(path)
		if err != nil {
			return nil, err
		}
		base, _ := trace.TrimExtension(filepath.Base(path))
		name := freeName("timeline-"+base, taken) // another directory may have the base too
		s, err := traceSection(name, t)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		sections = append(sections, s)
	}
	return sections, nil
}

// freeName returns a name that is not taken, and takes it: the name itself, or with a number from 2.
func freeName(name string, taken map[string]bool) string {
	free := name
	for n := 2; taken[free]; n++ {
		free = name + "-" + strconv.Itoa(n)
	}
	taken[free] = true
	return free
}

// traceSection describes one trace.
func traceSection(name string, t *trace.Trace) (figure.Section, error) {
	var picture bytes.Buffer
	if err := timeline.WriteAsSVG(&picture, t, timeline.Page); err != nil {
		return figure.Section{}, err
	}
	s := figure.Section{
		Name: name, Title: t.Title,
		Tables:   []figure.Table{traceTable(name, t)},
		Pictures: []figure.Picture{{Name: name, SVG: picture.Bytes()}},
		Pages: []figure.Attachment{{
			Name: name + ".html", Text: "Interactive timeline: zoom, pan, and details of each span",
			Write: func(w io.Writer) error { return timeline.WritePage(w, t) },
		}},
	}
	text := fmt.Sprintf("%s, %s with work.", units.Things(int64(len(t.Tracks)), "rank"), units.Things(int64(len(t.Arrows)), "message"))
	if n := t.DroppedEvents(); n > 0 {
		text += fmt.Sprintf(" The trace dropped %s, so the table describes the time after them.", units.Things(int64(n), "early event"))
	}
	for _, n := range t.Notes {
		if n.Key == "clock" {
			text += " Clocks: " + n.Value + "."
		}
	}
	s.Text = []string{text}
	return s, nil
}

// traceTable returns a table of the time that ranks were in each state.
func traceTable(name string, t *trace.Trace) figure.Table {
	times := make([][trace.States]comm.Time, len(t.Tracks))
	for i, track := range t.Tracks {
		for _, s := range track.Spans {
			times[i][s.State] += s.To - s.From - s.Overhead
			times[i][trace.Overhead] += s.Overhead
		}
	}
	table := figure.Table{Name: name, Title: "Seconds in each state, by rank", Head: []string{"state", "min", "mean", "max"}}
	seconds := func(v float64) string { return fmt.Sprintf("%.6f", v) }
	for state := range trace.States {
		var of []float64
		sum := 0.0 // of any number of ranks, each of up to 100 years
		for i := range times {
			v := times[i][state].Duration().Seconds()
			of = append(of, v)
			sum += v
		}
		table.AppendRow(state.String(), seconds(slices.Min(of)), seconds(sum/float64(len(of))), seconds(slices.Max(of)))
	}
	return table
}
