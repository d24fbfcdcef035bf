package live

import (
	"fmt"
	"io"
	"net"
	"sync"
	"testing"
	"time"

	"treesplit/comm"
	"treesplit/internal/browser"
	"treesplit/run"
	"treesplit/run/observe/feed"
)

// A tunnel forwards connections to an address, like ssh -L, unless it is cut.
type tunnel struct {
	net.Listener
	to string

	mu   sync.Mutex
	cut  bool
	open []net.Conn
}

// startTunnel starts a tunnel to an address. It ends with the test.
func startTunnel(t *testing.T, to string) *tunnel {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	u := &tunnel{Listener: l, to: to}
	go u.forward()
	t.Cleanup(func() {
		l.Close()
		u.setCut(true)
	})
	return u
}

// forward accepts connections until the listener is closed.
func (u *tunnel) forward() {
	for {
		client, err := u.Accept()
		if err != nil {
			return
		}
		server, err := net.Dial("tcp", u.to)
		if err != nil {
			client.Close()
			continue
		}
		u.keep(client, server)
		for _, ends := range [][2]net.Conn{{client, server}, {server, client}} {
			go func() {
				io.Copy(ends[0], ends[1])
				ends[0].Close()
				ends[1].Close()
			}()
		}
	}
}

// keep adds the two ends of a connection. A tunnel that is cut closes them.
func (u *tunnel) keep(ends ...net.Conn) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.cut {
		for _, c := range ends {
			c.Close()
		}
		return
	}
	u.open = append(u.open, ends...)
}

// setCut cuts all connections and refuses new ones, or permits new ones.
func (u *tunnel) setCut(cut bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.cut = cut
	if cut {
		for _, c := range u.open {
			c.Close()
		}
		u.open = nil
	}
}

// A page that loses its connection shows this. When the page can connect again, it shows the current state and the
// columns of the whole search, once each.
func TestLostConnection(t *testing.T) {
	board := new(feed.Board)
	board.BeginReal(2)
	reports := 0
	report := func(n int) {
		for range n {
			reports++
			for rank := range 2 {
				board.TakeReport(1-rank, (&feed.Report{Spent: feed.Times{1e8, 1e7, 1e7, 1e6}}).AppendBinary(nil), comm.Time(reports)*2e8)
			}
		}
	}
	var u *tunnel
	s, p := openPage(t, Options{Board: board}, func(s *Server) {
		report(5)
		u = startTunnel(t, s.address.String())
		s.address = u.Addr() // the address of the page
	}, browser.Window{Width: 1280, Height: 800})
	await := func(expression string) {
		t.Helper()
		if err := p.Await(expression, 2*time.Minute); err != nil {
			t.Fatal(err)
		}
	}
	await("connected && columns.length === 5 && state")
	u.setCut(true)
	await("document.getElementById('word').textContent === 'connection lost'")
	report(3)
	s.SetProgress(run.Progress{Seconds: 2, Expanded: 987654321}, "")
	u.setCut(false)
	await(fmt.Sprintf("document.getElementById('nodes').dataset.value === '987654321' && document.getElementById('word').textContent === 'running' && columns.length === %d", reports))
	var increasing bool
	if err := p.Eval("columns.every((c, i) => i === 0 ? c.from === 0 : c.from === columns[i - 1].until)", &increasing); err != nil || !increasing {
		t.Errorf("%v: the columns do not follow one another", err)
	}
	if errs := p.Errors(); len(errs) > 0 {
		t.Errorf("errors of the page: %q", errs)
	}
}
