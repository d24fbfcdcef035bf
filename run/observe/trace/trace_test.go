package trace_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"treesplit/comm"
	"treesplit/run/observe/trace"
)

// small returns a trace with a value in every field.
func small() *trace.Trace {
	return &trace.Trace{
		Title: `a "run" <of> two`,
		Notes: []trace.Note{{Key: "seed", Value: "7"}, {Key: "clock", Value: "virtual"}},
		Tracks: []trace.Track{
			{Rank: 0, Dropped: 3, Spans: []trace.Span{
				{From: 0, To: 1500, State: trace.Busy, Nodes: 12, Overhead: 20},
				{From: 1500, To: 1501, State: trace.Overhead},
				{From: 1501, To: 9_000_000_000_001, State: trace.Done},
			}, Marks: []trace.Mark{{At: 1501, Name: "Stop"}}},
			{Rank: 5, Spans: []trace.Span{{From: 7, To: 999, State: trace.Waiting}, {From: 999, To: 2000, State: trace.Idle}}},
		},
		Arrows: []trace.Arrow{{From: 0, To: 5, Left: 40, Arrived: 999, Kind: comm.Grant, Bytes: 31}},
	}
}

func written(t testing.TB, tr *trace.Trace) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := trace.Write(&b, tr); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// A written trace is one JSON object, with one event per line and all fields that the format
// requires. It is read back unchanged, also after another program has reformatted it.
func TestWriteAndRead(t *testing.T) {
	data := written(t, small())
	var object map[string]any
	if err := json.Unmarshal(data, &object); err != nil {
		t.Fatal(err)
	}
	for _, e := range object["traceEvents"].([]any) {
		e := e.(map[string]any)
		for _, key := range []string{"ph", "name", "pid", "tid"} {
			if e[key] == nil {
				t.Errorf("%v has no %s", e, key)
			}
		}
		if e["ph"] != "M" && (e["ts"] == nil || e["cat"] == nil) {
			t.Errorf("%v has no time or category", e)
		}
	}
	if !strings.Contains(string(data), `"ts":1.500,"dur":0.001,`) {
		t.Errorf("no nanoseconds in %s", data)
	}
	compact, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	spaced, err := json.MarshalIndent(object, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range [][]byte{data, compact, spaced} {
		got, err := trace.Read(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		// A map loses the order of an object's keys.
		slices.SortFunc(got.Notes, func(a, b trace.Note) int { return -strings.Compare(a.Key, b.Key) })
		if !reflect.DeepEqual(got, small()) {
			t.Errorf("read %+v, want %+v", got, small())
		}
	}
}

// Invalid input is refused with an error that names its line.
func TestRefused(t *testing.T) {
	const head = `{"traceEvents":[` + "\n" + `{"ph":"X","name":"Busy","pid":1,"tid":1,"ts":0,"dur":5},` + "\n"
	for text, want := range map[string]string{
		"":                                       "expected a JSON object",
		"[]":                                     "expected {",
		"{}":                                     "has no traceEvents",
		`{"traceEvents":5}`:                      "expected [",
		`{"traceEvents":[]} {}`:                  "expected the end",
		`{"traceEvents":[],"traceEvents":[]}`:    "expected it once",
		`{"otherData":{"a":5},"traceEvents":[]}`: "expected text",
		head + `{"ph":"X","name":"Busy","tid":1,"ts":4,"dur":5}]}`:                                                 "line 3: a span of rank 0 begins at 4000 ns: expected 5000",
		head + `{"ph":"X","name":"Lazy","tid":1,"ts":5,"dur":5}]}`:                                                 `line 3: a span has the name "Lazy": expected one of Busy`,
		head + `{"ph":"X","name":"Busy","tid":1,"ts":5}]}`:                                                         "line 3: dur",
		head + `{"ph":"X","name":"Busy","tid":1,"ts":5,"dur":-1}]}`:                                                "expected 0 or more",
		head + `{"ph":"X","name":"Busy","tid":1,"ts":1e300,"dur":1}]}`:                                             "line 3: ts is",
		head + `{"ph":"X","name":"Busy","tid":1,"ts":"x","dur":1}]}`:                                               "line 3",
		head + `{"ph":"X","name":"Busy","tid":0,"ts":5,"dur":1}]}`:                                                 "line 3: thread 0",
		head + `{"ph":"X","name":"Busy","tid":99999999,"ts":5,"dur":1}]}`:                                          "line 3: thread 99999999",
		head + `{"ph":"s","name":"Stop","tid":1,"ts":5,"id":1}]}`:                                                  `an arrow has the name "Stop"`,
		head + `{"ph":"s","name":"Grant","tid":1,"ts":5,"id":1}]}`:                                                 "begin and do not end",
		head + `{"ph":"f","name":"Grant","tid":1,"ts":5,"id":1}]}`:                                                 "expected the beginning first",
		head + `{"ph":"s","name":"Grant","tid":1,"ts":5,"id":1},{"ph":"f","tid":1,"ts":4,"id":1}]}`:                "expected 5000 ns or later",
		head + `{"ph":"s","name":"Grant","tid":1,"ts":5,"id":1},{"ph":"s","name":"Grant","tid":1,"ts":5,"id":1}]}`: "begins twice",
		head + `{"ph":"X"`: "line 3",
		head + `]`:         "line 3",
	} {
		if _, err := trace.Read(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// Arrows are in the order in which they were sent, also if the events are in the order of their times.
func TestReadSortsArrows(t *testing.T) {
	events := []string{
		`{"ph":"X","name":"Busy","tid":1,"ts":0,"dur":20}`, `{"ph":"X","name":"Busy","tid":2,"ts":0,"dur":20}`,
		`{"ph":"s","name":"Grant","tid":1,"ts":1,"id":8}`, `{"ph":"s","name":"Grant","tid":1,"ts":5,"id":7}`,
		`{"ph":"f","tid":2,"ts":6,"id":7}`, `{"ph":"f","tid":2,"ts":9,"id":8}`,
	}
	tr, err := trace.Read(strings.NewReader(`{"traceEvents":[` + strings.Join(events, ",") + `]}`))
	if err != nil {
		t.Fatal(err)
	}
	if len(tr.Arrows) != 2 || tr.Arrows[0].Left != 1000 || tr.Arrows[0].Arrived != 9000 || tr.Arrows[1].Left != 5000 || tr.Arrows[1].Arrived != 6000 {
		t.Errorf("%+v", tr.Arrows)
	}
}

// A trace that was read can be written and read again unchanged.
func FuzzRead(f *testing.F) {
	var b bytes.Buffer
	if err := trace.Write(&b, small()); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Add([]byte(`{"traceEvents":[{"ph":"X","name":"Seeking","tid":3,"ts":1e3,"dur":0.00049},{"ph":"C"}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		one, err := trace.Read(bytes.NewReader(data))
		if err != nil {
			return
		}
		two, err := trace.Read(bytes.NewReader(written(t, one)))
		if err != nil {
			t.Fatalf("%s: the trace is refused when it is written and read again: %v", data, err)
		}
		if fmt.Sprint(one) != fmt.Sprint(two) { // nil and empty slices are equal
			t.Fatalf("%s: %+v, then %+v", data, one, two)
		}
	})
}

// FuzzDecode reads arbitrary bytes as recordings.
func FuzzDecode(f *testing.F) {
	r := trace.New(2, 100, 0)
	r.RecordState(trace.Busy, 0, 5, 1)
	r.RecordSent(3, piece(0, 1), 8)
	data, err := r.AppendBinary(nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Fuzz(func(t *testing.T, data []byte) {
		if r, err := trace.DecodeRecording(data); err == nil {
			trace.JoinRecordings("", []*trace.Recording{r}, noShift)
		}
	})
}

func noShift(int) comm.Time { return 0 }

func piece(from, to int32) comm.Message {
	return comm.Message{From: from, To: to, Kind: comm.Grant, Body: []byte{1}}
}

// act is one random action of a rank: the rank is in a state for some time and expands nodes.
type act struct {
	state trace.State
	took  comm.Time
	nodes int64
}

var acts = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) act {
	return act{trace.State(rapid.IntRange(0, int(trace.States)-1).Draw(t, "state")), comm.Time(rapid.IntRange(0, 30).Draw(t, "took")), int64(rapid.IntRange(0, 3).Draw(t, "nodes"))}
}), 0, 60)

// For any actions of a rank: each span begins at the end of the span before it, and the two have
// different states. The nodes of all spans add up to the nodes of all actions. So does the time of
// each state, if the overhead within other spans is counted as overhead. A span of overhead is the
// first span, or has nodes, or is at least as long as the grain.
func TestRecordingAddsUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const grain = 10
		r := trace.New(0, 1000, grain)
		var want [trace.States]comm.Time
		at, nodes := comm.Time(0), int64(0)
		for _, a := range acts.Draw(t, "acts") {
			r.RecordState(a.state, at, at+a.took, a.nodes)
			at += a.took
			nodes += a.nodes
			want[a.state] += a.took
		}
		var got [trace.States]comm.Time
		joined := trace.JoinRecordings("", []*trace.Recording{r}, noShift)
		end := comm.Time(0)
		for i, s := range joined.Tracks[0].Spans {
			if s.From != end {
				t.Fatalf("a span from %d, the last one ended at %d", s.From, end)
			}
			if i > 0 && s.State == joined.Tracks[0].Spans[i-1].State {
				t.Fatalf("two spans of %v in a row", s.State)
			}
			if s.State == trace.Overhead && s.To-s.From < grain && i > 0 && s.Nodes == 0 {
				t.Fatalf("a short span of overhead at %d", s.From)
			}
			end = s.To
			nodes -= s.Nodes
			got[s.State] += s.To - s.From - s.Overhead
			got[trace.Overhead] += s.Overhead
		}
		if end != at || nodes != 0 || got != want {
			t.Fatalf("until %d of %d, %d nodes left, %v of %v", end, at, nodes, got, want)
		}
	})
}

// A full recording keeps the last events and counts the events that it drops. The joined trace has
// only arrows of which both ends were kept.
func TestBounds(t *testing.T) {
	const limit, pieces = 10, 100
	a, b := trace.New(0, limit, 0), trace.New(1, 4*limit, 0)
	for i := range comm.Time(pieces) {
		a.RecordSent(10*i, piece(0, 1), 5)
		b.RecordReceived(10*i+3, piece(0, 1))
	}
	a.RecordState(trace.Busy, 0, 2000, 9)
	joined := trace.JoinRecordings("", []*trace.Recording{a, b}, noShift)
	if n := len(joined.Arrows); n != limit-1 {
		t.Fatalf("%d arrows, want %d", n, limit-1)
	}
	for i, arrow := range joined.Arrows {
		if left := comm.Time(10 * (pieces - limit + 1 + i)); arrow.Left != left || arrow.Arrived != left+3 {
			t.Errorf("an arrow from %d to %d, want it at %d", arrow.Left, arrow.Arrived, left)
		}
	}
	if a.Dropped != pieces+1-limit || b.Dropped != pieces-4*limit || joined.DroppedEvents() != a.Dropped+b.Dropped {
		t.Errorf("%d and %d events dropped", a.Dropped, b.Dropped)
	}
	if len(joined.Tracks[0].Spans) != 1 {
		t.Errorf("spans %v", joined.Tracks[0].Spans)
	}
}

// JoinRecordings subtracts the offset of each rank's clock, and the earliest time becomes 0. An arrow
// that would end before its beginning ends at its beginning.
func TestClocks(t *testing.T) {
	a, b := trace.New(0, 9, 0), trace.New(1, 9, 0)
	a.RecordState(trace.Busy, 100, 200, 1)
	a.RecordSent(150, piece(0, 1), 5)
	b.RecordState(trace.Waiting, 1090, 1149, 0)
	b.RecordReceived(1149, piece(0, 1))
	b.RecordReceived(1149, comm.Message{From: 0, Kind: comm.Reject}) // not a piece
	joined := trace.JoinRecordings("", []*trace.Recording{b, a}, func(rank int) comm.Time { return comm.Time(1000 * rank) })
	want := &trace.Trace{
		Tracks: []trace.Track{
			{Rank: 0, Spans: []trace.Span{{From: 10, To: 110, State: trace.Busy, Nodes: 1}}},
			{Rank: 1, Spans: []trace.Span{{From: 0, To: 59, State: trace.Waiting}}},
		},
		Arrows: []trace.Arrow{{From: 0, To: 1, Left: 60, Arrived: 60, Kind: comm.Grant, Bytes: 5}},
	}
	if !reflect.DeepEqual(joined, want) {
		t.Errorf("%+v, want %+v", joined, want)
	}
}

// A recording is encoded and decoded unchanged.
func TestBinary(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := trace.New(rapid.IntRange(0, 9).Draw(t, "rank"), rapid.IntRange(1, 40).Draw(t, "limit"), 3)
		at := comm.Time(0)
		for _, a := range acts.Draw(t, "acts") {
			r.RecordState(a.state, at, at+a.took, a.nodes)
			at += a.took
			r.RecordSent(at, piece(int32(r.Rank), int32(a.took)), a.nodes)
			r.RecordReceived(at, piece(int32(a.took), int32(r.Rank)))
		}
		r.RecordStop(at)
		data, err := r.AppendBinary(nil)
		if err != nil {
			t.Fatal(err)
		}
		back, err := trace.DecodeRecording(data)
		if err != nil {
			t.Fatal(err)
		}
		one, two := trace.JoinRecordings("", []*trace.Recording{r}, noShift), trace.JoinRecordings("", []*trace.Recording{back}, noShift)
		if !reflect.DeepEqual(one, two) {
			t.Fatalf("%+v, want %+v", two, one)
		}
		for n := range data {
			if _, err := trace.DecodeRecording(data[:n]); err == nil {
				t.Fatalf("the first %d of %d bytes were accepted", n, len(data))
			}
		}
	})
}
