// Package live serves a page that shows a search while it runs: a small HTTP server on rank 0, the
// page, the progress as JSON, and metrics for Prometheus. The page only shows the search, unless
// control was requested. Memory and the number of clients are bounded.
package live

import (
	"context"
	"net"
	"net/http"
	"sync"
	"time"

	"treesplit/run/observe/feed"
)

// Options describe a page.
type Options struct {
	Address string // HOST:PORT, from ParseAddress
	Title   string // the command line
	Control bool   // the page has buttons that stop and save the search
	Saves   bool   // the run has a checkpoint
	Stop    func() // requests the end of the search; called from any goroutine
	Board   *feed.Board
	Pace    *Pace // of a simulation that the page plays and pauses; or nil
}

// Server serves the page of one run. Its methods may be called from any goroutine, and on a nil
// Server, which does nothing.
type Server struct {
	options Options
	guard   guard
	http    *http.Server
	address net.Addr
	begun   time.Time

	state   state
	streams sync.WaitGroup
	ended   chan struct{} // closed when the final state is known
	once    sync.Once
}

// Limits of the server.
const (
	maxConnections = 64
	maxStreams     = 16
	idleTime       = 30 * time.Second
	maxHeader      = 8 << 10
)

// writeTime is the time in which a client must read an answer, an event, or the final state. A slower
// client is dropped. readTime is the time in which a client must send a request with its body, also if
// the request is refused. Tests change both.
var (
	writeTime = 5 * time.Second
	readTime  = 5 * time.Second
)

// Start begins to serve. The error names the address if it cannot be used.
func Start(o Options) (*Server, error) {
	l, err := net.Listen("tcp", o.Address)
	if err != nil {
		return nil, err
	}
	host, _, err := net.SplitHostPort(o.Address)
	if err != nil {
		l.Close()
		return nil, err
	}
	s := &Server{options: o, address: l.Addr(), guard: newGuard(host, l.Addr(), o.Control), begun: time.Now(), ended: make(chan struct{})}
	s.http = &http.Server{
		Handler: s.routes(), ReadTimeout: readTime, WriteTimeout: writeTime, IdleTimeout: idleTime, MaxHeaderBytes: maxHeader,
		DisableGeneralOptionsHandler: true, // the guard sees every request
	}
	go s.http.Serve(newBoundedListener(l, maxConnections))
	return s, nil
}

// URL returns the address of the page, with its token if it has one. It returns "" for a nil Server.
func (s *Server) URL() string {
	if s == nil {
		return ""
	}
	_, port, err := net.SplitHostPort(s.address.String())
	if err != nil {
		return s.address.String()
	}
	url := "http://" + net.JoinHostPort(s.guard.name, port) + "/"
	if s.guard.token != "" {
		url += "?token=" + s.guard.token
	}
	return url
}

// Close ends the server after the clients have received the final state, or after writeTime.
func (s *Server) Close() {
	if s == nil {
		return
	}
	s.once.Do(func() {
		s.state.Lock() // no stream begins at the same time
		close(s.ended)
		s.state.Unlock()
		sent := make(chan struct{})
		go func() { s.streams.Wait(); close(sent) }()
		select {
		case <-sent:
		case <-time.After(writeTime):
		}
		ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
		defer cancel()
		if s.http.Shutdown(ctx) != nil {
			s.http.Close()
		}
	})
}

// routes returns the handler of all requests.
func (s *Server) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", servePage)
	mux.HandleFunc("GET /events", s.serveEvents)
	mux.HandleFunc("GET /status.json", s.serveStatus)
	mux.Handle("GET /metrics", s.newMetrics())
	mux.HandleFunc("POST /control", s.serveControl)
	return s.guard.protect(mux)
}

// boundedListener accepts a limited number of connections. Further clients are refused.
type boundedListener struct {
	net.Listener
	free chan struct{}
}

func newBoundedListener(l net.Listener, most int) *boundedListener {
	return &boundedListener{l, make(chan struct{}, most)}
}

// Accept returns the next connection that does not exceed the limit.
func (l *boundedListener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		select {
		case l.free <- struct{}{}:
			return &boundedConn{Conn: c, leave: sync.OnceFunc(func() { <-l.free })}, nil
		default:
			c.Close()
		}
	}
}

// boundedConn frees its place when it is closed.
type boundedConn struct {
	net.Conn
	leave func()
}

// Close closes the connection.
func (c *boundedConn) Close() error {
	err := c.Conn.Close()
	c.leave()
	return err
}
