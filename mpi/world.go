//go:build mpi

package mpi

// #cgo noescape ts_init
// #include "shim.h"
import "C"

import (
	"errors"
	"runtime"
	"strings"
	"time"

	"treesplit/comm"
)

// Built reports whether this program was built with MPI.
const Built = true

// World is this process's end of MPI_COMM_WORLD. All of its methods must be called from the main
// goroutine, except Rank, Size and Abort.
type World struct {
	rank, size int
	start      time.Time // Now returns the time since start
	err        error     // the first error

	sent, received int64          // messages since Init
	epoch          uint8          // drains so far, modulo 256; travels with every message
	slab           []byte         // remaining memory for short bodies; see allocateBody
	early          []comm.Message // sent by ranks that had left a Drain which this rank was in

	waits waits
}

var _ comm.Transport = (*World)(nil)

// MPI_THREAD_FUNNELED requires that all calls come from the thread that initialised MPI. Some
// libraries also require that this thread is the first thread of the process.
func init() { runtime.LockOSThread() }

// initialised notes that Init was called: a process can start MPI only once.
var initialised bool

// Init starts MPI. It may be called once, from the main goroutine. A process that no launcher has
// started becomes the only rank of its world. The run begins with this call.
func Init() (*World, error) {
	if initialised {
		return nil, errors.New("MPI: Init was called before")
	}
	initialised = true
	var rank, size C.int
	if C.ts_init(&rank, &size) < 0 {
		return nil, lastError()
	}
	return &World{rank: int(rank), size: int(size), start: time.Now()}, nil
}

// Finalize ends MPI. It is the last call of a rank, after a Drain, and all ranks must make it.
// After an error, call Abort instead.
func (w *World) Finalize() error {
	if C.ts_finalize() < 0 {
		w.recordError()
	}
	return w.err
}

// Abort ends all ranks at once. The launcher returns code if it can.
func (w *World) Abort(code int) { C.ts_abort(C.int(code)) }

// Library returns the name and the version of the MPI library, on one line.
func Library() string {
	var text [256]C.char
	C.ts_library(&text[0], C.int(len(text)))
	line, _, _ := strings.Cut(C.GoString(&text[0]), "\n")
	return strings.Join(strings.Fields(line), " ")
}

// Rank returns the number of this process.
func (w *World) Rank() int { return w.rank }

// Size returns the number of ranks.
func (w *World) Size() int { return w.size }

// Now returns the time since Init.
func (w *World) Now() comm.Time { return comm.Time(time.Since(w.start)) }

// Err returns the first error that this rank met, or nil.
func (w *World) Err() error { return w.err }

// recordError records the last error of MPI, unless an earlier error is recorded.
func (w *World) recordError() {
	if w.err == nil {
		w.err = lastError()
	}
}

func lastError() error { return errors.New(C.GoString(C.ts_error())) }
