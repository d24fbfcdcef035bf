package parallel

import (
	"io"
	"sync"
	"time"
)

// OneAtATime returns a function that lets one goroutine at a time call f.
func OneAtATime(f func() bool) func() bool {
	var mu sync.Mutex
	return func() bool {
		mu.Lock()
		defer mu.Unlock()
		return f()
	}
}

// askPause is the time between two calls of the function of an InterruptibleReader while its input is silent.
const askPause = 100 * time.Millisecond

// InterruptibleReader is a reader that ends with an error when a function returns true, even if its input is
// silent. A goroutine reads into a buffer of its own, because nothing can end its call of Read: the call may still
// be in progress when the reader has ended.
type InterruptibleReader struct {
	in          io.Reader
	interrupted func() bool
	err         error // when interrupted
	buf         []byte
	arrived     chan arrival
}

// arrival is the result of reading into the buffer.
type arrival struct {
	n   int
	err error
}

// NewInterruptibleReader returns a reader of in that ends with err when interrupted returns true.
func NewInterruptibleReader(in io.Reader, interrupted func() bool, err error) *InterruptibleReader {
	return &InterruptibleReader{in: in, interrupted: interrupted, err: err, buf: make([]byte, 1<<16), arrived: make(chan arrival, 1)}
}

// Read reads a part of the input. It must not be called again after an error. It also asks after the input has
// given bytes or has ended: Ctrl-C ends the program that writes into a pipe too, and the end of its output must not
// count as the end of the input.
func (r *InterruptibleReader) Read(p []byte) (n int, err error) {
	if r.interrupted() {
		return 0, r.err
	}
	go r.readPart(r.buf[:min(len(p), len(r.buf))])
	pause := time.NewTicker(askPause)
	defer pause.Stop()
	for {
		select {
		case a := <-r.arrived:
			if r.interrupted() {
				return 0, r.err
			}
			return copy(p, r.buf[:a.n]), a.err
		case <-pause.C:
			if r.interrupted() {
				return 0, r.err
			}
		}
	}
}

// readPart reads into a part of the buffer.
func (r *InterruptibleReader) readPart(part []byte) {
	n, err := r.in.Read(part)
	r.arrived <- arrival{n, err}
}
