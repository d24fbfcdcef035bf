package process

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"
)

// Config is the configuration of a worker.
type Config struct {
	Command []string      // the program and its arguments
	Timeout time.Duration // of each answer; 0: none
	Retries int           // number of times that a request is sent again, each to a new process
	Memory  int64         // bytes of address space of each process of the worker; 0: no limit
	Name    string        // of the worker in errors, for example "rank 3"
	// Strict makes a worker that ignores a request to stop an error of Stop. Otherwise it is a
	// warning.
	Strict bool
	// Log takes a line of the program's standard error, or a warning about the program. It is
	// called from other goroutines. nil: not called.
	Log func(text string)
}

// Worker is a program that answers requests. It is a worker.Link: one goroutine calls Begin, Ask and
// Stop.
type Worker struct {
	config Config
	start  []byte                  // the first line to the program; nil before Begin
	hello  func(line []byte) error // reads the first line of the program

	mu     sync.Mutex
	now    *process // the running process, or nil
	killed error    // the reason of Kill; nil before
	failed error    // the error after which Ask always fails
}

// Launch starts the program of a worker and does not wait for it. Several workers are ready sooner if
// all are launched before the first Begin. A program that cannot be started is an error of Begin.
func Launch(c Config) *Worker {
	w := &Worker{config: c}
	_, _ = w.ensureProcess()
	return w
}

// Begin sends the first line to the program and reads the first line of the program, which hello
// checks. After a fault the program is started again, as for a request. Each later start repeats
// these first lines.
func (w *Worker) Begin(start []byte, hello func(line []byte) error) error {
	w.start, w.hello = start, hello
	return w.try("its first line", func(*process) error { return nil })
}

// Ask sends a request and reads the answer; see worker.Link.
func (w *Worker) Ask(request []byte, read func(line []byte) error) error {
	return w.try(cutText(string(bytes.TrimSpace(request)), 200), func(p *process) error {
		if hasUnread(p.lines, p.out) {
			return errUnasked
		}
		line, err := p.exchange(request, w.config.Timeout)
		if err != nil {
			return err
		}
		if err := read(line); err != nil {
			return fmt.Errorf("the worker answered %s: %w", cutText(string(bytes.TrimSpace(line)), 200), err)
		}
		return nil
	})
}

// try makes an exchange with a running process. After a fault it makes the exchange with a new
// process.
func (w *Worker) try(what string, exchange func(*process) error) error {
	for attempt := 1; ; attempt++ {
		if err := w.Err(); err != nil {
			return err
		}
		p, err := w.ensureProcess()
		if err == nil {
			err = exchange(p)
		}
		if err == nil {
			return nil
		}
		var lines []string
		if p != nil {
			lines = p.end()
		}
		w.forget(p)
		if attempt > w.config.Retries || errors.Is(err, errUnasked) || errors.Is(err, errNoProgram) {
			return w.fail(w.describe(err, what, attempt, lines))
		}
		if w.Err() == nil {
			w.log(fmt.Sprintf("the worker is started again: %v", err))
		}
	}
}

// ensureProcess returns the running process, and starts one if there is none. After Begin the
// process has exchanged its first lines.
func (w *Worker) ensureProcess() (*process, error) {
	p := w.now
	if p == nil {
		var err error
		if p, err = startProcess(w.config); err != nil {
			return nil, err
		}
		if !w.adopt(p) {
			p.end()
			return nil, w.Err()
		}
	}
	if w.start == nil || p.greeted {
		return p, nil
	}
	p.greeted = true
	line, err := p.exchange(w.start, w.config.Timeout)
	if err == nil {
		if err = w.hello(line); err != nil {
			err = fmt.Errorf("the first line of the worker is %s: %w", cutText(string(bytes.TrimSpace(line)), 200), err)
		}
	}
	return p, err
}

// adopt makes a process the running one, unless Kill was called.
func (w *Worker) adopt(p *process) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.killed == nil {
		w.now = p
	}
	return w.killed == nil
}

// forget forgets a process that has ended.
func (w *Worker) forget(p *process) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.now == p {
		w.now = nil
	}
}

// Err returns the error after which Ask always fails, or nil.
func (w *Worker) Err() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.failed != nil {
		return w.failed
	}
	return w.killed
}

// fail keeps the error after which Ask always fails, and returns it. After Kill it is the reason of
// Kill.
func (w *Worker) fail(err error) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.killed != nil {
		err = w.killed
	}
	w.failed = err
	return err
}

// Kill kills the process group of the worker. Ask then returns why. Any goroutine may call it.
func (w *Worker) Kill(why error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.killed == nil {
		w.killed = why
	}
	if w.now != nil {
		w.now.kill()
	}
}

// Stop asks the worker to exit, waits a short time for it, and kills its process group. It returns an
// error if the worker has written a line that no request asked for: its answers are then doubtful. A
// worker that has not begun is killed.
func (w *Worker) Stop() error {
	w.mu.Lock()
	p, doubt := w.now, w.failed == nil && w.killed == nil
	w.now = nil
	if w.killed == nil {
		w.killed = errors.New("the worker was stopped")
	}
	w.mu.Unlock()
	if p == nil {
		return nil
	}
	if !p.greeted {
		p.end()
		return nil
	}
	err := p.askToStop()
	lines := p.end()
	if errors.Is(err, errIgnored) && !w.config.Strict {
		w.log(err.Error())
		err = nil
	}
	if err == nil || !doubt {
		return nil
	}
	return w.describe(err, "its last request", 1, lines)
}

func (w *Worker) log(text string) {
	if w.config.Log != nil {
		w.config.Log(text)
	}
}

// describe returns the error of a request in one line.
func (w *Worker) describe(err error, what string, attempts int, lines []string) error {
	text := fmt.Sprintf("%s: request %s: %v", w.config.Name, what, err)
	if what == "its first line" || what == "its last request" {
		text = fmt.Sprintf("%s: %v", w.config.Name, err)
	}
	if attempts > 1 {
		text += fmt.Sprintf(" (%d attempts)", attempts)
	}
	if len(lines) > 0 {
		text += "; the end of its standard error: " + strings.Join(lines, " | ")
	}
	if errors.Is(err, errNoProgram) {
		return fmt.Errorf("%s: %w", w.config.Name, err)
	}
	return errors.New(text)
}

// cutText returns the beginning of a text, printable and on one line.
func cutText(text string, most int) string {
	cut := len(text) > most
	if cut {
		text = text[:most]
	}
	text = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "?"))
	if cut {
		text += "…"
	}
	return text
}
