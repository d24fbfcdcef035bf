//go:build !mpi

package mpi

import (
	"errors"
	"time"

	"treesplit/comm"
)

// Built reports whether this program was built with MPI.
const Built = false

var errNotBuilt = errors.New("this program was built without MPI: rebuild it with CC=mpicc go build -tags mpi")

// World is unavailable in this build.
type World struct{ comm.Transport }

// Init returns an error in this build; the error names the remedy.
func Init() (*World, error) { return nil, errNotBuilt }

// Finalize returns an error in this build.
func (w *World) Finalize() error { return errNotBuilt }

// Abort does nothing in this build.
func (w *World) Abort(code int) {}

// WatchWaits does nothing in this build.
func (w *World) WatchWaits(span time.Duration, late func(spans int)) (stop func()) {
	return func() {}
}

// Library returns "" in this build.
func Library() string { return "" }
