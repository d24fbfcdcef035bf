package timeline

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"treesplit/run/observe/trace"
)

//go:embed page.html
var pageSource []byte

// pageHead describes the trace on a page. The spans and arrows follow as binary data.
type pageHead struct {
	Title   string      `json:"title"`
	States  []string    `json:"states"`
	Until   int64       `json:"until"` // nanoseconds since the first span
	Dropped int64       `json:"dropped"`
	Arrows  int         `json:"arrows"`
	Tracks  []pageTrack `json:"tracks"`
}

type pageTrack struct {
	Rank  int `json:"rank"`
	Spans int `json:"spans"`
}

// WritePage writes t as an interactive page in one file. The page works without a server and refers
// to nothing outside of itself: a policy forbids it to load anything. It takes O(spans + arrows) time.
// A trace without spans is an error.
func WritePage(w io.Writer, t *trace.Trace) error {
	from, to := t.TimeRange()
	if from == to {
		return errNoSpans
	}
	head := pageHead{Title: t.Title, Until: int64(to - from), Dropped: t.DroppedEvents(), Arrows: len(t.Arrows)}
	for s := range trace.States {
		head.States = append(head.States, s.String())
	}
	for i := range t.Tracks {
		head.Tracks = append(head.Tracks, pageTrack{t.Tracks[i].Rank, len(t.Tracks[i].Spans)})
	}
	text, err := json.Marshal(head) // < > and & are escaped, so that the element cannot end within
	if err != nil {
		return err
	}
	before, after, ok := bytes.Cut(bytes.Replace(pageSource, []byte("POLICY"), []byte(pagePolicy()), 1), []byte("DATA"))
	if !ok {
		return errors.New("the page has no place for the data")
	}
	out := bufio.NewWriterSize(w, 1<<16)
	out.Write(before)
	fmt.Fprintf(out, `<script type="application/json" id="head">%s</script><script type="text/plain" id="data">`, text)
	text64 := base64.NewEncoder(base64.StdEncoding, out)
	data := bufio.NewWriterSize(text64, 3<<14)
	if err := writeEvents(data, t); err != nil {
		return err
	}
	if err := errors.Join(data.Flush(), text64.Close()); err != nil {
		return err
	}
	out.WriteString(`</script>`)
	out.Write(after)
	return out.Flush()
}

// Flags of a span, above its state. A number of 0 is left out.
const (
	hasGap      = 1 << 3
	hasNodes    = 1 << 4
	hasOverhead = 1 << 5
)

// writeEvents writes the spans of each track and then the arrows, as numbers of variable length. A
// span is a byte with its state, its time since the span before, its length, its nodes, and its
// overhead. An arrow is the ranks of donor and requester, the time since the arrow before, its length,
// and its bytes. Times are in nanoseconds.
func writeEvents(w io.Writer, t *trace.Trace) error {
	from, _ := t.TimeRange()
	var b []byte
	number := func(v int64) { b = binary.AppendUvarint(b, uint64(max(v, 0))) }
	for i := range t.Tracks {
		at := from
		for _, s := range t.Tracks[i].Spans {
			kind := byte(s.State)
			gap := s.From - at
			for _, part := range [...]struct {
				value int64
				flag  byte
			}{{int64(gap), hasGap}, {s.Nodes, hasNodes}, {int64(s.Overhead), hasOverhead}} {
				if part.value > 0 {
					kind |= part.flag
				}
			}
			b = append(b[:0], kind)
			if gap > 0 {
				number(int64(gap))
			}
			number(int64(s.To - s.From))
			if s.Nodes > 0 {
				number(s.Nodes)
			}
			if s.Overhead > 0 {
				number(int64(s.Overhead))
			}
			at = max(at, s.From) + s.To - s.From
			if _, err := w.Write(b); err != nil {
				return err
			}
		}
	}
	at := from
	for _, a := range t.Arrows {
		b = b[:0]
		number(int64(a.From))
		number(int64(a.To))
		number(int64(a.Left - at))
		number(int64(a.Arrived - a.Left))
		number(a.Bytes)
		at = max(at, a.Left)
		if _, err := w.Write(b); err != nil {
			return err
		}
	}
	return nil
}

// pagePolicy permits the page its own script and style and nothing else.
func pagePolicy() string {
	return "default-src 'none'; script-src '" + digestOf("script") + "'; style-src '" + digestOf("style") + "'; img-src data:; base-uri 'none'; form-action 'none'"
}

// digestOf returns the digest of the page's only element of a name, as policies write it.
func digestOf(element string) string {
	_, rest, _ := bytes.Cut(pageSource, []byte("<"+element+">"))
	text, _, _ := bytes.Cut(rest, []byte("</"+element+">"))
	sum := sha256.Sum256(text)
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
