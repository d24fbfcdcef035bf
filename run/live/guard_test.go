package live

import (
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// Requests that the guard refuses or drops, and tokens.

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
