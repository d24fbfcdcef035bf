package run

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"time"

	"treesplit/comm"
	"treesplit/lb"
	"treesplit/run/shares"
	"treesplit/search"
	"treesplit/spmd"
)

// Savable is a Problem whose search can be saved and go on later.
type Savable interface {
	Problem
	// Identity says in a line what is searched, and how, as far as it makes the tree. Of an
	// Iterated problem it is that of the first.
	Identity() string
}

// ProblemDigest returns a digest of what a problem encodes, for its Identity.
func ProblemDigest(p Problem) string {
	data, err := p.Encode()
	if err != nil {
		return err.Error()
	}
	return fmt.Sprintf("%.16x", sha256.Sum256(data))
}

// checkSaves refuses checkpoints where there can be none; the error is an InputError.
func checkSaves(p Plan, problem Problem) error {
	if p.Checkpoint == "" && p.Resume == "" {
		return nil
	}
	flag := "checkpoint"
	if p.Checkpoint == "" {
		flag = "resume"
	}
	if _, ok := problem.(Savable); !ok {
		return FlagError(flag, errors.New("this computation cannot be saved: expected a search"))
	}
	return nil
}

// resumePoint is what a run goes on from: what was saved of the runs before it, or, within a
// run, of the segments before this one. A segment is the part of a search between two checkpoints.
type resumePoint struct {
	file       string                // that was read; "" within a run
	Checkpoint                       // Pieces: on rank 0, and on all under schemes that deal
	sizes      []search.Size         // of the pieces
	kept       map[int]shares.Pieces // by rank, of those of this process, where all keep their own; or nil
	problem    Problem               // the step to go on with
	bounds     []int64               // of Steps; see Step.Bound
	warning    error                 // the file was damaged, and an older one taken
}

// keepPieces has a rank keep its pieces.
func (f *resumePoint) keepPieces(p Plan, rank int, pieces [][]byte) error {
	if f.kept == nil {
		f.kept = map[int]shares.Pieces{}
	}
	var err error
	f.kept[rank], err = f.checkPieces(p, pieces)
	return err
}

// openResumePoint reads the checkpoint that the plan resumes, if any, and checks it against the
// problem. logs, or nil, takes over what the runs before have logged. The error is an InputError.
func openResumePoint(p Plan, problem Problem, logs Spool) (*resumePoint, error) {
	if err := checkSaves(p, problem); err != nil || p.Resume == "" {
		return nil, err
	}
	file, err := p.resumedFile()
	if err != nil {
		return nil, FlagError("resume", err)
	}
	if file == "" {
		return nil, nil
	}
	s, damage, err := p.Store.Load(file)
	if err != nil {
		return nil, FlagError("resume", err)
	}
	from := &resumePoint{file: file, Checkpoint: *s, warning: damage}
	if err := from.locateStep(problem); err != nil {
		return nil, FlagError("resume", fmt.Errorf("%s: %w", file, err))
	}
	if err := from.measurePieces(p); err != nil {
		return nil, FlagError("resume", fmt.Errorf("%s: %w", file, err))
	}
	if err := from.resumeLogs(logs); err != nil {
		return nil, FlagError("resume", err)
	}
	return from, nil
}

// measurePieces looks through the pieces, on the rank that has brought them together.
func (f *resumePoint) measurePieces(p Plan) error {
	all, err := f.checkPieces(p, f.Pieces)
	f.sizes = all.Sizes
	return err
}

// checkPieces looks through pieces and finds their sizes.
func (f *resumePoint) checkPieces(p Plan, pieces [][]byte) (shares.Pieces, error) {
	return newShareSet(p, f.problem, f, nil).CheckPieces(pieces)
}

// totalWeight is that of all pieces.
func (f *resumePoint) totalWeight() (sum float64) {
	for _, s := range f.sizes {
		sum += s.Weight
	}
	return sum
}

// countOpenNodes is the number of open nodes in all pieces.
func (f *resumePoint) countOpenNodes() (sum int64) {
	for _, s := range f.sizes {
		sum += int64(s.Open)
	}
	return sum
}

// warnOfDamage says that the checkpoint was damaged, on the rank that has read it.
func (h Hooks) warnOfDamage(from *resumePoint) {
	if from != nil && from.warning != nil && h.Log != nil {
		h.Log(0, from.warning)
	}
}

