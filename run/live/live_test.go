package live

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"math"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"treesplit/comm"
	"treesplit/run"
	"treesplit/run/observe/feed"
)

// start starts a server with a board of four ranks.
func start(t *testing.T, o Options) *Server {
	t.Helper()
	if o.Board == nil {
		o.Board = new(feed.Board)
		o.Board.BeginReal(4)
	}
	if o.Address == "" {
		o.Address = DefaultAddress
	}
	s, err := Start(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// ask sends a request and returns the status and the body. Headers are pairs of names and values.
func ask(t *testing.T, method, url string, headers ...string) (int, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		if r.Header.Set(headers[i], headers[i+1]); headers[i] == "Host" {
			r.Host = headers[i+1]
		}
	}
	answer, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(body)
}

// status.json has the keys of a progress file, and metrics the same numbers.
func TestStatusAndMetrics(t *testing.T) {
	s := start(t, Options{})
	done := 0.25
	s.SetProgress(run.Progress{Seconds: 3, Search: 2, Expanded: 123456, Done: &done, Open: 7}, "bound 45")
	s.AddWarning("rank 3 has not been heard from")
	_, body := ask(t, "GET", s.URL()+"status.json")
	var got, want map[string]any
	line, err := json.Marshal(Line{Progress: run.Progress{Seconds: 3, Search: 2, Expanded: 123456, Done: &done, Open: 7}, At: "bound 45"})
	if err = errors.Join(err, json.Unmarshal(line, &want), json.Unmarshal([]byte(body), &got)); err != nil {
		t.Fatal(err)
	}
	if len(got) != len(want) || got["expanded"] != want["expanded"] || got["at"] != "bound 45" {
		t.Errorf("%s, expected %s", body, line)
	}
	_, body = ask(t, "GET", s.URL()+"metrics")
	for _, line := range []string{"treesplit_nodes_total 123456", "treesplit_done_ratio 0.25", "treesplit_ranks 4", "treesplit_warnings_total 1", `treesplit_rank_seconds_total{activity="working"} 0`, "treesplit_piece_bytes_count 0"} {
		if !strings.Contains(body, line+"\n") {
			t.Errorf("no line %s in\n%s", line, body)
		}
	}
}

// The counts of a problem are metrics. Another problem has none of them.
func TestCountsOfProblems(t *testing.T) {
	s := start(t, Options{})
	if _, body := ask(t, "GET", s.URL()+"metrics"); strings.Contains(body, "cubes") {
		t.Errorf("cubes in\n%s", body)
	}
	s.SetProgress(run.Progress{Counts: map[string]int64{"cubes": 7, "cubesSplit": 3, "refutedByLookahead": 0, "other": 1}}, "")
	_, body := ask(t, "GET", s.URL()+"metrics")
	for _, line := range []string{"treesplit_cubes_total 7", "treesplit_cubes_split_total 3", "treesplit_refuted_nodes_total 0"} {
		if !strings.Contains(body, line+"\n") {
			t.Errorf("no line %s in\n%s", line, body)
		}
	}
}

// Pages beyond the bound are refused.
func TestStreamsAreBounded(t *testing.T) {
	s := start(t, Options{})
	for i := range maxStreams + 2 {
		answer, err := http.Get(s.URL() + "events")
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		want := 200
		if i >= maxStreams {
			want = 503
		}
		if answer.StatusCode != want {
			t.Fatalf("stream %d: status %d, expected %d", i, answer.StatusCode, want)
		}
		if want == 200 { // the stream has begun
			if line, err := bufio.NewReader(answer.Body).ReadString('\n'); line != "event: hello\n" {
				t.Fatalf("%q, %v", line, err)
			}
		}
	}
}

// Connections beyond the bound are closed, and places become free again.
func TestConnectionsAreBounded(t *testing.T) {
	l, err := net.Listen("tcp", DefaultAddress)
	if err != nil {
		t.Fatal(err)
	}
	bounded := newBoundedListener(l, 2)
	defer bounded.Close()
	accepted := make(chan net.Conn)
	go func() {
		for {
			c, err := bounded.Accept()
			if err != nil {
				return
			}
			accepted <- c
		}
	}()
	dial := func() net.Conn {
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		return c
	}
	dial()
	first := <-accepted
	dial()
	<-accepted
	if _, err := dial().Read(make([]byte, 1)); err == nil {
		t.Error("a third connection was served")
	}
	first.Close()
	first.Close()
	dial()
	<-accepted
}

// A client that does not read is dropped.
func TestSlowClientsAreDropped(t *testing.T) {
	setWriteTime(t, 100*time.Millisecond)
	failed := make(chan error, 1)
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		out := events{w, http.NewResponseController(w)}
		for {
			if err := out.send("state", strings.Repeat("x", 1<<20)); err != nil {
				failed <- err
				return
			}
		}
	})}
	l, err := net.Listen("tcp", DefaultAddress)
	if err != nil {
		t.Fatal(err)
	}
	go server.Serve(l)
	defer server.Close()
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	io.WriteString(c, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
	select {
	case <-failed:
	case <-time.After(30 * time.Second):
		t.Error("the client that does not read is still served")
	}
}

