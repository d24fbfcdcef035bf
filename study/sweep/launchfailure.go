package sweep

import (
	"bytes"
	"cmp"
	"fmt"
	"regexp"
	"strings"
	"sync"
)

// A launch can fail although the program has not failed: a daemon of the launcher loses its
// connection, or a node does not start a task. The sweep then launches the run again, as often as
// the plan's retries allow. It does not restart a program that crashed or printed an error.
//
// A launch has failed by itself if all of these conditions hold:
//
//   - a launcher started the run, and ended with a status that is not 0, or by a signal;
//   - the sweep did not ask it to end, and its time was not over;
//   - the program printed no JSON object and no error line, and did not crash: no line of the
//     output is one that programWords finds;
//   - the launcher does not report that a rank exited or was killed: no line is one that
//     rankWords, or under srun taskWords, finds;
//   - a signal ended the launcher itself, or a line is one that launcherWords finds.
//
// In case of doubt the program counts as failed: an unknown message is no reason to launch again.

// programWords matches lines that this program, Go's runtime, or an MPI library within a rank
// prints.
var programWords = compileLater(`treesplit: |^(\S* ?)?(panic: |fatal error: |goroutine \d+ \[|runtime: )|SIGSEGV|SIGBUS` +
	`|\*\*\* (An error occurred in MPI|Process received signal)|MPI_ABORT was invoked|Fatal error in |Abort\(`)

// rankWords matches the lines of Open MPI and MPICH about ranks that exited or were killed.
var rankWords = compileLater(`exited on signal|exited with|has exited due to|exit(ed|ing) improperly` +
	`|non-zero (exit|status)|(?i:exit code:|exit string)|BAD TERMINATION|aborted by signal`)

// taskWords matches lines that srun prints about tasks. An mpirun starts its own daemons with srun;
// in its output these lines are about daemons.
var taskWords = compileLater(`tasks? [\d,-]+: `)

// launcherWords matches lines that launchers print when they have failed themselves: Open MPI's
// ORTE, its successor PRRTE, MPICH's Hydra, and Slurm's srun.
var launcherWords = compileLater(`(ORTE|PRTE|PRRTE) (has lost communication with a remote daemon` +
	`|was unable to reliably start one or more daemons|is unable to establish a communication connection|does not know how to route a message)` +
	`|An (ORTE|PRTE|PRRTE) daemon has unexpectedly failed` +
	`|A call to mkdir was unable to create the desired directory|An internal error has occurred in ORTE|ORTE_ERROR_LOG: (Data unpack|Unreachable|Timeout|Communication)` +
	`|\[(mpiexec|proxy:)[^\]]*\] .*(assert \(!closed\) failed|write error|read error` +
	`|unable to (connect|write data|send)|connection (closed|refused)|error waiting for event)` +
	`|srun: error: .*(Communication connection failure|Application launch failed|Socket timed out` +
	`|Unable to (confirm allocation|contact slurm controller)|Zero Bytes were transmitted|Connection (refused|reset|timed out))`)

// compileLater returns a function that compiles an expression at its first call. Such expressions take
// milliseconds, which every rank would spend at its start, and few commands need them.
func compileLater(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}

// heard holds the findings so far in the output of a launched program.
type heard struct {
	program, rank, task bool
	launcher            string // the first line in which the launcher reports its own failure
}

// combineWith returns the findings in either of two outputs.
func (h heard) combineWith(other heard) heard {
	return heard{h.program || other.program, h.rank || other.rank, h.task || other.task, cmp.Or(h.launcher, other.launcher)}
}

// maxHeard limits the length of a line that is searched; the rest of a longer line is ignored.
const maxHeard = 1 << 10

// ear searches the text written to it, line by line.
type ear struct {
	heard *heard
	line  []byte
}

// Write adds a part of the output.
func (e *ear) Write(p []byte) (int, error) {
	n := len(p)
	for {
		line, rest, whole := bytes.Cut(p, []byte("\n"))
		e.line = append(e.line, line[:min(len(line), maxHeard-len(e.line))]...)
		if !whole {
			return n, nil
		}
		e.scanWholeLine()
		p = rest
	}
}

// scanWholeLine searches a complete line.
func (e *ear) scanWholeLine() {
	h, line := e.heard, e.line
	h.program = h.program || programWords().Match(line)
	h.rank = h.rank || rankWords().Match(line)
	h.task = h.task || taskWords().Match(line)
	if h.launcher == "" && launcherWords().Match(line) {
		h.launcher = strings.TrimSpace(toOneLine(string(line)))
	}
	e.line = e.line[:0]
}

// launchFailure returns why a launch has failed although the program has not, or "".
func (p *process) launchFailure(kind string) string {
	if kind == LocalLauncher || p.asked || p.late || p.err != nil || p.status == statusDone {
		return ""
	}
	if p.heard.program || p.heard.rank || kind == kindSrun && p.heard.task {
		return ""
	}
	if _, missing := findJSONObject(p.stdout); missing == nil {
		return ""
	}
	switch {
	case p.heard.launcher != "":
		return p.heard.launcher
	case p.signal != 0:
		return fmt.Sprintf("the launcher was ended by a signal: %v", p.signal)
	}
	return ""
}