// locateStep finds the step that the state is in the middle of.
func (f *resumePoint) locateStep(problem Problem) error {
	if err := compareIdentities(f.Identity, problem.(Savable)); err != nil {
		return err
	}
	for i, s := range f.Steps {
		bound, err := checkStepFits(problem, s, true)
		if err != nil {
			return fmt.Errorf("step %d: %w", i+1, err)
		}
		f.bounds = append(f.bounds, bound)
		if problem = followingProblem(problem, Counts{s.Sums, s.Maxima}); problem == nil {
			return fmt.Errorf("nothing follows step %d: expected a step to go on with", i+1)
		}
	}
	f.problem = problem
	value, err := checkStepFits(problem, f.Step, false)
	if err == nil && value != search.NoBound && value != f.Bound {
		err = fmt.Errorf("its best solution is of value %d, and the best value known is %d: expected the same", value, f.Bound)
	}
	return err
}

// checkStepFits checks that there are as many counts as the problem has, and returns the value of the
// best solution saved of an Optimising one, or search.NoBound. whole is set if the step is over.
func checkStepFits(problem Problem, s SavedStep, whole bool) (value int64, err error) {
	c := problem.Count(problem.Share(search.DefaultSplitting, false))
	if len(s.Sums) != len(c.Sums) || len(s.Maxima) != len(c.Maxima) {
		return 0, fmt.Errorf("%d sums and %d maxima: expected %d and %d", len(s.Sums), len(s.Maxima), len(c.Sums), len(c.Maxima))
	}
	if err := checkStep(problem, Counts{s.Sums, s.Maxima}, s.Witness, whole); err != nil {
		return 0, err
	}
	if o, ok := problem.(Optimising); ok && s.Witness != nil {
		return o.Value(s.Witness)
	}
	return search.NoBound, nil
}

// bringResumePoint brings what rank 0 has read to all ranks.
func bringResumePoint(t comm.Transport, p Plan, problem Problem, logs Spool) (*resumePoint, error) {
	var from *resumePoint
	var err error
	if t.Rank() == 0 {
		from, err = openResumePoint(p, problem, logs)
	}
	if err := spmd.AgreeOnError(t, err); err != nil {
		return nil, InputError{err}
	}
	if p.Resume == "" {
		return nil, nil
	}
	var header []byte
	if from != nil {
		if header, err = json.Marshal(from.Header); err != nil {
			return nil, err
		}
	}
	if header, err = t.Broadcast(0, header); err != nil || len(header) == 0 {
		return nil, err
	}
	if t.Rank() != 0 {
		from = new(resumePoint)
		if err = json.Unmarshal(header, &from.Header); err == nil {
			err = from.locateStep(problem)
		}
	}
	if err := spmd.AgreeOnError(t, err); err != nil {
		return nil, err
	}
	return from, from.spreadPieces(t, p)
}

// spreadPieces brings the pieces to all ranks where the scheme has each of them take its part
// without a message.
func (f *resumePoint) spreadPieces(t comm.Transport, p Plan) error {
	if !lb.HasStaticStart(p.Scheme) {
		return nil
	}
	data, err := t.Broadcast(0, search.AppendPieces(nil, f.Pieces))
	if err != nil {
		return err
	}
	if f.Pieces, err = search.ParsePieces(data); err == nil {
		err = f.spreadSizes(t)
	}
	return spmd.AgreeOnError(t, err)
}

// spreadSizes brings their sizes too, so that not every rank looks through all of them.
func (f *resumePoint) spreadSizes(t comm.Transport) error {
	data, err := json.Marshal(f.sizes)
	if err != nil {
		return err
	}
	if data, err = t.Broadcast(0, data); err != nil {
		return err
	}
	if err := json.Unmarshal(data, &f.sizes); err != nil || len(f.sizes) != len(f.Pieces) {
		return fmt.Errorf("the sizes of %d pieces: %d, %v", len(f.Pieces), len(f.sizes), err)
	}
	return nil
}

