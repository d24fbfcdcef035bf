package sweep

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"regexp"
	"time"
)

// Line is the result of a run: a line of the file of results.
type Line struct {
	Run
	Sweep        string   `json:"sweep"` // the plan's name
	Launcher     string   `json:"launcher"`
	LauncherArgs []string `json:"launcherArgs,omitempty"`
	Command      []string `json:"command"`

	Start   time.Time `json:"start"`
	Seconds float64   `json:"wallSeconds"` // of the process, starting and ending it too
	Status  int       `json:"status"`      // its exit status; −1 if a signal ended it
	Error   string    `json:"error,omitempty"`
	Stderr  string    `json:"stderr,omitempty"`  // the end of it, of a run that has failed
	Resumed bool      `json:"resumed,omitempty"` // went on from a checkpoint

	Output json.RawMessage `json:"output,omitempty"` // the program's own JSON
	Facts
}

// OK says whether the run has given a result.
func (l *Line) OK() bool { return l.Error == "" }

// words are what names and coordinates in results may be, which become parts of tables,
// pages and figures.
var words = regexp.MustCompile(`^[A-Za-z0-9 ._+/:=@,~-]{0,256}$`)

// check refuses a line that no sweep has written.
func (l *Line) check() error {
	if l.Key == "" || len(l.Key) > 1024 || oneLine(l.Key) != l.Key {
		return errors.New("no key: expected a line that treesplit sweep has written")
	}
	for _, c := range []struct{ key, value string }{
		{"world", l.World}, {"instance", l.Instance}, {"verb", l.Verb}, {"scheme", l.Scheme}, {"detector", l.Detector}, {"sweep", l.Sweep}, {"launcher", l.Launcher},
	} {
		if !words.MatchString(c.value) {
			return fmt.Errorf("%s %q: expected a name", c.key, c.value)
		}
	}
	switch {
	case l.Instance == "" || l.World == "":
		return errors.New("no instance or no world: expected a line that treesplit sweep has written")
	case l.Ranks < 1 || l.Ranks > maxRanks:
		return fmt.Errorf("%d ranks: expected 1 to %d", l.Ranks, maxRanks)
	case l.Repeat < 1:
		return fmt.Errorf("repeat %d: expected at least 1", l.Repeat)
	case !(l.Seconds >= 0) || math.IsInf(l.Seconds, 0):
		return fmt.Errorf("wallSeconds %v: expected a span", l.Seconds)
	}
	return nil
}

// IsName says whether a text can stand as a name in tables, pages and figures.
func IsName(text string) bool { return words.MatchString(text) }
