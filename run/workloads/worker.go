package workloads

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"sync"
	"time"

	"treesplit/comm"
	"treesplit/lb"
	"treesplit/run"
	"treesplit/search"
	"treesplit/sim"
	"treesplit/spmd"
	"treesplit/worker"
	"treesplit/worker/process"
)

// Worker is the workload of a search by workers: each rank starts a program, which expands the nodes
// of that rank. On a simulated machine one program expands the nodes of all ranks.
type Worker struct {
	Command []string // the program and its arguments
	Ranks   int      // number of ranks of the run
	Seed    uint64
	Scheme  string                 // that the capabilities of the worker must allow
	First   bool                   // the first solution ends the search
	Problem func() ([]byte, error) // reads the problem, a JSON value, on rank 0; nil: null
	Timeout time.Duration          // of each answer; 0: none
	Retries int                    // number of times that a request is sent again
	Memory  int64                  // bytes of address space of each process; 0: no limit
	// Together is set if all ranks are in this process. Load then launches all workers at the same
	// time.
	Together bool
	// Log takes a line of the standard error of a rank's worker, or a warning about it. Calls may
	// overlap. nil: not called.
	Log func(rank int, text string)

	mu      sync.Mutex
	started map[int]*process.Worker // by rank, of this process
	failure error                   // the error of the first worker that failed
}

// WorkerFound is the index of the number of answers with a solution in Counts.Sums.
const WorkerFound = 0

// workerWire is the encoded problem that rank 0 sends to the other ranks.
type workerWire struct {
	Hello   worker.Hello
	Problem json.RawMessage // nil: null
}

// Load reads the problem and starts the worker of rank 0, whose first line has the root.
func (w *Worker) Load() (run.Problem, error) {
	if len(w.Command) == 0 {
		return nil, errors.New("no command is given: expected the program of a worker")
	}
	p := workerProblem{w: w}
	if w.Problem != nil {
		data, err := w.Problem()
		if err != nil {
			return nil, err
		}
		p.wire.Problem = data
	}
	if w.Together {
		for rank := range w.Ranks {
			w.launchRank(rank)
		}
	}
	_, err := w.beginRank(0, p.wire.Problem, func(h worker.Hello) error {
		if p.wire.Hello.Name == "" {
			p.wire.Hello = h
		}
		return sameHello(h, p.wire.Hello, "before")
	})
	if err != nil {
		return nil, err
	}
	return p.asProblem(), w.checkCapabilities(p.wire.Hello)
}

// Decode reads the problem that rank 0 has encoded.
func (w *Worker) Decode(data []byte) (run.Problem, error) {
	p := workerProblem{w: w}
	if err := json.Unmarshal(data, &p.wire); err != nil {
		return nil, err
	}
	return p.asProblem(), nil
}

// checkCapabilities returns an error if the worker cannot search as the flags require.
func (w *Worker) checkCapabilities(h worker.Hello) error {
	if w.First && h.Minimise {
		return run.FlagError("first", errors.New("the worker minimises, so that the first solution is not the answer: expected a worker that does not minimise"))
	}
	if !h.Children && (lb.CutsSubtasks(w.Scheme) || lb.HasStaticStart(w.Scheme)) {
		return run.FlagError("scheme", fmt.Errorf(`%s needs the children of a node, which this worker does not list: expected "children":true in its first line, or another scheme`, w.Scheme))
	}
	return nil
}

// launchRank returns the worker of a rank, and launches it if it was not launched before.
func (w *Worker) launchRank(rank int) *process.Worker {
	w.mu.Lock()
	defer w.mu.Unlock()
	if one := w.started[rank]; one != nil {
		return one
	}
	c := process.Config{Command: w.Command, Timeout: w.Timeout, Retries: w.Retries, Memory: w.Memory, Name: fmt.Sprintf("rank %d", rank)}
	if w.Log != nil {
		c.Log = func(text string) { w.Log(rank, text) }
	}
	one := process.Launch(c)
	if w.started == nil {
		w.started = map[int]*process.Worker{}
	}
	w.started[rank] = one
	return one
}

// beginRank starts the worker of a rank and checks its first line, also after a fault.
func (w *Worker) beginRank(rank int, problem []byte, check func(worker.Hello) error) (*process.Worker, error) {
	one := w.launchRank(rank)
	start := worker.AppendStart(nil, worker.Start{Rank: rank, Ranks: w.Ranks, Seed: w.Seed, Problem: problem})
	return one, one.Begin(start, func(line []byte) error {
		h, err := worker.ParseHello(line)
		if err != nil { // check keeps the first line that it gets
			return err
		}
		return check(h)
	})
}