// The end of a run reaches every client before the server ends. A hostile text stays text.
func TestFinalStateArrives(t *testing.T) {
	s := start(t, Options{Title: "</script><script>alert(1)</script>\u2028\xff"})
	answer, err := http.Get(s.URL() + "events")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if len(answer.TransferEncoding) > 0 || !answer.Close {
		t.Errorf("encodings %q: a chunk follows the last event", answer.TransferEncoding)
	}
	s.SetFinal(Line{Reason: "exhausted"}, Final{Expanded: 99, Verdict: "exhausted"})
	s.Close()
	data, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	if !strings.HasSuffix(text, "event: end\ndata: {}\n\n") || !strings.Contains(text, `"expanded":99`) || strings.Contains(text, "<script>") {
		t.Errorf("%s", text)
	}
	for event := range strings.SplitSeq(strings.TrimSuffix(text, "\n\n"), "\n\n") {
		if lines := strings.Split(event, "\n"); len(lines) != 2 || !strings.HasPrefix(lines[0], "event: ") || !strings.HasPrefix(lines[1], "data: ") {
			t.Errorf("the event %q", event)
		}
	}
}

// A request for a checkpoint lasts until it was written, or could not be written.
func TestCheckpointsOnRequest(t *testing.T) {
	s := start(t, Options{Control: true, Saves: true})
	if s.SaveNow() {
		t.Error("a checkpoint without a request")
	}
	for i, err := range []error{nil, errors.New("the disk is full")} {
		if s.act("save") != "" || !s.SaveNow() || !s.SaveNow() {
			t.Error("no request")
		}
		s.NoteSaved(run.Saved{Count: i + 1}, err)
		if v := s.currentView(); s.SaveNow() || v.Checkpoints != i+1 || (v.SaveError != "") != (err != nil) {
			t.Errorf("%+v", v.facts)
		}
	}
}

// Memory for texts is bounded.
func TestTextsAreBounded(t *testing.T) {
	s := start(t, Options{})
	for range 1000 {
		s.AddWarning(strings.Repeat("ü", 1000))
	}
	v := s.currentView()
	if len(v.Warnings) != maxWarnings || v.Warned != 1000 || len(v.Warnings[0].Text) > maxText+10 {
		t.Errorf("%d of %d warnings, the first of %d bytes", len(v.Warnings), v.Warned, len(v.Warnings[0].Text))
	}
	var none *Server // without --live
	none.SetProgress(run.Progress{}, "")
	none.AddWarning("")
	none.Close()
}

func TestParseSpeed(t *testing.T) {
	for text, want := range map[string]float64{"1x": 1, "100x": 100, "0.01x": 0.01, "2": 2, "max": math.Inf(1)} {
		if got, err := ParseSpeed(text); got != want || err != nil {
			t.Errorf("%q is %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "x", "0x", "-1x", "NaN", "Inf", "1e300", "fast"} {
		if got, err := ParseSpeed(text); err == nil {
			t.Errorf("%q is %v", text, got)
		}
	}
}

// A simulation waits for the first page, stops at a pause, and a step ends with a column.
func TestPace(t *testing.T) {
	never := func() bool { return false }
	p := NewPace(math.Inf(1))
	returned := make(chan bool)
	wait := func(column bool) {
		go func() { p.Wait(1, column, never); returned <- true }()
	}
	waits := func(what string) {
		t.Helper()
		select {
		case <-returned:
			t.Fatalf("%s: the simulation did not wait", what)
		case <-time.After(3 * nap):
		}
	}
	wait(false)
	waits("without a page")
	p.begin()
	<-returned
	p.Wait(2, true, never)
	if !p.act("pause") || p.act("nonsense") {
		t.Error("wrong actions")
	}
	wait(true)
	waits("paused")
	p.act("step")
	<-returned
	p.Wait(3, false, never) // within the step
	wait(true)
	waits("after the step")
	p.act("play")
	<-returned
	p.act("pause")
	p.Wait(4, true, func() bool { return true }) // the run ends
}

// The pace is the number of virtual seconds per second; it never is faster.
func TestPaceOfTime(t *testing.T) {
	p := NewPace(0.001)
	p.begin()
	begin := time.Now()
	for at := int64(0); at < 300_000; { // 0.3 ms of virtual time in 0.3 s
		at = int64(p.Wait(comm.Time(at), false, func() bool { return false }))
	}
	if took := time.Since(begin); took < 250*time.Millisecond {
		t.Errorf("0.3 ms took %v", took)
	}
}

// A program without a page calls the same methods, of a nil Server. They do nothing.
func TestNilServer(t *testing.T) {
	var s *Server
	s.SetProgress(run.Progress{}, "")
	s.SetFinal(Line{}, Final{})
	s.SetFailed(errors.New("failed"))
	s.AddWarning("slow")
	s.NoteSaved(run.Saved{}, nil)
	if s.SaveNow() || s.URL() != "" {
		t.Errorf("a save is requested: %v, the page is %q: expected neither", s.SaveNow(), s.URL())
	}
	s.Close()
}
