package sweep

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Line is the result of a run: a line of the file of results.
type Line struct {
	Run
	Sweep        string   `json:"sweep"` // the plan's name
	Launcher     string   `json:"launcher"`
	LauncherArgs []string `json:"launcherArgs,omitempty"`
	Command      []string `json:"command"`

	Start   time.Time `json:"start"`
	Seconds float64   `json:"wallSeconds"` // of the process, including its start and its end
	Status  int       `json:"status"`      // its exit status; −1 if a signal ended it
	Error   string    `json:"error,omitempty"`
	Stderr  string    `json:"stderr,omitempty"`  // the end of standard error, if the run has failed
	Resumed bool      `json:"resumed,omitempty"` // resumed from a checkpoint
	// Attempts is the number of launches, if there were several. LaunchFailures has the reasons why
	// all launches before the last one failed. All other fields describe the last launch.
	Attempts       int      `json:"attempts,omitempty"`
	LaunchFailures []string `json:"launchFailures,omitempty"`

	Output json.RawMessage `json:"output,omitempty"` // the program's own JSON
	Facts
}

// OK reports whether the run has given a result.
func (l *Line) OK() bool { return l.Error == "" }

// words matches valid names and coordinates in results, which become parts of tables, pages and
// figures.
var words = compileLater(`^[A-Za-z0-9 ._+/:=@,~-]{0,256}$`)

// IsName reports whether a text is valid as a name in tables, pages and figures.
func IsName(text string) bool { return words().MatchString(text) }

// maxSeconds is longer than any run.
const maxSeconds = 1e12

// maxName limits the length of a file name, in bytes.
const maxName = 256

// isFileName reports whether a text can be the name of a machine's or launcher's file: at most
// maxName bytes, on one line, without characters that a terminal obeys or does not show. All other
// characters are allowed; pages and figures escape them.
func isFileName(text string) bool {
	return len(text) <= maxName && utf8.ValidString(text) && strings.IndexFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) < 0
}

// checkLine returns an error for a line that no sweep has written.
func (l *Line) checkLine() error {
	if l.Key == "" || len(l.Key) > 1024 || toOneLine(l.Key) != l.Key {
		return errors.New("no key: expected a line that treesplit sweep has written")
	}
	for _, c := range []struct {
		key, value string
		test       func(string) bool
	}{
		{"world", l.World, isFileName}, {"launcher", l.Launcher, isFileName},
		{"instance", l.Instance, IsName}, {"verb", l.Verb, IsName}, {"scheme", l.Scheme, IsName}, {"detector", l.Detector, IsName}, {"sweep", l.Sweep, IsName},
	} {
		if !c.test(c.value) {
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
	case l.Attempts < 0 || l.Attempts > maxRetries+1 || len(l.LaunchFailures) > l.Attempts:
		return fmt.Errorf("%d attempts, of which %d failed: expected 1 to %d", l.Attempts, len(l.LaunchFailures), maxRetries+1)
	case !(l.Seconds >= 0 && l.Seconds <= maxSeconds):
		return fmt.Errorf("wallSeconds %v: expected a span", l.Seconds)
	}
	return nil
}
