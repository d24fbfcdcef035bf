package lab

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
	"sync"

	"treesplit/internal/outfile"
	"treesplit/internal/parallel"
)

// Lab runs cells on all cores at the same time. It keeps their outcomes in a file; the key of an
// outcome is everything on which it depends: the cell and the program.
type Lab struct {
	// Progress is called with the number of cells done and the number of cells requested so far.
	// nil: not called.
	Progress func(done, wanted int)

	// Workers is the number of cells that run at the same time, at least 1. New sets it to the
	// number of cores.
	Workers int

	program string // digest of the running program
	path    string // of the file; "": none
	forest  forest

	mu           sync.Mutex
	known        map[string]Outcome
	running      map[string]chan struct{} // cells that run now; closed at their end
	done, wanted int
	closed       bool // nothing more is written
}

// New returns a lab that keeps its results in dir, which it makes if necessary. With "" it keeps no
// results.
func New(dir string) (*Lab, error) {
	if dir == "" {
		return newLab(), nil
	}
	l, err := Open(dir)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	return l, l.loadCells()
}

// Open returns a lab that reads the sections kept in dir, but no cells. It creates nothing.
func Open(dir string) (*Lab, error) {
	l := newLab()
	l.path = outfile.InFolder(dir, "cells.jsonl")
	var err error
	l.program, err = digestOfProgram()
	return l, err
}

func newLab() *Lab {
	return &Lab{Workers: runtime.GOMAXPROCS(0), known: map[string]Outcome{}, running: map[string]chan struct{}{}}
}

func digestOfProgram() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// Close ends all writing and returns the number of known outcomes. Outcomes of running cells are
// lost; Close does not wait for them.
func (l *Lab) Close() (known int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	return len(l.known)
}

// keyBytes is the length of a key before it is written in hexadecimal digits.
const keyBytes = 16

// digestCell returns the key of a cell and this program.
func (l *Lab) digestCell(c Cell) (string, error) {
	data, err := json.Marshal(c)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(append(data, l.program...))
	return hex.EncodeToString(sum[:keyBytes]), nil
}

// RunCells returns the outcomes of cells, in their order. The first error ends the runs.
func (l *Lab) RunCells(ctx context.Context, cells []Cell) ([]Outcome, error) {
	l.countWanted(len(cells))
	return parallel.SideBySide(ctx, l.Workers, len(cells), func(_ context.Context, i int) (Outcome, error) {
		o, err := l.runUnlessKnown(cells[i])
		if err != nil {
			err = fmt.Errorf("%s on %d ranks, %s: %w", cells[i].Scheme, cells[i].P, cells[i].WorkloadName(), err)
		}
		return o, err
	})
}

// countWanted counts requested cells.
func (l *Lab) countWanted(n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.wanted += n
}

// runUnlessKnown runs a cell unless its outcome is known, and returns the outcome. If the same cell
// runs already, it waits for its end.
func (l *Lab) runUnlessKnown(c Cell) (Outcome, error) {
	c = c.normalForm()
	key, err := l.digestCell(c)
	if err != nil {
		return Outcome{}, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for l.running[key] != nil {
		l.awaitCell(key)
	}
	o, known := l.known[key]
	if !known {
		if o, err = l.runCell(key, c); err != nil {
			return o, err
		}
	}
	l.done++
	if l.Progress != nil {
		l.Progress(l.done, l.wanted)
	}
	return o, nil
}

// awaitCell waits for the end of a running cell. l.mu is held before and after.
func (l *Lab) awaitCell(key string) {
	end := l.running[key]
	l.mu.Unlock()
	defer l.mu.Lock()
	<-end
}

// runCell runs a cell and keeps its outcome. l.mu is held before and after.
func (l *Lab) runCell(key string, c Cell) (Outcome, error) {
	end := make(chan struct{})
	l.running[key] = end
	o, err := l.simulateUnlocked(c)
	delete(l.running, key)
	close(end)
	if err != nil {
		return o, err
	}
	l.known[key] = o
	return o, l.appendRecord(record{key, o})
}

// simulateUnlocked simulates a cell without l.mu, which is held before and after.
func (l *Lab) simulateUnlocked(c Cell) (Outcome, error) {
	l.mu.Unlock()
	defer l.mu.Lock()
	return c.simulateCell(&l.forest)
}
