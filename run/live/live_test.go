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
	"sync/atomic"
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

// Requests with the Host header of another site or from a page of another site are refused: a name
// that an attacker lets resolve to this host gives no access.
func TestForeignRequestsAreRefused(t *testing.T) {
	s := start(t, Options{})
	host := s.address.String()
	_, port, _ := net.SplitHostPort(host)
	for _, c := range []struct {
		name, value string
		want        int
	}{
		{"Host", "evil.example", 403},
		{"Host", "evil.example:" + port, 403},
		{"Host", "127.0.0.1.evil.example:" + port, 403},
		{"Host", "localhost.evil.example", 403},
		{"Host", "localhost:" + port, 200},
		{"Host", "LOCALHOST:1234", 200}, // a tunnel
		{"Host", "[::1]:" + port, 200},
		{"Host", host, 200},
		{"Origin", "http://evil.example", 403},
		{"Origin", "null", 403},
		{"Origin", "https://" + host, 403},
		{"Origin", "http://localhost:" + port, 403}, // the request names 127.0.0.1
		{"Origin", "http://" + host, 200},
	} {
		for _, path := range []string{"", "status.json", "metrics"} {
			if status, _ := ask(t, "GET", s.URL()+path, c.name, c.value); status != c.want {
				t.Errorf("%s with %s: %s: status %d, expected %d", path, c.name, c.value, status, c.want)
			}
		}
	}
	if status, _ := ask(t, "POST", s.URL()+"control?action=stop"); status != 403 {
		t.Errorf("stop without --live-control: status %d", status)
	}
	if status, _ := ask(t, "GET", s.URL()+"go.mod"); status != 404 {
		t.Errorf("another path: status %d", status)
	}
}

// Requests that a browser makes for a page of another site or port are refused, also those without an
// Origin header. A link to the page works.
func TestFetchMetadata(t *testing.T) {
	s := start(t, Options{})
	for _, c := range []struct {
		path, site, mode, dest string
		want                   int
	}{
		{"", "none", "navigate", "document", 200},
		{"", "cross-site", "navigate", "document", 200},
		{"", "same-site", "navigate", "document", 200},
		{"", "cross-site", "navigate", "iframe", 403},
		{"", "cross-site", "no-cors", "image", 403},
		{"status.json", "same-origin", "cors", "empty", 200},
		{"status.json", "none", "navigate", "document", 200},
		{"status.json", "cross-site", "navigate", "document", 403},
		{"status.json", "cross-site", "no-cors", "script", 403},
		{"metrics", "same-site", "no-cors", "image", 403},
	} {
		status, _ := ask(t, "GET", s.URL()+c.path, "Sec-Fetch-Site", c.site, "Sec-Fetch-Mode", c.mode, "Sec-Fetch-Dest", c.dest)
		if status != c.want {
			t.Errorf("%+v: status %d", c, status)
		}
	}
	if status, _ := ask(t, "POST", s.URL(), "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"); status != 403 {
		t.Errorf("a form of another site: status %d", status)
	}
}

// Clients that never send the bodies of their requests lose their connections, so that others can
// see the page. Streams outlive that time.
func TestUnfinishedRequestsAreDropped(t *testing.T) {
	defer func(before time.Duration) { readTime = before }(readTime)
	readTime = 200 * time.Millisecond
	s := start(t, Options{})
	stream, err := http.Get(s.URL() + "events")
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Body.Close()
	own := s.address.String()
	for i, head := range []string{
		"POST / HTTP/1.1\r\nHost: evil\r\n", "POST / HTTP/1.1\r\nHost: " + own + "\r\n", "GET /none HTTP/1.1\r\nHost: " + own + "\r\n",
		"OPTIONS * HTTP/1.1\r\nHost: " + own + "\r\n", "GET / HTTP/1.1\r\nHost: " + own + "\r\nExpect: more\r\n", "GET / HTTP/1.1\r\nHost: " + own + "\r\n",
	} {
		c, err := net.Dial("tcp", own)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		io.WriteString(c, head+"Content-Length: 100\r\n\r\n")
		c.SetReadDeadline(time.Now().Add(30 * time.Second))
		if answer, err := io.ReadAll(c); err != nil {
			t.Errorf("request %d: %v after %q", i, err, answer)
		}
	}
	done := make(chan error, 1)
	go func() {
		data, err := io.ReadAll(stream.Body)
		if err == nil && !strings.HasSuffix(string(data), "event: end\ndata: {}\n\n") {
			err = errors.New("no end")
		}
		done <- err
	}()
	s.Close()
	if err := <-done; err != nil {
		t.Errorf("the stream: %v", err)
	}
}

// A page that can stop the search, and an address that other hosts can reach, need the token.
func TestTokens(t *testing.T) {
	var stopped atomic.Int32
	for _, o := range []Options{{Control: true}, {Address: "0.0.0.0:0", Control: true}} {
		o.Stop = func() { stopped.Add(1) }
		s := start(t, o)
		_, port, _ := net.SplitHostPort(s.address.String())
		base, token := "http://127.0.0.1:"+port+"/", s.guard.token
		if len(token) < 20 || !strings.HasSuffix(s.URL(), "/?token="+token) {
			t.Errorf("URL %s", s.URL())
		}
		for _, path := range []string{"", "events", "status.json", "metrics", "control?action=stop"} {
			for _, wrong := range []string{"", "token=", "token=" + token[1:], "token=" + token + "A"} {
				method, mark := "GET", "?"
				if strings.Contains(path, "?") {
					method, mark = "POST", "&"
				}
				if status, _ := ask(t, method, base+path+mark+wrong); status != 401 {
					t.Errorf("%s with %q: status %d", path, wrong, status)
				}
			}
		}
		if n := stopped.Load(); n > 0 {
			t.Fatal("stopped without a token")
		}
		if status, _ := ask(t, "GET", base+"control?action=stop&token="+token); status != 405 || stopped.Load() > 0 {
			t.Errorf("a GET that stops: status %d", status)
		}
		if status, _ := ask(t, "POST", base+"control?action=save&token="+token); status != 403 {
			t.Errorf("save without a checkpoint: status %d", status)
		}
		if status, _ := ask(t, "POST", base+"control?action=stop&token="+token); status != 204 || stopped.Swap(0) != 1 {
			t.Errorf("stop: status %d", status)
		}
	}
	if s := start(t, Options{}); s.guard.token != "" {
		t.Errorf("a page that only shows, on loopback, has the token %s", s.guard.token)
	}
	if s := start(t, Options{Address: "0.0.0.0:0"}); s.guard.token == "" {
		t.Error("a page for all hosts has no token")
	}
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
	defer func(before time.Duration) { writeTime = before }(writeTime)
	writeTime = 100 * time.Millisecond
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
		if !s.act("save") || !s.SaveNow() || !s.SaveNow() {
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
