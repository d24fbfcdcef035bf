package cli

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// mapWatch follows the best map and the lower bound of a run and tells a person of them:
// the progress line of a terminal asks it, elsewhere it prints a line for each better
// map, but not more often than once a second. Ranks may call it at the same time.
type mapWatch struct {
	show func(ns int64) string
	out  io.Writer // nil: no lines

	mu       sync.Mutex
	what     string    // what is going on; empty: there is only one thing
	first    int64     // the makespan of the first map; −1: none yet
	makespan int64     // of the best one; −1: none yet
	bound    int64     // the best proved
	end      time.Time // when time is up; zero: never
	printed  time.Time
	due      *time.Timer // prints what has come within the second; nil: nothing has
}

// lineEvery is how far apart lines are at least.
const lineEvery = time.Second

// begin begins again, with a bound that is known, and so much time; 0: no end.
func (w *mapWatch) begin(what string, bound int64, limit time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.what, w.first, w.makespan, w.bound, w.end = what, -1, -1, bound, time.Time{}
	if limit > 0 {
		w.end = time.Now().Add(limit)
	}
}

// better tells of a map.
func (w *mapWatch) better(makespan int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.makespan >= 0 && makespan >= w.makespan {
		return
	}
	if w.makespan = makespan; w.first < 0 {
		w.first = makespan
	}
	if w.out == nil || w.due != nil {
		return
	}
	if wait := lineEvery - time.Since(w.printed); wait > 0 {
		w.due = time.AfterFunc(wait, func() {
			w.mu.Lock()
			defer w.mu.Unlock()
			if w.due != nil { // no end has come between
				w.print()
			}
		})
		return
	}
	w.print()
}

// lower tells of a lower bound.
func (w *mapWatch) lower(bound int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.bound = max(w.bound, bound)
}

// stop says that nothing more is to be printed.
func (w *mapWatch) stop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.due != nil {
		w.due.Stop()
		w.due = nil
	}
}

// begun is the makespan of the first map, or −1.
func (w *mapWatch) begun() int64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.first
}

// print prints a line.
func (w *mapWatch) print() {
	w.printed, w.due = time.Now(), nil
	fmt.Fprintf(w.out, "treesplit: %s\n", w.line())
}

// String is how far the run is.
func (w *mapWatch) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.line()
}

func (w *mapWatch) line() string {
	s := ""
	if w.what != "" {
		s = w.what + ": "
	}
	if w.makespan < 0 {
		s += "no map yet"
	} else {
		s += fmt.Sprintf("makespan %s, bound %s, gap %s", w.show(w.makespan), w.show(w.bound), percent(gapOf(w.makespan, w.bound)))
	}
	if !w.end.IsZero() {
		s += fmt.Sprintf(", %.1f s left", max(0, time.Until(w.end).Seconds()))
	}
	return s
}
