package trace

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"treesplit/comm"
)

// Bounds of a trace that is read.
const (
	maxEvents = 1 << 25
	maxNotes  = 1 << 10
)

// maxValue bounds the bytes of one event, and of one value outside the events.
var maxValue int64 = 1 << 24

// Read reads a Trace that Write has written. Another program may have reformatted the text. Read
// skips events of phases that Write does not write. An error names the line and the expected
// text.
func Read(r io.Reader) (*Trace, error) {
	in := &lines{in: r}
	in.dec = json.NewDecoder(in)
	p := reader{dec: in.dec, tracks: map[int]*Track{}, arrows: map[string]Arrow{}}
	if err := p.readObject(); err != nil {
		at := p.dec.InputOffset()
		ends := errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
		if ends || errors.As(err, new(*json.SyntaxError)) {
			at += p.bytesToFault()
		}
		if ends {
			err = errors.New("the text ends early: expected a JSON object with traceEvents")
		}
		return nil, fmt.Errorf("line %d: %w", in.lineNumber(at), err)
	}
	return p.finishTrace()
}

// lines records where lines end, in the text that the decoder has not yet passed. It also bounds
// that text.
type lines struct {
	in   io.Reader
	dec  *json.Decoder
	read int64
	ends []int64
	past int // number of line ends that were dropped
}

// Read passes the bytes on.
func (l *lines) Read(p []byte) (n int, err error) {
	at := l.dec.InputOffset()
	if l.read-at > maxValue {
		return 0, fmt.Errorf("a value has more than %d bytes: expected shorter events", maxValue)
	}
	done, _ := slices.BinarySearch(l.ends, at)
	l.ends, l.past = slices.Delete(l.ends, 0, done), l.past+done
	n, err = l.in.Read(p)
	for i, c := range p[:n] {
		if c == '\n' {
			l.ends = append(l.ends, l.read+int64(i))
		}
	}
	l.read += int64(n)
	return n, err
}

// lineNumber returns the number of the line of a byte, from 1.
func (l *lines) lineNumber(at int64) int {
	i, _ := slices.BinarySearch(l.ends, at)
	return l.past + i + 1
}

// reader is a trace that is being read.
type reader struct {
	dec    *json.Decoder
	trace  Trace
	seen   bool // traceEvents was read
	events int
	tracks map[int]*Track
	arrows map[string]Arrow // arrows that have begun, by id
}

// readObject reads the whole text.
func (p *reader) readObject() error {
	if err := p.expectDelimiter('{'); err != nil {
		return err
	}
	for p.dec.More() {
		key, err := p.dec.Token()
		if err != nil {
			return err
		}
		switch key {
		case "traceEvents":
			err = p.readEvents()
		case "otherData":
			err = p.readNotes()
		default:
			err = p.dec.Decode(new(json.RawMessage))
		}
		if err != nil {
			return err
		}
	}
	if err := p.expectDelimiter('}'); err != nil {
		return err
	}
	if _, err := p.dec.Token(); err != io.EOF {
		return errors.New("text follows the object: expected the end")
	}
	if !p.seen {
		return errors.New("the object has no traceEvents: expected a trace in the Trace Event Format")
	}
	return nil
}

// bytesToFault returns the number of bytes from the last token to the byte that could not be
// read.
func (p *reader) bytesToFault() (n int64) {
	rest, err := io.ReadAll(p.dec.Buffered())
	if err != nil { // reading from memory gives no error
		return 0
	}
	return int64(len(rest) - len(bytes.TrimLeft(rest, ", \t\r\n")))
}

func (p *reader) expectDelimiter(want json.Delim) error {
	got, err := p.dec.Token()
	if err == nil && got != want {
		err = fmt.Errorf("%v: expected %v", got, want)
	}
	return err
}

// readNotes reads an object of strings.
func (p *reader) readNotes() error {
	if err := p.expectDelimiter('{'); err != nil {
		return err
	}
	for p.dec.More() {
		key, err := p.dec.Token()
		if err != nil {
			return err
		}
		value, err := p.dec.Token()
		if err != nil {
			return err
		}
		k, _ := key.(string)
		v, ok := value.(string)
		if !ok {
			return fmt.Errorf("otherData %q is %v: expected text", k, value)
		}
		if len(p.trace.Notes) == maxNotes {
			return fmt.Errorf("otherData has more than %d members: expected fewer", maxNotes)
		}
		p.trace.Notes = append(p.trace.Notes, Note{k, v})
	}
	return p.expectDelimiter('}')
}

// readEvents reads the events.
func (p *reader) readEvents() error {
	if p.seen {
		return errors.New("traceEvents occurs twice: expected it once")
	}
	p.seen = true
	if err := p.expectDelimiter('['); err != nil {
		return err
	}
	for p.dec.More() {
		var e jsonEvent
		if err := p.dec.Decode(&e); err != nil {
			return err
		}
		if p.events++; p.events > maxEvents {
			return fmt.Errorf("the trace has more than %d events: expected fewer", maxEvents)
		}
		if err := p.dispatchEvent(&e); err != nil {
			return err
		}
	}
	return p.expectDelimiter(']')
}

// jsonEvent is an event of any phase.
type jsonEvent struct {
	Phase    string      `json:"ph"`
	Name     string      `json:"name"`
	Thread   int64       `json:"tid"`
	At       json.Number `json:"ts"`
	Duration json.Number `json:"dur"`
	ID       any         `json:"id"`
	Args     struct {
		Name     string `json:"name"`
		Dropped  int64  `json:"dropped"`
		Nodes    int64  `json:"nodes"`
		Overhead int64  `json:"overheadNs"`
		Bytes    int64  `json:"bytes"`
	} `json:"args"`
}

