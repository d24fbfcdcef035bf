package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"treesplit/cli/internal/units"
	"treesplit/internal/outfile"
	"treesplit/internal/spelling"
	"treesplit/run"
	"treesplit/study/figure"
	"treesplit/study/reproduce"
	"treesplit/study/reproduce/lab"
)

// reproduction is a run of experiments, one after the other.
type reproduction struct {
	app   *app
	lab   *lab.Lab
	names []string // of the experiments, as on the command line
	out   string

	mu    sync.Mutex
	over  bool           // nothing more must be written
	bar   *experimentBar // of the current experiment
	files []string       // written so far

	measured int // runs on real ranks
}

// runReproduce runs experiments until all are done or ctx ends. It does not wait for running
// simulations, because one may take minutes.
func (a *app) runReproduce(ctx context.Context, names []string, out string, ranks *rankFlags) (outcome, error) {
	names, err := experimentNames(names)
	if err != nil {
		return outcome{}, run.InputError{Err: err}
	}
	experiments, err := reproduce.FindExperiments(names)
	if err != nil {
		return outcome{}, run.InputError{Err: err}
	}
	if ranks.runtime != runtimeSimulated {
		if err := ranks.check(names); err != nil {
			return outcome{}, err
		}
	}
	l, err := lab.New(out)
	if err != nil {
		return outcome{}, run.InputError{Err: err}
	}
	r := &reproduction{app: a, lab: l, names: names, out: out}
	if ranks.runtime != runtimeSimulated {
		return r.waitUntilDone(ctx, ranks.runtime == runtimeMPI, func() error { return r.runOnRanks(ctx, ranks) })
	}
	return r.waitUntilDone(ctx, false, func() error { return r.runExperiments(ctx, experiments) })
}

// experimentNames returns the names in the program's spelling. The error for an unknown name
// suggests the nearest one.
func experimentNames(names []string) ([]string, error) {
	known, all := append(reproduce.ExperimentNames(), "all"), make([]string, len(names))
	for i, name := range names {
		var err error
		if all[i], err = spelling.Correct(name, known, nil); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// waitUntilDone waits until work is done or ctx ends, and returns the results up to then. If work has
// started other programs, it waits until work has ended them too.
func (r *reproduction) waitUntilDone(ctx context.Context, starts bool, work func() error) (_ outcome, err error) {
	done := make(chan error, 1)
	go func() { done <- work() }()
	select {
	case err = <-done:
	case <-ctx.Done():
		if starts {
			<-done
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.over = true
	r.bar.hideLine()
	if ctx.Err() != nil {
		return r.reportInterrupted()
	}
	if err != nil {
		return outcome{}, err
	}
	if err := r.lab.SortCellFile(); err != nil {
		return outcome{}, err
	}
	if err := r.writePage(); err != nil {
		return outcome{}, err
	}
	fmt.Fprintf(r.app.stdout, "The program wrote %s\n", strings.Join(r.files, ", "))
	return outcome{}, nil
}

// runExperiments runs the experiments, except those whose results this program has kept.
func (r *reproduction) runExperiments(ctx context.Context, experiments []reproduce.Experiment) error {
	for _, e := range experiments {
		s, same, _, err := r.lab.KeptSection(e.Name)
		if err == nil && !same {
			s, err = r.runExperiment(ctx, e)
		}
		if err != nil {
			return err
		}
		if err := r.recordSection(s); err != nil {
			return err
		}
	}
	return nil
}

// runExperiment runs an experiment and shows its progress.
func (r *reproduction) runExperiment(ctx context.Context, e reproduce.Experiment) (figure.Section, error) {
	bar := r.app.watchExperiment(r.lab, e.Name)
	r.mu.Lock()
	r.bar = bar
	r.mu.Unlock()
	s, err := e.RunFitted(ctx, r.lab)
	bar.hideLine()
	if err != nil {
		err = fmt.Errorf("%s: %w", e.Name, err)
	}
	return s, err
}

// recordSection prints the section of an experiment and writes its files.
func (r *reproduction) recordSection(s figure.Section) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.over {
		return nil
	}
	s.PrintText(r.app.stdout)
	files, err := writeSection(r.out, s)
	if err != nil {
		return err
	}
	for _, name := range files {
		if !slices.Contains(r.files, name) {
			r.files = append(r.files, name)
		}
	}
	return r.lab.KeepSection(s)
}

// writePage writes the page of all experiments in the directory, in the order of the papers.
func (r *reproduction) writePage() error {
	var all []figure.Section
	for _, e := range reproduce.Experiments {
		s, _, ok, err := r.lab.KeptSection(e.Name)
		if err != nil {
			return err
		}
		if ok {
			s.Verdicts = claimVerdicts(e)
			all = append(all, s)
		}
	}
	path := outfile.InFolder(r.out, "index.html")
	r.files = append(r.files, path)
	return outfile.WriteFile(path, r.app.newPage("treesplit: the papers' tables, ours beside the printed", all).Write)
}

// reportInterrupted prints which results of an interrupted run are kept.
func (r *reproduction) reportInterrupted() (outcome, error) {
	simulated := r.lab.Close()
	written := "no experiment was complete, so no files were written"
	if len(r.files) > 0 {
		if err := r.writePage(); err != nil {
			return outcome{}, err
		}
		written = "the program wrote " + strings.Join(r.files, ", ")
	}
	repeat := "the same command makes the remaining runs"
	if r.measured > 0 {
		repeat = "the same command repeats the " + units.Things(int64(r.measured), "measured run")
	}
	fmt.Fprintf(r.app.stderr, "treesplit: the experiments were interrupted; %s keeps %s, and %s; %s\n", r.out, units.Things(int64(simulated), "simulated run"), repeat, written)
	return outcome{status: statusStopped}, nil
}
