// Package browser drives a real browser without a screen, for tests and pictures of pages: it opens
// pages, moves the pointer, and takes screenshots. It speaks the DevTools protocol over two pipes, so
// that no port is open.
package browser

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"
)

// ErrNone is the error of Start if no browser is installed.
var ErrNone = errors.New("chromium is not installed: run scripts/install")

// Find returns the path of a browser, or ErrNone. It prefers the variant that was built to run without a
// screen, because the others also look for a desktop.
func Find() (string, error) {
	for _, name := range []string{"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", ErrNone
}

// Browser is a running browser.
type Browser struct {
	cmd     *exec.Cmd
	profile string
	out     io.WriteCloser
	said    *tail         // the end of the standard error
	exited  chan struct{} // closed when the process has ended

	mu      sync.Mutex
	last    int
	waiting map[int]chan answer
	pages   map[string]*Page // by session
	failed  error
}

// answer is the answer to a command.
type answer struct {
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Message string `json:"message"`
	} `json:"error"`
}

// message is an answer or an event of the browser.
type message struct {
	answer
	ID      int             `json:"id"`
	Session string          `json:"sessionId"`
	Method  string          `json:"method"`
	Params  json.RawMessage `json:"params"`
}

// setByBrowser holds the environment variables that Chromium sets at its start. It sets FC_FONTATIONS while
// other threads read the environment. A new variable moves the environment, and a thread that reads it at
// this moment ends the browser by a segmentation fault (in 2 of 1500 starts). If the variable exists,
// only its value is replaced.
var setByBrowser = []string{"FC_FONTATIONS=1", "DBUS_SESSION_BUS_ADDRESS=disabled:"}

// Start starts a browser with an empty profile of its own. The caller must call Close.
func Start() (*Browser, error) {
	path, err := Find()
	if err != nil {
		return nil, err
	}
	profile, err := os.MkdirTemp("", "browser")
	if err != nil {
		return nil, err
	}
	commands, out, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	in, answers, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	b := &Browser{profile: profile, out: out, said: &tail{}, exited: make(chan struct{}), waiting: map[int]chan answer{}, pages: map[string]*Page{}}
	b.cmd = exec.Command(path, "--headless", "--disable-gpu", "--no-sandbox", "--disable-dev-shm-usage", "--no-first-run", "--hide-scrollbars",
		"--disable-background-networking", "--disable-component-update", "--remote-debugging-pipe", "--user-data-dir="+profile, "about:blank")
	b.cmd.Env = append(os.Environ(), "TMPDIR="+profile) // a killed browser does not remove its files
	b.cmd.Env = append(b.cmd.Env, setByBrowser...)
	b.cmd.ExtraFiles = []*os.File{commands, answers}
	b.cmd.Stderr = b.said
	b.cmd.WaitDelay = time.Second // its children inherit the standard error
	err = b.cmd.Start()
	commands.Close()
	answers.Close()
	if err != nil {
		return nil, err
	}
	go func() {
		b.cmd.Wait()
		close(b.exited)
	}()
	go b.readMessages(in)
	return b, nil
}

// Close ends the browser and removes its profile.
func (b *Browser) Close() {
	b.out.Close()
	b.cmd.Process.Kill()
	<-b.exited
	os.RemoveAll(b.profile)
}

// readMessages passes answers and events on, until the browser ends.
func (b *Browser) readMessages(in io.ReadCloser) {
	defer in.Close()
	r := bufio.NewReader(in)
	for {
		data, err := r.ReadBytes(0)
		if err != nil {
			b.failAll(b.explainEnd())
			return
		}
		var m message
		if err := json.Unmarshal(data[:len(data)-1], &m); err != nil {
			b.failAll(err)
			return
		}
		b.passMessage(&m)
	}
}

func (b *Browser) passMessage(m *message) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if wait, ok := b.waiting[m.ID]; ok && m.ID > 0 {
		delete(b.waiting, m.ID)
		wait <- m.answer
	} else if p := b.pages[m.Session]; p != nil {
		p.noteEvent(m)
	}
}

// failAll ends all waits.
func (b *Browser) failAll(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.failed = err
	for id, wait := range b.waiting {
		delete(b.waiting, id)
		close(wait)
	}
}

// failure returns the error that has ended all waits.
func (b *Browser) failure() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.failed
}

// patience is the longest time of a command.
const patience = 60 * time.Second

// call sends a command and returns its result.
func (b *Browser) call(session, method string, params any) (json.RawMessage, error) {
	b.mu.Lock()
	if b.failed != nil {
		b.mu.Unlock()
		return nil, fmt.Errorf("%s: %w", method, b.failed)
	}
	b.last++
	id, wait := b.last, make(chan answer, 1)
	b.waiting[id] = wait
	data, err := json.Marshal(map[string]any{"id": id, "sessionId": session, "method": method, "params": params})
	if session == "" {
		data, err = json.Marshal(map[string]any{"id": id, "method": method, "params": params})
	}
	if err == nil {
		// If the browser has ended, the end of its answers gives the reason.
		b.out.Write(append(data, 0))
	}
	b.mu.Unlock()
	if err != nil {
		return nil, err
	}
	select {
	case a, ok := <-wait:
		switch {
		case !ok:
			return nil, fmt.Errorf("%s: %w", method, b.failure())
		case a.Error != nil:
			return nil, fmt.Errorf("%s: %s", method, a.Error.Message)
		}
		return a.Result, nil
	case <-time.After(patience):
		return nil, fmt.Errorf("%s: no answer of the browser", method)
	}
}
