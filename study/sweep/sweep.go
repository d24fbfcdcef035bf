package sweep

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"
)

// The exit statuses of the program, as the help of the verbs lists them.
const (
	statusDone          = 0
	statusSatisfiable   = 10
	statusUnsatisfiable = 20
	statusStopped       = 3 // with a checkpoint, if checkpoints are kept
)

// Sweep makes the runs of a plan, one after the other.
type Sweep struct {
	Plan   *Plan
	Runs   []Run // the runs to make, unless they have results
	Launch Launch
	Facts  Facts
	Log    *Log
	// Checkpoints is the directory for checkpoints, if the plan requests them.
	Checkpoints string
	Retry       bool // repeat runs that have failed
	// Grace is the time that the current run has to end when the context ends, before it is killed; 0:
	// DefaultGrace.
	Grace time.Duration
	// Progress is called before each run and at the end.
	Progress func(Progress)
}

// Progress is the progress of a sweep.
type Progress struct {
	Done, Failed, Total int
	Run                 *Run          // the run that begins; nil at the end
	Left                time.Duration // estimated; 0 while unknown
}

// RunMissing makes the missing runs. It returns the final progress, and an error if the results
// could not be written; failed runs are counted and are not errors. When the context ends,
// RunMissing ends the current run, does not record it, and returns.
func (s *Sweep) RunMissing(ctx context.Context) (Progress, error) {
	p := Progress{Total: len(s.Runs)}
	var left []Run
	for _, r := range s.Runs {
		ok, done := s.Log.OK[r.Key]
		switch {
		case !done || !ok && s.Retry:
			left = append(left, r)
		case !ok:
			p.Failed++
			p.Done++
		default:
			p.Done++
		}
	}
	clock := newEstimate(left, s.Facts.Cores)
	for i := range left {
		if ctx.Err() != nil {
			break
		}
		p.Run, p.Left = &left[i], clock.remainingTime()
		s.Progress(p)
		recorded, ok, err := s.runAndRecord(ctx, left[i])
		if err != nil {
			return p, err
		}
		if !recorded {
			break
		}
		p.Done++
		if !ok {
			p.Failed++
		}
		clock.finishRun(left[i])
	}
	p.Run, p.Left = nil, 0
	s.Progress(p)
	return p, nil
}

// runAndRecord makes a run and records it, unless it was interrupted.
func (s *Sweep) runAndRecord(ctx context.Context, r Run) (recorded, ok bool, err error) {
	line := Line{Run: r, Sweep: s.Plan.Name, Launcher: LocalLauncher, Start: time.Now().UTC().Truncate(time.Millisecond), Facts: s.Facts}
	if s.Launch.usesLauncher(r) {
		line.Launcher, line.LauncherArgs = s.Launch.Launcher, s.Launch.Args
	}
	p, err := s.launchRun(ctx, &line)
	if err != nil {
		return false, false, err
	}
	line.judgeProcess(p, s.Plan.Timeout)
	if line.Error == stoppedEarly || p.launch != "" || p.signal != 0 && !p.late {
		p.asked = p.asked || sweepEndsToo(ctx)
	}
	if p.asked && !line.OK() {
		return false, false, nil
	}
	if err := s.Log.AppendLine(line); err != nil {
		return false, false, err
	}
	if s.Plan.CheckpointEvery > 0 && line.OK() {
		err = os.RemoveAll(s.checkpoints(r))
	}
	return true, line.OK(), err
}

// launchRun starts the run of a line. If the launcher has failed, it starts the run again, as often
// as the plan allows. Before that it waits for a moment, because a scheduler that ends a job ends
// launchers too.
func (s *Sweep) launchRun(ctx context.Context, line *Line) (process, error) {
	for attempt := 1; ; attempt++ {
		flags, err := s.checkpointFlags(line)
		if err != nil {
			return process{}, err
		}
		line.Command = s.Launch.CommandFor(line.Run, flags...)
		p := executeCommand(ctx, line.Command, s.Launch.usesLauncher(line.Run), s.Plan.Timeout, cmp.Or(s.Grace, DefaultGrace))
		kind, _ := launcherKind(line.Launcher)
		why := p.launchFailure(kind)
		if attempt > 1 {
			line.Attempts = attempt
		}
		if why == "" || attempt > *s.Plan.Retries {
			p.launch = why
			return p, nil
		}
		line.LaunchFailures = append(line.LaunchFailures, why)
		if p.asked = sweepEndsToo(ctx); p.asked {
			return p, nil
		}
	}
}

// sweepEndsToo reports whether the sweep is asked to end within a second after a run: a scheduler
// that ends a job signals all of its processes, in any order.
func sweepEndsToo(ctx context.Context) bool {
	t := time.NewTimer(time.Second)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return true
	case <-t.C:
		return ctx.Err() != nil // both may have ended while this process stood still
	}
}

// readOutput takes the values for a line from the program's JSON, and returns why the JSON is not a
// result: some launchers return 0 whatever the ranks do.
func (l *Line) readOutput() string {
	var said struct {
		MPI    string `json:"mpiLibrary"`
		Reason string `json:"reason"`
	}
	if err := json.Unmarshal(l.Output, &said); err != nil {
		return toOneLine(err.Error())
	}
	l.MPI = said.MPI
	if said.Reason == "timeout" || said.Reason == "interrupted" {
		return stoppedEarly
	}
	return ""
}

// stoppedEarly is the error of a run that has no result yet.
const stoppedEarly = "stopped early, by a timeout or a signal"

// judgeProcess sets the result of the run from the end of its process.
func (l *Line) judgeProcess(p process, limit time.Duration) {
	l.Seconds, l.Status = p.seconds, p.status
	var missing error
	l.Output, missing = findJSONObject(p.stdout)
	switch {
	case p.err != nil:
		l.Error = toOneLine(p.err.Error())
	case p.late:
		l.Error = fmt.Sprintf("the run did not end within the plan's timeout of %v", limit)
	case p.launch != "":
		l.Error = "the launcher has failed: " + p.launch
	case p.status == statusStopped:
		l.Error = stoppedEarly
	case p.status < 0:
		l.Error = "ended by a signal"
	case !slices.Contains([]int{statusDone, statusSatisfiable, statusUnsatisfiable}, p.status):
		l.Error = fmt.Sprintf("exit status %d", p.status)
	case missing != nil:
		l.Error = missing.Error()
	default:
		l.Error = l.readOutput()
	}
	if l.Error != "" {
		l.Stderr = strings.ToValidUTF8(string(p.stderr), "\uFFFD")
	}
}
