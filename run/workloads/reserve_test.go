package workloads_test

import (
	"bytes"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"treesplit/run"
	"treesplit/run/checkpoint"
	"treesplit/run/workloads"
	"treesplit/uts"
)

// saves is a workload with a plan whose runs are interrupted at once and saved in a new
// directory.
type saves struct {
	work run.Workload
	plan run.Plan
	told []string // notes and warnings
}

func newSaves(t *testing.T) *saves {
	t.Helper()
	params, _, ok := uts.FindSample("T1L")
	if !ok {
		t.Fatal("no T1L")
	}
	s := &saves{work: &workloads.UTS{Params: params}, plan: run.DefaultPlan(2)}
	s.plan.Store = checkpoint.Files{}
	s.plan.Checkpoint = filepath.Join(t.TempDir(), "c")
	return s
}

// run makes a run that ends as soon as it has begun.
func (s *saves) run(change func(p *run.Plan)) (*run.Result, error) {
	s.told = nil
	p := s.plan
	if change != nil {
		change(&p)
	}
	return run.RunOnGoroutines(p, s.work, run.Hooks{
		Interrupted: func() bool { return true },
		Note:        func(text string) { s.told = append(s.told, text) },
		Warn:        func(_ int, text string) { s.told = append(s.told, text) },
	})
}

// saved makes a run that must be saved.
func (s *saves) saved(t *testing.T, change func(p *run.Plan)) *run.Result {
	t.Helper()
	r, err := s.run(change)
	if err != nil || r.Saved == nil || !r.Saved.Final || r.Trouble != nil {
		t.Fatalf("%+v, %v", r, err)
	}
	return r
}

// files returns all files of the directory.
func (s *saves) files(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	entries, err := os.ReadDir(filepath.Dir(s.plan.Checkpoint))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(filepath.Dir(s.plan.Checkpoint), e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		all[e.Name()] = string(data)
	}
	return all
}

// refused makes a run that must return an error with these words and change no file.
func (s *saves) refused(t *testing.T, change func(p *run.Plan), want ...string) {
	t.Helper()
	before := s.files(t)
	_, err := s.run(change)
	if !errors.As(err, &run.InputError{}) || strings.Contains(err.Error(), ".new") {
		t.Fatalf("error %v", err)
	}
	for _, w := range want {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("%v: want %q", err, w)
		}
	}
	if after := s.files(t); !maps.Equal(before, after) {
		t.Errorf("%v: the files have changed", err)
	}
}

func restart(p *run.Plan) { p.Restart = true }
func auto(p *run.Plan)    { p.Resume = run.ResumeAuto }
func own(p *run.Plan)     { p.Resume = p.Checkpoint }