// sameHello returns an error if the first lines of two workers describe different searches. place
// names the second one.
func sameHello(h, other worker.Hello, place string) error {
	for _, c := range []struct {
		key         string
		here, there any
	}{
		{"name", h.Name, other.Name}, {"minimise", h.Minimise, other.Minimise},
		{"children", h.Children, other.Children}, {"depth", h.Depth, other.Depth},
	} {
		if c.here != c.there {
			return fmt.Errorf("%q is %#v, but %s it was %#v: expected the same", c.key, c.here, place, c.there)
		}
	}
	return nil
}

// fail keeps the error of the first worker that failed, and kills all workers of this process: their
// ranks would otherwise wait for answers before they learn of the error.
func (w *Worker) fail(err error) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.failure == nil {
		w.failure = err
		for _, one := range w.started {
			one.Kill(err)
		}
	}
	return w.failure
}

// Abandon kills all workers of this process, from any goroutine.
func (w *Worker) Abandon() { _ = w.fail(errors.New("the run was abandoned")) }

// Stop stops all workers of this process. It returns an error if a worker has written more than its
// answers. It may be called more than once.
func (w *Worker) Stop() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	errs := make([]error, 0, len(w.started))
	var all sync.WaitGroup
	for _, one := range w.started {
		errs = append(errs, nil)
		err := &errs[len(errs)-1]
		all.Go(func() { *err = one.Stop() })
	}
	all.Wait()
	w.started = nil
	return cmp.Or(errs...)
}

// Close stops all workers of this process.
func (w *Worker) Close() { _ = w.Stop() }

// workerProblem is the search of a worker.
type workerProblem struct {
	w    *Worker
	wire workerWire
	link worker.Link // to the worker of this rank; nil: no worker yet
}

// minimisingProblem is the search of a worker that minimises.
type minimisingProblem struct{ workerProblem }

// asProblem returns the problem, as a run.Optimising if the worker minimises.
func (p workerProblem) asProblem() run.Problem {
	if p.wire.Hello.Minimise {
		return minimisingProblem{p}
	}
	return p
}

// rankLink is the link of a rank: an error of its worker is the error of all workers.
type rankLink struct {
	*process.Worker
	w *Worker
}

// Ask sends a request; see worker.Link.
func (l rankLink) Ask(request []byte, read func(line []byte) error) error {
	if err := l.Worker.Ask(request, read); err != nil {
		return l.w.fail(err)
	}
	return nil
}

// Encode writes the first line of rank 0's worker, and the problem.
func (p workerProblem) Encode() ([]byte, error) { return marshalUnescaped(p.wire) }

// On starts the worker of this rank. The worker of rank 0 runs already.
func (p workerProblem) On(t comm.Transport) (run.Problem, error) {
	own, err := p.w.runningWorker(0)
	if t.Rank() != 0 {
		own, err = p.w.beginRank(t.Rank(), p.wire.Problem, func(h worker.Hello) error {
			return sameHello(h, p.wire.Hello, "on rank 0")
		})
	}
	if err := spmd.AgreeOnError(t, err); err != nil {
		return nil, run.InputError{Err: err}
	}
	p.link = rankLink{own, p.w}
	return p.asProblem(), nil
}

// runningWorker returns the worker of a rank, if it was started.
func (w *Worker) runningWorker(rank int) (*process.Worker, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	one := w.started[rank]
	if one == nil {
		return nil, nil
	}
	return one, one.Err()
}

// OnMachine lets the worker of rank 0 expand the nodes of all simulated ranks.
func (p workerProblem) OnMachine(sim.Machine) run.Problem {
	own, _ := p.w.runningWorker(0)
	p.link = rankLink{own, p.w}
	return p.asProblem()
}

// Identity returns the name that the worker gives to the search, and a digest of the problem.
func (p workerProblem) Identity() string {
	problem := run.ProblemDigest(workerProblem{wire: workerWire{Problem: p.wire.Problem}})
	return fmt.Sprintf("run, name %s, minimise %t, problem %s", url.QueryEscape(p.wire.Hello.Name), p.wire.Hello.Minimise, problem)
}

// Flags returns the flags of the command line that define the search.
func (p workerProblem) Flags() map[string]string {
	return map[string]string{"name": "the name in the first line of the worker", "minimise": `"minimise" of the worker`, "problem": "the problem of --problem or --problem-json"}
}

// Share returns a share of the tree.
func (p workerProblem) Share(split search.Splitting, root bool) search.Work {
	return worker.New(p.link, &p.wire.Hello, worker.Options{Splitting: split, First: p.w.First}, root)
}

// Count returns the number of answers with a solution.
func (p workerProblem) Count(w search.Work) run.Counts {
	return run.Counts{Sums: []int64{shareOf(w).Counts().Found}}
}

// CountNamed returns the sums and maxima that the worker has reported.
func (p workerProblem) CountNamed(w search.Work) run.NamedCounts {
	c := shareOf(w).Counts()
	return run.NamedCounts{Sums: c.Sums, Maxima: c.Maxima}
}

// shareOf returns the share of a worker inside w.
func shareOf(w search.Work) *worker.Share {
	s, _ := search.As[*worker.Share](w)
	return s
}
