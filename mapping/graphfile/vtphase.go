package graphfile

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
)

// Which phase of vt's files is read. A file has the phases that were recorded, and its
// metadata say which others were like the one before them (vt writes these once).

// rankFile is a rank's file, of which one phase is looked at.
type rankFile struct {
	*document
	rank                  int64
	phase                 int64      // the last recorded one, of those up to Options.Phase; -1: there is none
	tasks, communications span       // of it; empty where it has none
	any                   bool       // it has phases
	like                  [][2]int64 // first and last of some that are like the one before
}

// metadata is what a file says of itself.
type metadata struct {
	Type   string `json:"type"`
	Rank   int64  `json:"rank"`
	Phases struct {
		Identical struct {
			List  []int64   `json:"list"`
			Range [][]int64 `json:"range"`
		} `json:"identical_to_previous"`
	} `json:"phases"`
}

// readRankFile reads a file.
func readRankFile(name string, r io.Reader, o Options) (*rankFile, error) {
	in, done, err := openPlainText(name, r, VT, o)
	if err != nil {
		return nil, err
	}
	defer done()
	text, err := io.ReadAll(in)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	d, err := newDocument(name, text)
	if err != nil {
		return nil, err
	}
	x := &rankFile{document: d, phase: -1}
	last := int64(math.MaxInt64)
	if o.Phase != nil {
		last = int64(*o.Phase)
	}
	found := false
	err = d.eachMember(d.findValue(0), "load-balancing data", func(key string, v span) error {
		switch key {
		case "type":
			var kind string
			return firstError(d.decodeValue(v, key, &kind), d.checkKind(v, kind))
		case "metadata":
			return x.readMetadata(v)
		case "phases":
			found = true
			return d.eachElement(v, key, func(v span) error { return x.notePhase(v, last) })
		}
		return nil
	})
	if err == nil && !found {
		err = d.errorAtOffset(0, "no phases: expected load-balancing data of vt")
	}
	return x, err
}

// checkKind refuses files of other kinds.
func (d *document) checkKind(at span, kind string) error {
	if kind != "LBDatafile" {
		return d.errorAtOffset(at.from, "type %q: expected \"LBDatafile\"", kind)
	}
	return nil
}

func (x *rankFile) readMetadata(v span) error {
	m := metadata{Type: "LBDatafile"}
	if err := firstError(x.decodeValue(v, "metadata", &m), x.checkKind(v, m.Type)); err != nil {
		return err
	}
	if m.Rank < 0 || m.Rank >= maxRanks {
		return x.errorAtOffset(v.from, "rank %d: expected 0 to %d", m.Rank, maxRanks-1)
	}
	x.rank = m.Rank
	for _, id := range m.Phases.Identical.List {
		x.like = append(x.like, [2]int64{id, id})
	}
	for _, r := range m.Phases.Identical.Range {
		if len(r) != 2 {
			return x.errorAtOffset(v.from, "a range of phases with %d numbers: expected first and last", len(r))
		}
		x.like = append(x.like, [2]int64{r[0], r[1]})
	}
	slices.SortFunc(x.like, func(a, b [2]int64) int { return cmp.Compare(a[0], b[0]) })
	return nil
}

// notePhase notes a phase if it is the last so far, of those that are not after the last
// one wanted.
func (x *rankFile) notePhase(v span, last int64) error {
	id, tasks, communications := int64(-1), span{}, span{}
	err := x.eachMember(v, "phase", func(key string, v span) error {
		switch key {
		case "id":
			return x.decodeValue(v, "id of a phase", &id)
		case "tasks":
			tasks = v
		case "communications":
			communications = v
		}
		return nil
	})
	x.any = true
	switch {
	case err != nil:
		return err
	case id < 0:
		return x.errorAtOffset(v.from, "phase: expected an id, 0 or more")
	case id == x.phase:
		return x.errorAtOffset(v.from, "phase %d: expected it once", id)
	case id > x.phase && id <= last:
		x.phase, x.tasks, x.communications = id, tasks, communications
	}
	return nil
}

// lastPhase is the last phase that is like the one recorded.
func (x *rankFile) lastPhase() int64 {
	end := x.phase
	for _, r := range x.like {
		if end >= 0 && r[0] <= end+1 && r[0] <= r[1] {
			end = max(end, r[1])
		}
	}
	return end
}

// choosePhase returns the requested phase, by default the last. It checks that all files with any
// phase have it; a rank without objects may have none.
func choosePhase(all []*rankFile, o Options) (phase int64, err error) {
	phase = -1
	for _, x := range all {
		phase = max(phase, x.lastPhase())
	}
	if o.Phase != nil {
		phase = int64(*o.Phase)
	}
	some := false
	for _, x := range all {
		some = some || x.any
		if x.any && (x.phase < 0 || x.lastPhase() < phase) {
			return 0, x.errorAtOffset(0, "no phase %d: expected it, or metadata that say it is like the one before", phase)
		}
	}
	if !some {
		return 0, fmt.Errorf("%s: no phases: expected at least one", all[0].name)
	}
	return phase, nil
}
