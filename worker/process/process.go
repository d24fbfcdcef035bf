package process

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"time"

	"treesplit/worker"
)

// process is one process of a worker, with the pipes to it.
type process struct {
	cmd    *exec.Cmd
	in     *os.File // the standard input of the program
	out    *os.File // its standard output
	lines  *bufio.Reader
	tail   *tail
	exited chan struct{} // closed when the program has exited and status is set
	status error         // of the exit
	over   chan struct{} // closed when its guard has ended too

	greeted bool // the first line was sent
}

var (
	errUnasked   = errors.New("the worker wrote more than one line for a request")
	errLastLine  = errors.New("the worker wrote more than one line for its last request, or answered the request to stop")
	errIgnored   = errors.New("the worker did not exit when it was asked to stop: it was killed")
	errNoProgram = errors.New("the program cannot be started")
)

const (
	stopTime  = 3 * time.Second        // for which a worker may take to exit after a stop
	leaveTime = 500 * time.Millisecond // for which a worker that has closed its output may take to exit
)

// startProcess starts the program of a worker.
func startProcess(c Config) (*process, error) {
	path, err := exec.LookPath(c.Command[0])
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errNoProgram, err)
	}
	args := append([]string{path}, c.Command[1:]...)
	if c.Memory > 0 { // the shell sets the limit before the program begins
		args = append([]string{"/bin/sh", "-c", `ulimit -v "$0" && exec "$@"`, strconv.FormatInt((c.Memory+1023)/1024, 10)}, args...)
	}
	p := &process{cmd: exec.Command(args[0], args[1:]...), exited: make(chan struct{}), over: make(chan struct{})}
	setGroup(p.cmd)
	var pipes pipes
	p.cmd.Stdin, p.in = pipes.openInput()
	p.out, p.cmd.Stdout = pipes.openOutput()
	errs, stderr := pipes.openOutput()
	p.cmd.Stderr = stderr
	if err := pipes.err; err != nil {
		pipes.closeAll()
		return nil, fmt.Errorf("%w: %w", errNoProgram, err)
	}
	started := make(chan error)
	go p.runProgram(started)
	err = <-started
	pipes.closeTheirs()
	if err != nil {
		pipes.closeAll()
		return nil, fmt.Errorf("%w: %w", errNoProgram, err)
	}
	p.lines = bufio.NewReaderSize(p.out, 1<<16)
	p.tail = followErrors(errs, c.Log)
	return p, nil
}

// runProgram starts the program and waits for its exit. It keeps its thread until then, because the
// system kills the program when the thread that has started it ends.
func (p *process) runProgram(started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := p.cmd.Start(); err != nil {
		started <- err
		return
	}
	g := startGuard(p.cmd.Process) // before any request, whose answer may start processes
	started <- nil
	p.status = p.cmd.Wait()
	killGroup(p.cmd.Process) // its children may hold the pipes
	close(p.exited)
	p.hurry()
	g.stop()
	close(p.over)
}

// hurry shortens the time for which lines are written to and read from a program that has exited: a
// process that has left the group may still hold the pipes.
func (p *process) hurry() {
	until := time.Now().Add(leaveTime)
	p.in.SetWriteDeadline(until)
	p.out.SetReadDeadline(until)
}

// hasExited reports whether the program has exited.
func (p *process) hasExited() bool {
	select {
	case <-p.exited:
		return true
	default:
		return false
	}
}

// pipes are the pipes to a process that is about to start.
type pipes struct {
	ours, theirs []*os.File
	err          error
}

func (s *pipes) openPipe() (r, w *os.File) {
	r, w, err := os.Pipe()
	if err != nil && s.err == nil {
		s.err = err
	}
	return r, w
}

func (s *pipes) openInput() (theirs, ours *os.File) {
	theirs, ours = s.openPipe()
	s.ours, s.theirs = append(s.ours, ours), append(s.theirs, theirs)
	return theirs, ours
}

func (s *pipes) openOutput() (ours, theirs *os.File) {
	ours, theirs = s.openPipe()
	s.ours, s.theirs = append(s.ours, ours), append(s.theirs, theirs)
	return ours, theirs
}