// put writes a file beside the checkpoint.
func (s *saves) put(t *testing.T, end string, data []byte) {
	t.Helper()
	if err := os.WriteFile(s.plan.Checkpoint+end, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// An existing checkpoint is not overwritten by accident. The error describes its contents. On
// request it is overwritten and kept as the previous one.
func TestCheckpointIsKept(t *testing.T) {
	s := newSaves(t)
	s.saved(t, nil)
	there := []string{"--checkpoint: " + s.plan.Checkpoint + ": there is a checkpoint of uts", "nodes in 1 run, saved 20", "--resume auto", "--restart"}
	s.refused(t, nil, there...)
	first := s.files(t)["c"]
	s.saved(t, restart)
	if all := s.files(t); len(all) != 2 || all["c.previous"] != first {
		t.Errorf("%d files", len(all))
	}
	s.refused(t, nil, there...)
	s.refused(t, func(p *run.Plan) { auto(p); restart(p) }, "--restart: --resume continues")
	s.refused(t, func(p *run.Plan) { own(p); restart(p) }, "--restart: --resume continues")
	s.refused(t, func(p *run.Plan) { auto(p); p.Checkpoint = "" }, "--resume: auto: expected --checkpoint")
	s.refused(t, func(p *run.Plan) { restart(p); p.Checkpoint = "" }, "--restart: nothing to overwrite")
	if err := os.Remove(s.plan.Checkpoint); err != nil { // between two renames of a run that was killed
		t.Fatal(err)
	}
	s.refused(t, nil, s.plan.Checkpoint+".previous: there is a checkpoint of uts")
	if r := s.saved(t, auto); r.Resumed == nil {
		t.Error("the one before was not taken")
	}
	s.put(t, "", nil) // an empty file is not a checkpoint
	if err := os.Remove(s.plan.Checkpoint + ".previous"); err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	s.saved(t, nil)
}

// One command can start every job of a chain: it resumes the checkpoint if there is one.
func TestResumeAuto(t *testing.T) {
	s := newSaves(t)
	if r := s.saved(t, auto); r.Resumed != nil || len(s.told) != 1 || s.told[0] != "there is no checkpoint in "+s.plan.Checkpoint+"; the search starts at the beginning" {
		t.Errorf("%+v, %q", r.Resumed, s.told)
	}
	if r := s.saved(t, auto); r.Resumed == nil || r.Resumed.File != s.plan.Checkpoint || len(s.told) != 1 || !strings.HasPrefix(s.told[0], "the search resumes from "+s.plan.Checkpoint+": ") {
		t.Errorf("%+v, %q", r.Resumed, s.told)
	}
	good := []byte(s.files(t)["c"])
	spoilt := bytes.Clone(good)
	spoilt[len(good)/2] ^= 4
	s.put(t, "", spoilt)
	s.refused(t, nil, "there is a checkpoint of uts") // the previous one is complete
	if r := s.saved(t, auto); r.Resumed == nil || len(s.told) != 2 || !strings.Contains(strings.Join(s.told, "\n"), "damaged") {
		t.Errorf("%+v, %q", r.Resumed, s.told)
	}
	s.put(t, "", spoilt)
	s.put(t, ".previous", spoilt[:len(spoilt)/2])
	s.refused(t, nil, "there is a damaged checkpoint")
	s.refused(t, auto, "--resume: "+s.plan.Checkpoint+": the checkpoint is cut short or damaged")
	s.saved(t, restart)
}

// A file that is not a checkpoint is never overwritten, under any flags.
func TestForeignFilesStay(t *testing.T) {
	for _, end := range []string{"", ".previous", ".logs", ".lock"} {
		s := newSaves(t)
		s.put(t, end, []byte("p cnf 1 1\n1 0\n"))
		for _, change := range []func(*run.Plan){nil, auto, restart} {
			s.refused(t, change, s.plan.Checkpoint+end+": not written by ", "never overwritten (expected another name)")
		}
	}
}

// A checkpoint of another search is kept. The error names the flags that differ.
func TestCheckpointOfAnotherSearch(t *testing.T) {
	s := newSaves(t)
	s.saved(t, nil)
	params, _, _ := uts.FindSample("T1L")
	params.Seed, params.Depth = params.Seed+1, params.Depth+2
	s.work = &workloads.UTS{Params: params}
	s.refused(t, auto, "the checkpoint is of another search of uts: --root-seed is 29 there and 30 here, --depth is 13 there and 15 here")
	s.refused(t, own, "the checkpoint is of another search of uts")
	s.refused(t, nil, "there is a checkpoint of uts")
}

// Two runs cannot use one checkpoint file at the same time. Files of a killed run do not block
// later runs.
func TestTwoRunsOfOneCheckpoint(t *testing.T) {
	s := newSaves(t)
	s.put(t, ".lock", []byte("process 1 on a host that has crashed\n"))
	met := 0
	_, err := run.RunOnGoroutines(s.plan, s.work, run.Hooks{Interrupted: func() bool { return true }, Step: func(run.Step) {
		met++
		s.refused(t, nil, "--checkpoint: "+s.plan.Checkpoint+": another run writes it: process ", "the end of that run")
		s.refused(t, restart, "another run writes it")
		s.refused(t, auto, "another run writes it")
		if _, err := run.RunSimulation(mustMachine(t, "ncube2"), s.plan, s.work, run.Hooks{}); !errors.As(err, &run.InputError{}) {
			t.Errorf("simulated: %v", err)
		}
	}})
	if err != nil || met != 1 {
		t.Fatalf("%v, %d", err, met)
	}
	if all := s.files(t); len(all) != 1 {
		t.Errorf("%d files", len(all))
	}
	s.saved(t, auto)
}
