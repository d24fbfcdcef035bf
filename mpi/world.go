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

// World is this process's end of MPI_COMM_WORLD. Everything of it must be called
// from the main goroutine.
type World struct {
	rank, size int
	start      time.Time // Now counts from here
	err        error     // the first error

	sent, received int64          // messages since Init
	epoch          uint8          // drains so far, modulo 256; travels with every message
	slab           []byte         // remaining memory for short bodies; see allocateBody
	early          []comm.Message // sent by ranks that had left a Drain which this rank was in
}

var _ comm.Transport = (*World)(nil)

// MPI_THREAD_FUNNELED wants all calls from the thread that initialised MPI, and
// some libraries want that to be the process's first.
func init() { runtime.LockOSThread() }

// initialised notes that Init was called: MPI can be started once a process.
var initialised bool

// Init starts MPI; it may be called once, from the main goroutine. A process that
// no launcher has started becomes the only rank of its world. The run begins now.
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

// Finalize ends MPI: the last call of a rank, after a Drain. All ranks must make
// it; after an error, Abort is the way out.
func (w *World) Finalize() error {
	if C.ts_finalize() < 0 {
		w.recordError()
	}
	return w.err
}

// Abort ends all ranks at once; the launcher returns code if it can.
func (w *World) Abort(code int) { C.ts_abort(C.int(code)) }

// Library names the MPI library and its version, on one line.
func Library() string {
	var text [256]C.char
	C.ts_library(&text[0], C.int(len(text)))
	line, _, _ := strings.Cut(C.GoString(&text[0]), "\n")
	return strings.Join(strings.Fields(line), " ")
}

// Rank is this process's number.
func (w *World) Rank() int { return w.rank }

// Size is the number of ranks.
func (w *World) Size() int { return w.size }

// Now is the time since Init.
func (w *World) Now() comm.Time { return comm.Time(time.Since(w.start)) }

// Err is the first error that this rank met, or nil.
func (w *World) Err() error { return w.err }

// recordError records the last error of MPI, unless there was one before.
func (w *World) recordError() {
	if w.err == nil {
		w.err = lastError()
	}
}

func lastError() error { return errors.New(C.GoString(C.ts_error())) }