// dispatchEvent handles one event.
func (p *reader) dispatchEvent(e *jsonEvent) error {
	if e.Phase == "M" && e.Name == "process_name" {
		p.trace.Title = e.Args.Name
		return nil
	}
	if !slices.Contains([]string{"M", "X", "i", "s", "f"}, e.Phase) {
		return nil
	}
	if e.Thread < firstThread || e.Thread > firstThread+maxRank {
		return fmt.Errorf("thread %d: expected %d for rank 0, and up to %d", e.Thread, firstThread, firstThread+maxRank)
	}
	rank := int(e.Thread - firstThread)
	track := p.tracks[rank]
	if track == nil {
		track = &Track{Rank: rank}
		p.tracks[rank] = track
	}
	if e.Phase == "M" {
		if e.Name == "thread_name" {
			track.Dropped = max(e.Args.Dropped, 0)
		}
		return nil
	}
	at, err := parseNanoseconds("ts", e.At)
	if err != nil {
		return err
	}
	switch e.Phase {
	case "X":
		return p.appendSpan(track, at, e)
	case "i":
		track.Marks = append(track.Marks, Mark{at, e.Name})
		return nil
	}
	return p.pairArrowEnds(rank, at, e)
}

// appendSpan adds a complete event as a span.
func (p *reader) appendSpan(track *Track, at comm.Time, e *jsonEvent) error {
	state, ok := parseState(e.Name)
	if !ok {
		return fmt.Errorf("a span has the name %q: expected one of %s", e.Name, strings.Join(stateNames[:], ", "))
	}
	took, err := parseNanoseconds("dur", e.Duration)
	if err != nil {
		return err
	}
	if took < 0 || e.Args.Nodes < 0 || e.Args.Overhead < 0 {
		return fmt.Errorf("a span has %d ns, %d nodes and %d ns of overhead: expected 0 or more of each", took, e.Args.Nodes, e.Args.Overhead)
	}
	if e.Args.Overhead > int64(took) {
		return fmt.Errorf("a span of %d ns has %d ns of overhead: expected at most the length of the span", took, e.Args.Overhead)
	}
	if n := len(track.Spans); n > 0 && at < track.Spans[n-1].To {
		return fmt.Errorf("a span of rank %d begins at %d ns: expected %d ns or later, where the previous span ends", track.Rank, at, track.Spans[n-1].To)
	}
	track.Spans = append(track.Spans, Span{at, at + took, state, e.Args.Nodes, comm.Time(e.Args.Overhead)})
	return nil
}

// pairArrowEnds handles the beginning or the end of a flow.
func (p *reader) pairArrowEnds(rank int, at comm.Time, e *jsonEvent) error {
	id := fmt.Sprint(e.ID)
	a, open := p.arrows[id]
	if e.Phase == "s" {
		kind := slices.IndexFunc(work, func(k comm.Kind) bool { return k.String() == e.Name })
		switch {
		case open:
			return fmt.Errorf("arrow %s begins twice: expected its end first", id)
		case kind < 0:
			return fmt.Errorf("an arrow has the name %q: expected one of %v", e.Name, work)
		case e.Args.Bytes < 0:
			return fmt.Errorf("an arrow has %d bytes: expected 0 or more", e.Args.Bytes)
		}
		p.arrows[id] = Arrow{From: int32(rank), Left: at, Kind: work[kind], Bytes: e.Args.Bytes}
		return nil
	}
	if !open {
		return fmt.Errorf("arrow %s ends without a beginning: expected the beginning first", id)
	}
	if at < a.Left {
		return fmt.Errorf("arrow %s ends at %d ns: expected %d ns or later, when it begins", id, at, a.Left)
	}
	delete(p.arrows, id)
	a.To, a.Arrived = int32(rank), at
	p.trace.Arrows = append(p.trace.Arrows, a)
	return nil
}

// work lists the kinds of message that carry work.
var work = []comm.Kind{comm.Grant, comm.Deal, comm.Move}

// finishTrace sorts the tracks and the arrows. It returns an error if an arrow has no end.
func (p *reader) finishTrace() (*Trace, error) {
	if n := len(p.arrows); n > 0 {
		return nil, fmt.Errorf("%d arrows begin and do not end", n)
	}
	for _, t := range p.tracks {
		p.trace.Tracks = append(p.trace.Tracks, *t)
	}
	slices.SortFunc(p.trace.Tracks, func(a, b Track) int { return a.Rank - b.Rank })
	sortArrows(p.trace.Arrows)
	return &p.trace, nil
}

// latest bounds times: 36 years in nanoseconds, so that the sum of two times does not overflow.
const latest = 1 << 60

// parseNanoseconds converts a number of microseconds with decimals to nanoseconds.
func parseNanoseconds(key string, n json.Number) (comm.Time, error) {
	whole, decimals, _ := strings.Cut(string(n), ".")
	if len(whole) > 0 && len(decimals) <= 3 && !strings.ContainsAny(string(n), "eE") && len(whole) < 17 {
		if v, err := strconv.ParseInt(whole+(decimals + "000")[:3], 10, 64); err == nil && v >= -latest && v <= latest {
			return comm.Time(v), nil
		}
	}
	v, err := n.Float64()
	if err != nil || math.Abs(v) > latest/1000 {
		return 0, fmt.Errorf("%s is %q: expected microseconds, up to %d", key, string(n), int64(latest/1000))
	}
	return comm.Time(math.Round(v * 1000)), nil
}
