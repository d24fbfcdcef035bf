package e2e

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"treesplit/run/observe/trace"
)

// viewed is what Chrome's viewer makes of a trace; times are in milliseconds.
type viewed struct {
	Warnings []string
	From, To float64
	Threads  []struct {
		Process, Name string
		Sort          int
		Slices        []struct {
			Title           string
			Start, Duration float64
			Args            struct{ Nodes, OverheadNs float64 }
		}
	}
	Flows []struct {
		Title, From, To        string
		Start, Duration, Bytes float64
	}
}

// view opens a trace in the code of the viewer that Go brings along, under Node.
func view(t testing.TB, path string) (v viewed) {
	t.Helper()
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	page := filepath.Join(strings.TrimSpace(string(root)), "src", "internal", "trace", "traceviewer", "static", "trace_viewer_full.html")
	if _, err := os.Stat(page); err != nil {
		t.Skipf("this Go has no trace viewer: %v", err)
	}
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("node is not installed: run scripts/install")
	}
	o := run(t, "", "node", filepath.Join("testdata", "viewer.js"), page, path)
	if o.status != 0 {
		t.Fatalf("the viewer: status %d\n%s", o.status, o.stderr)
	}
	if err := json.Unmarshal([]byte(o.stdout), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// tracedRuns are runs of every kind of search; those with two steps and more have stops
// between.
var tracedRuns = [][]string{
	{"uts", "-t", "1", "-a", "3", "-d", "9", "-b", "4", "-r", "19", "--scheme", "grr-m"},
	{"uts", "-t", "0", "-b", "2000", "-q", "0.49", "-m", "2", "-r", "5", "--scheme", "lifeline", "--machine", "ncube2"},
	{"puzzle", "14 1 9 6 4 8 12 5 7 2 3 0 10 11 13 15", "--heuristic", "md", "--all-solutions"},
	{"ring", "tree", "--levels", "11"},
	{"sat", "../testdata/php6.cnf", "--rule", "paper", "--quantum", "40"},
}

// In every world the viewer shows a track a rank without a gap, as many nodes in its spans
// as were expanded, an arrow from donor to requester for every message with work, and the
// times that --stats tells.
func TestTraceInTheViewer(t *testing.T) {
	t.Parallel()
	inEachWorld(t, worlds, func(t *testing.T, l library) {
		arrows := 0
		for i, args := range tracedRuns {
			simulated := strings.Contains(fmt.Sprint(args), "--machine")
			if simulated && l != none {
				continue
			}
			path := filepath.Join(t.TempDir(), fmt.Sprintf("trace%d.json%s", i, []string{".gz", ""}[i%2]))
			o := runIn(t, l, 3, "", append(args, "--trace", path, "--stats", "--json")...)
			var r map[string]any
			if err := json.Unmarshal([]byte(o.stdout), &r); err != nil {
				t.Fatalf("%v: %v\n%s%s", args, err, o.stdout, o.stderr)
			}
			v := view(t, path)
			if len(v.Warnings) > 0 || len(v.Threads) != 3 {
				t.Fatalf("%v: %d tracks, warnings %q", args, len(v.Threads), v.Warnings)
			}
			checkTracks(t, args, &v, r)
			arrows += checkFlows(t, args, &v, r)
		}
		if arrows == 0 { // in one run a rank may be done before another has begun
			t.Error("no arrows in any run")
		}
	})
}

// checkTracks holds the spans of a trace against the JSON of its run.
func checkTracks(t *testing.T, args []string, v *viewed, r map[string]any) {
	t.Helper()
	for rank, thread := range v.Threads {
		own := r["perRank"].([]any)[rank].(map[string]any)
		if want := fmt.Sprintf("rank %d", rank); thread.Name != want || thread.Sort != rank || !strings.HasPrefix(thread.Process, "treesplit: ") {
			t.Fatalf("%v: track %q of %q at place %d, want %q", args, thread.Name, thread.Process, thread.Sort, want)
		}
		var nodes, busy, folded, end float64
		stops := 0
		for i, s := range thread.Slices {
			if s.Title == "Stop" {
				stops++
				continue
			}
			if i > 0 && math.Abs(s.Start-end) > 1e-6 {
				t.Fatalf("%v: rank %d has a gap from %v to %v", args, rank, end, s.Start)
			}
			end = s.Start + s.Duration
			nodes += s.Args.Nodes
			if s.Title == "Busy" {
				busy += s.Duration
				folded += s.Args.OverheadNs / 1e6
			}
		}
		redundant, _ := own["redundant"].(float64)
		if want := own["expanded"].(float64) + redundant; nodes != want {
			t.Errorf("%v: %v nodes on the track of rank %d, expanded %v", args, nodes, rank, want)
		}
		if work := own["spent"].(map[string]any)["work"].(float64) * 1000; math.Abs(busy-folded-work) > 1e-3 {
			t.Errorf("%v: rank %d is busy for %v ms of which %v are overhead, want %v", args, rank, busy, folded, work)
		}
		if stops == 0 {
			t.Errorf("%v: rank %d does not stop", args, rank)
		}
	}
}

// checkFlows holds the arrows of a trace against the JSON of its run.
func checkFlows(t *testing.T, args []string, v *viewed, r map[string]any) (arrows int) {
	t.Helper()
	pieces := r["stats"].(map[string]any)["pieceBytes"].(map[string]any)
	if float64(len(v.Flows)) != pieces["count"] {
		t.Errorf("%v: %d arrows, %v pieces", args, len(v.Flows), pieces["count"])
	}
	bytes := 0.0
	for _, f := range v.Flows {
		bytes += f.Bytes
		if f.From == "" || f.To == "" || f.From == f.To || f.Duration < 0 || f.Title != "Grant" {
			t.Errorf("%v: an arrow %+v", args, f)
		}
	}
	if bytes != pieces["sum"] {
		t.Errorf("%v: arrows with %v bytes, want %v", args, bytes, pieces["sum"])
	}
	return len(v.Flows)
}

// A trace compressed by zstd is read back; it says how exact its clocks are. Few events
// are kept where few are wanted.
func TestTraceFile(t *testing.T) {
	t.Parallel()
	inEachWorld(t, worlds, func(t *testing.T, l library) {
		path := filepath.Join(t.TempDir(), "trace.json.zst")
		o := runIn(t, l, 3, "", "uts", "--tree", "T5", "--trace", path, "--trace-events", "20", "--stats")
		for _, want := range []string{"search for work", "WorkRequest", "unanswered", "time to a grant", "audit ok"} {
			if o.status != 0 || !strings.Contains(o.stdout, want) {
				t.Fatalf("status %d, no %q: %s%s", o.status, want, o.stdout, o.stderr)
			}
		}
		file, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		in, err := zstd.NewReader(file)
		if err != nil {
			t.Fatal(err)
		}
		defer in.Close()
		got, err := trace.Read(io.Reader(in))
		if err != nil {
			t.Fatal(err)
		}
		notes := map[string]string{}
		for _, n := range got.Notes {
			notes[n.Key] = n.Value
		}
		clock := "one for all ranks"
		if l != none {
			clock = "compared at the start to within"
		}
		if !strings.Contains(notes["clock"], clock) || notes["ranks"] != "3" || notes["droppedEvents"] != fmt.Sprint(got.DroppedEvents()) {
			t.Errorf("notes %v", notes)
		}
		for _, track := range got.Tracks {
			if len(track.Spans) > 20 || len(track.Spans) == 0 {
				t.Errorf("rank %d has %d spans", track.Rank, len(track.Spans))
			}
		}
	})
}

// A file that cannot be written ends the run before it begins, and a bad number is refused.
func TestBadTraces(t *testing.T) {
	t.Parallel()
	inEachWorld(t, worlds, func(t *testing.T, l library) {
		refused(t, runIn(t, l, 2, "", "uts", "--tree", "T1", "--trace", "/nowhere/trace.json"), "--trace: ")
		refused(t, runIn(t, l, 2, "", "uts", "--tree", "T1", "--trace", "t.json", "--trace-events", "0"), "--trace-events: 0: expected at least 1")
	})
	refused(t, run(t, "", treesplit(t, none), "ring", "tree", "--steps", "--stats"), "--steps: a simulation in steps has no times")
}
