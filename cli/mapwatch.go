package cli

import (
	"fmt"
	"io"
	"sync"
	"time"

	"treesplit/cli/internal/units"
)

// mapWatch follows the best map and the lower bound of a run and reports them to the user. On a
// terminal the progress line reads them. Otherwise mapWatch prints a line for each better map, at
// most one per second. Ranks may call it at the same time.
type mapWatch struct {
	show func(ns int64) string
	out  io.Writer // nil: no lines

	mu       sync.Mutex
	what     string    // the current part of the run; empty: there is only one part
	first    int64     // the makespan of the first map; −1: none yet
	makespan int64     // of the best map; −1: none yet
	bound    int64     // the best proved bound
	end      time.Time // the end of the time limit; zero: none
	printed  time.Time
	due      *time.Timer // prints the latest map when the second is over; nil: no map waits
}

// lineEvery is the least time between two lines.
const lineEvery = time.Second

// beginSearch begins a new search with a known bound and a time limit; 0: no limit.
func (w *mapWatch) beginSearch(what string, bound int64, limit time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.what, w.first, w.makespan, w.bound, w.end = what, -1, -1, bound, time.Time{}
	if limit > 0 {
		w.end = time.Now().Add(limit)
	}
}

// recordMakespan records the makespan of a map.
func (w *mapWatch) recordMakespan(makespan int64) {
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
			if w.due != nil { // the search has not ended meanwhile
				w.printLine()
			}
		})
		return
	}
	w.printLine()
}

// recordBound records a lower bound.
func (w *mapWatch) recordBound(bound int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.bound = max(w.bound, bound)
}

// stopPrinting cancels a line that is due.
func (w *mapWatch) stopPrinting() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.due != nil {
		w.due.Stop()
		w.due = nil
	}
}

// firstMakespan returns the makespan of the first map, or −1.
func (w *mapWatch) firstMakespan() int64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.first
}

// printLine prints a line.
func (w *mapWatch) printLine() {
	w.printed, w.due = time.Now(), nil
	fmt.Fprintf(w.out, "treesplit: %s\n", joinColumns(w.listColumns()))
}

// columns returns the columns that describe the progress of the run.
func (w *mapWatch) columns() []column {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.listColumns()
}

func (w *mapWatch) listColumns() (all []column) {
	if w.what != "" {
		all = append(all, column{w.what, worthDetail})
	}
	if w.makespan < 0 {
		all = append(all, column{"no map yet", worthLabel})
	} else {
		all = append(all,
			column{"makespan " + w.show(w.makespan), worthDone},
			column{"bound " + w.show(w.bound), worthLabel},
			column{"gap " + formatPercent(gapOf(w.makespan, w.bound)), worthDone})
	}
	if !w.end.IsZero() {
		all = append(all, column{units.Seconds(max(0, time.Until(w.end).Seconds())) + " left", keepAlways})
	}
	return all
}
