package cli

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// Lines report the best map: the first at once, later ones at most once per second, including the
// last one. After the end there are no lines.
func TestWatchLines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		w := mapWatch{show: func(ns int64) string { return fmt.Sprint(ns) }, out: &out}
		lines := func(want ...string) {
			t.Helper()
			synctest.Wait()
			w.mu.Lock()
			defer w.mu.Unlock()
			if got := out.String(); got != strings.Join(want, "") {
				t.Errorf("got\n%swant\n%s", got, strings.Join(want, ""))
			}
		}
		w.beginSearch("", 50, 10*time.Second)
		w.recordMakespan(100)
		first := "treesplit: makespan 100, bound 50, gap 100.00 %, 10.0 s left\n"
		lines(first)
		time.Sleep(300 * time.Millisecond) // on the test's own clock, which takes no time
		w.recordMakespan(90)
		w.recordMakespan(95) // not better
		time.Sleep(300 * time.Millisecond)
		w.recordMakespan(80)
		w.recordBound(60)
		lines(first)
		time.Sleep(time.Second)
		second := "treesplit: makespan 80, bound 60, gap 33.33 %, 9.0 s left\n"
		lines(first, second)
		time.Sleep(time.Second)
		w.recordMakespan(70)
		third := "treesplit: makespan 70, bound 60, gap 16.67 %, 7.4 s left\n"
		lines(first, second, third)
		w.recordMakespan(60)
		w.stopPrinting()
		time.Sleep(2 * time.Second)
		lines(first, second, third)
		if w.firstMakespan() != 100 || w.makespan != 60 {
			t.Errorf("began with %d, ended with %d", w.firstMakespan(), w.makespan)
		}
	})
}

// Names of maps determine their format, also with the number of processors that METIS appends.
func TestOutFormat(t *testing.T) {
	for name, want := range map[string]string{
		"a.part": ".part", "d/a.graph.part.16": ".part", "a.json": ".json", "a.%p.json": ".json", "a.txt": "", "part": "", "a.part.d/b": "", "a.partition": "",
	} {
		if got := outFormat(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