// Resumed is what a Result says of the runs before it, whose nodes and messages its own
// numbers include; its seconds and those of its ranks are of this run alone.
type Resumed struct {
	File     string  `json:"file"`
	Sessions int     `json:"sessions"` // runs before this one
	Expanded int64   `json:"expanded"`
	Seconds  float64 `json:"seconds"`
}

// Saved is what a Result says of the checkpoints of the run.
type Saved struct {
	File    string  `json:"file"`
	Count   int     `json:"count"`
	Pieces  int     `json:"pieces"`  // in the last one
	Seconds float64 `json:"seconds"` // that all of them took, from the halt on
	Final   bool    `json:"final"`   // the run was ended early, and the last one is of its end
}

// saver saves the state of a run; on ranks other than 0 it only knows that somebody does.
type saver struct {
	store    Store
	path     string
	identity string
	before   Header // of the runs before
	saved    Saved
	since    comm.Time // when the run began, or went on after the last one
	halted   comm.Time // when the run was halted for the one that is due; 0: it was not yet
	took     comm.Time // the last one, from there until the search went on
	failed   error     // of the last checkpoint, which is not there then
}

func newCheckpointSaver(p Plan, problem Problem, from *resumePoint, now comm.Time) *saver {
	if p.Checkpoint == "" {
		return nil
	}
	s := &saver{store: p.Store, path: p.Checkpoint, identity: problem.(Savable).Identity(), since: now, saved: Saved{File: p.Checkpoint}}
	if from != nil {
		s.before = from.Header
	}
	return s
}

// trySaving saves the run. Where that fails the search goes on, and the error is told at the end, or
// at once where that is far away.
func (s *saver) trySaving(f *resumePoint, logs Spool, h Hooks, ends bool) {
	err := s.saveCheckpoint(f, logs)
	if err != nil && s.failed == nil && !ends && h.Log != nil {
		h.Log(0, err)
	}
	s.failed = err
}

// saveCheckpoint writes a file on rank 0, and what has been logged for a proof before that.
func (s *saver) saveCheckpoint(f *resumePoint, logs Spool) error {
	f.Identity, f.Version, f.Sessions = s.identity, programVersion(), s.before.Sessions+1
	if logs != nil {
		var err error
		if f.Logs, err = logs.Keep(s.path); err != nil {
			return fmt.Errorf("--checkpoint: %w", err)
		}
	}
	if err := s.store.Save(s.path, &f.Checkpoint); err != nil {
		return fmt.Errorf("--checkpoint: %w", err)
	}
	s.saved.Count++
	s.saved.Pieces = len(f.Pieces)
	return nil
}

// programVersion is that of the program, for people.
func programVersion() string {
	b, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	v := b.Main.Version
	for _, s := range b.Settings {
		if s.Key == "vcs.revision" {
			v += " " + s.Value
		}
	}
	return v
}

// checkpointStep is a step in the words of a checkpoint.
func (s Step) checkpointStep() SavedStep {
	return SavedStep{Sums: s.Counts.Sums, Maxima: s.Counts.Maxima, Seconds: s.Seconds, Witness: s.Witness}
}

// restoreStep is a step out of a checkpoint.
func restoreStep(s SavedStep, bound int64) Step {
	return Step{Counts{slices.Clone(s.Sums), slices.Clone(s.Maxima)}, s.Seconds, s.Witness, bound}
}

// getOn is how many times as long as the last checkpoint took the search goes on at least
// until the next one: however often it is to be saved, most of the time goes to the search.
const getOn = 4

// haltOrPause makes a run pause when a checkpoint is due, on rank 0, whose clock counts.
func (s *saver) haltOrPause(halt func() (lb.Reason, bool), every time.Duration, now func() comm.Time) func() (lb.Reason, bool) {
	if every <= 0 {
		return halt
	}
	at := s.since + max(comm.Time(every), getOn*s.took)
	s.halted = 0
	return func() (lb.Reason, bool) {
		if why, ok := halt(); ok {
			return why, ok
		}
		t := now()
		if t < at {
			return lb.Paused, false
		}
		if s.halted == 0 {
			s.halted = t
		}
		return lb.Paused, true
	}
}

// noteSearchResumed notes that the search goes on after a checkpoint.
func (s *saver) noteSearchResumed(now comm.Time) {
	if s.halted > 0 {
		s.took = now - s.halted
	}
	s.since = now
}
