package trace

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strconv"

	"treesplit/comm"
)

// firstThread is the thread number of rank 0, in process number 1. Perfetto would take thread 0
// for the processor's idle loop.
const firstThread = 1

// colours are names from the palette of Chrome's viewer. Perfetto chooses its own colours.
var colours = [States]string{
	Busy: "thread_state_running", Seeking: "terrible", Waiting: "bad",
	Idle: "grey", Overhead: "yellow", Done: "white",
}

// Write writes t as one JSON object in the Trace Event Format, one event per line: first the
// names, then the spans and marks of each rank in turn, then the arrows. Times are in
// microseconds with three decimals, so that they are exact in nanoseconds. It uses O(1) memory in
// addition to t.
func Write(w io.Writer, t *Trace) error {
	out := writer{Writer: bufio.NewWriterSize(w, 1<<16)}
	out.writeHead(t)
	for i := range t.Tracks {
		out.writeTrack(&t.Tracks[i])
	}
	for i := range t.Arrows {
		out.writeArrow(i, &t.Arrows[i])
	}
	out.WriteString("\n]}\n")
	return out.Flush()
}

// writer remembers its first error.
type writer struct {
	*bufio.Writer
	begun bool // an event was written before
	text  []byte
}

func (w *writer) writeHead(t *Trace) {
	w.WriteString(`{"displayTimeUnit":"ns","otherData":{`)
	for i, n := range t.Notes {
		if i > 0 {
			w.WriteByte(',')
		}
		w.WriteString(quoteJSON(n.Key) + ":" + quoteJSON(n.Value))
	}
	w.WriteString(`},"traceEvents":[`)
	w.beginLine()
	fmt.Fprintf(w, `{"ph":"M","name":"process_name","pid":1,"tid":0,"args":{"name":%s}}`, quoteJSON(t.Title))
	for _, track := range t.Tracks {
		w.beginLine()
		fmt.Fprintf(w, `{"ph":"M","name":"thread_name","pid":1,"tid":%d,"args":{"name":"rank %d","dropped":%d}}`, track.Rank+firstThread, track.Rank, track.Dropped)
		w.beginLine()
		fmt.Fprintf(w, `{"ph":"M","name":"thread_sort_index","pid":1,"tid":%d,"args":{"sort_index":%d}}`, track.Rank+firstThread, track.Rank)
	}
}

func quoteJSON(s string) string {
	data, err := json.Marshal(s)
	if err != nil { // a string gives no error
		panic(err)
	}
	return string(data)
}

// beginLine begins a line.
func (w *writer) beginLine() {
	if w.begun {
		w.WriteByte(',')
	}
	w.begun = true
	w.WriteByte('\n')
}

// beginEvent begins an event.
func (w *writer) beginEvent(phase, name, category string, rank int64, at comm.Time) {
	w.beginLine()
	b := append(w.text[:0], `{"ph":"`...)
	b = append(b, phase...)
	b = append(b, `","name":`...)
	b = append(b, name...)
	b = append(b, `,"cat":"`...)
	b = append(b, category...)
	b = append(b, `","pid":1,"tid":`...)
	b = strconv.AppendInt(b, rank+firstThread, 10)
	b = append(b, `,"ts":`...)
	w.text = appendMicroseconds(b, at)
}

// finishEvent ends an event.
func (w *writer) finishEvent() {
	w.text = append(w.text, '}')
	w.Write(w.text)
}

// appendField appends a number.
func (w *writer) appendField(key string, v int64) {
	w.text = append(w.text, key...)
	w.text = strconv.AppendInt(w.text, v, 10)
}

// names are the quoted names of states and marks.
var names = func() (q [States]string) {
	for s := range q {
		q[s] = quoteJSON(stateNames[s])
	}
	return q
}()

func (w *writer) writeTrack(t *Track) {
	for _, s := range t.Spans {
		w.beginEvent("X", names[s.State], "state", int64(t.Rank), s.From)
		w.text = append(w.text, `,"dur":`...)
		w.text = appendMicroseconds(w.text, s.To-s.From)
		w.text = append(w.text, `,"cname":"`...)
		w.text = append(w.text, colours[s.State]...)
		w.appendField(`","args":{"nodes":`, s.Nodes)
		w.appendField(`,"overheadNs":`, int64(s.Overhead))
		w.text = append(w.text, '}')
		w.finishEvent()
	}
	for _, m := range t.Marks {
		w.beginEvent("i", quoteJSON(m.Name), "mark", int64(t.Rank), m.At)
		w.text = append(w.text, `,"s":"t"`...)
		w.finishEvent()
	}
}

// writeArrow writes both ends of an arrow. Each end is bound to the span around it.
func (w *writer) writeArrow(i int, a *Arrow) {
	name := quoteJSON(a.Kind.String())
	w.beginEvent("s", name, "work", int64(a.From), a.Left)
	w.appendField(`,"id":`, int64(i))
	w.appendField(`,"args":{"bytes":`, a.Bytes)
	w.text = append(w.text, '}')
	w.finishEvent()
	w.beginEvent("f", name, "work", int64(a.To), a.Arrived)
	w.appendField(`,"bp":"e","id":`, int64(i))
	w.finishEvent()
}

// appendMicroseconds appends a time as a decimal number of microseconds.
func appendMicroseconds(b []byte, t comm.Time) []byte {
	v := uint64(t)
	if t < 0 {
		b, v = append(b, '-'), -v
	}
	b = strconv.AppendUint(b, v/1000, 10)
	return append(b, '.', byte('0'+v/100%10), byte('0'+v/10%10), byte('0'+v%10))
}