func (s *pipes) closeTheirs() {
	for _, f := range s.theirs {
		f.Close()
	}
	s.theirs = nil
}

func (s *pipes) closeAll() {
	s.closeTheirs()
	for _, f := range s.ours {
		f.Close()
	}
}

// exchange sends a line and reads the line that answers it.
func (p *process) exchange(request []byte, timeout time.Duration) (line []byte, err error) {
	var until time.Time
	if timeout > 0 {
		until = time.Now().Add(timeout)
	}
	p.in.SetWriteDeadline(until)
	p.out.SetReadDeadline(until)
	if p.hasExited() { // after the deadlines were set, because the exit sets them too
		p.hurry()
	}
	if _, err := p.in.Write(request); err != nil {
		return nil, p.explain(err, timeout)
	}
	if line, err = readLine(p.lines); err != nil {
		return nil, p.explain(err, timeout)
	}
	if p.lines.Buffered() > 0 {
		return nil, errUnasked
	}
	return line, nil
}

// errTooLong is the error of a line without an end.
var errTooLong = fmt.Errorf("the worker wrote a line of more than %d bytes", worker.MaxLine)

// readLine reads a line of at most worker.MaxLine bytes.
func readLine(r *bufio.Reader) (line []byte, err error) {
	for {
		part, err := r.ReadSlice('\n')
		if len(line)+len(part) > worker.MaxLine {
			return nil, errTooLong
		}
		line = append(line, part...)
		if err == nil {
			return line, nil
		}
		if errors.Is(err, io.EOF) && len(line) > 0 {
			return nil, io.ErrUnexpectedEOF
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return nil, err
		}
	}
}

// explain returns an error that says why an exchange failed.
func (p *process) explain(err error, timeout time.Duration) error {
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded) && !p.hasExited():
		return fmt.Errorf("the worker did not answer within %v", timeout)
	case errors.Is(err, errTooLong):
		return err
	}
	wait := time.NewTimer(leaveTime)
	defer wait.Stop()
	select {
	case <-p.exited:
	case <-wait.C:
		if p.endByKill() {
			return errors.New("the worker closed its standard input or output without an answer")
		}
	}
	within := ""
	if errors.Is(err, io.ErrUnexpectedEOF) {
		within = " within a line"
	}
	if p.status == nil {
		return fmt.Errorf("the worker exited with status 0%s: expected an answer", within)
	}
	return fmt.Errorf("the worker ended%s (%v): expected an answer", within, p.status)
}

// kill kills the process group. Any goroutine may call it. The group of a program that has exited is
// killed already, and its number may belong to others.
func (p *process) kill() {
	if !p.hasExited() {
		killGroup(p.cmd.Process)
	}
}

// endByKill kills the process group, waits for the exit, and reports whether the program ended by this kill. A
// timer that this process has noticed late does not tell: the program may have exited before.
func (p *process) endByKill() bool {
	ended := p.hasExited() || hasEnded(p.cmd.Process)
	p.kill()
	<-p.exited
	return !ended && wasKilled(p.cmd.ProcessState)
}

// end kills the process group, closes the pipes and returns the last lines of standard error.
func (p *process) end() []string {
	p.kill()
	<-p.over
	p.in.Close()
	p.out.Close()
	return p.tail.finish()
}

// askToStop asks the program to exit and waits for it. It returns errLastLine if the program has
// written a line after its last answer, and errIgnored if it did not exit in time.
func (p *process) askToStop() error {
	until := time.Now().Add(stopTime)
	p.in.SetWriteDeadline(until)
	p.out.SetReadDeadline(until)
	p.in.Write([]byte(worker.StopLine)) // a program that has exited needs no line
	p.in.Close()
	if n, _ := p.lines.Read(make([]byte, 1)); n > 0 {
		return errLastLine
	}
	wait := time.NewTimer(time.Until(until))
	defer wait.Stop()
	select {
	case <-p.exited:
		return nil
	case <-wait.C:
		return errIgnored
	}
}
