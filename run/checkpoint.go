package run

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
	"time"

	"treesplit/comm"
	"treesplit/lb"
	"treesplit/run/shares"
	"treesplit/search"
	"treesplit/spmd"
)

// Savable is a Problem whose search can be saved and resumed later.
type Savable interface {
	Problem
	// Identity returns one line that identifies the tree: what is searched, and the options that
	// change the tree. For an Iterated problem it identifies the first problem.
	Identity() string
}

// ProblemDigest returns a digest of the encoded problem, for use in its Identity.
func ProblemDigest(p Problem) string {
	data, err := p.Encode()
	if err != nil {
		return err.Error()
	}
	return fmt.Sprintf("%.16x", sha256.Sum256(data))
}

// checkSaves returns an error if the plan asks for checkpoints and the problem cannot be saved.
// The error is an InputError.
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

// resumePoint is the state that a run resumes: the state saved by the earlier runs or, within a
// run, by the earlier segments. A segment is the part of a search between two checkpoints.
type resumePoint struct {
	file       string                // the file that was read; "" within a run
	Checkpoint                       // its Pieces are on rank 0, and under schemes that deal on all ranks
	sizes      []search.Size         // of the pieces, in the same order
	kept       map[int]shares.Pieces // by rank: the pieces of the ranks of this process, if all ranks keep their own; or nil
	problem    Problem               // the problem of the step that resumes
	bounds     []int64               // of Steps; see Step.Bound
	warning    error                 // the file was damaged, and an older file was read instead; or nil
}

// keepPieces lets a rank keep its pieces.
func (f *resumePoint) keepPieces(p Plan, rank int, pieces [][]byte) error {
	if f.kept == nil {
		f.kept = map[int]shares.Pieces{}
	}
	var err error
	f.kept[rank], err = f.checkPieces(p, pieces)
	return err
}

// openResumePoint reads the checkpoint that the plan resumes, if any, and checks it against the
// problem. logs takes over the logs of earlier runs; it may be nil. The error is an InputError.
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
	if err := from.checkContents(p, problem); err != nil {
		return nil, FlagError("resume", from.nameFile(err))
	}
	if err := from.resumeLogs(logs); err != nil {
		return nil, FlagError("resume", err)
	}
	return from, nil
}

// measurePieces checks and measures the pieces, on the rank that has collected them.
func (f *resumePoint) measurePieces(p Plan) error {
	all, err := f.checkPieces(p, f.Pieces)
	f.sizes = all.Sizes
	return err
}

// checkPieces checks the pieces and returns them with their sizes.
func (f *resumePoint) checkPieces(p Plan, pieces [][]byte) (shares.Pieces, error) {
	return newShareSet(p, f.problem, f, nil).CheckPieces(pieces)
}

// totalWeight returns the sum of the weights of all pieces.
func (f *resumePoint) totalWeight() (sum float64) {
	for _, s := range f.sizes {
		sum += s.Weight
	}
	return sum
}

// countOpenNodes returns the number of open nodes in all pieces.
func (f *resumePoint) countOpenNodes() (sum int64) {
	for _, s := range f.sizes {
		sum += int64(s.Open)
	}
	return sum
}

// locateStep finds the step of the problem that the saved state belongs to.
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
			return fmt.Errorf("no step follows step %d: expected a step to resume", i+1)
		}
	}
	f.problem = problem
	value, err := checkStepFits(problem, f.Step, false)
	if err == nil && value != search.NoBound && value != f.Bound {
		err = fmt.Errorf("its best solution has value %d, and the best known value is %d: expected equal values", value, f.Bound)
	}
	return err
}

// checkStepFits checks that the step has as many counts as the problem. It returns the value of
// the best saved solution of an Optimising problem, or search.NoBound. whole means that the step
// is complete.
func checkStepFits(problem Problem, s SavedStep, whole bool) (value int64, err error) {
	c := problem.Count(problem.Share(search.DefaultSplitting, false))
	if len(s.Sums) != len(c.Sums) || len(s.Maxima) != len(c.Maxima) {
		return 0, fmt.Errorf("it has %d sums and %d maxima: expected %d and %d", len(s.Sums), len(s.Maxima), len(c.Sums), len(c.Maxima))
	}
	if err := checkStep(problem, Counts{s.Sums, s.Maxima}, s.Witness, whole); err != nil {
		return 0, err
	}
	if o, ok := problem.(Optimising); ok && s.Witness != nil {
		return o.Value(s.Witness)
	}
	return search.NoBound, nil
}

// bringResumePoint sends the resume point that rank 0 has read to all ranks.
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

// spreadPieces sends the pieces to all ranks if, under the scheme of the plan, each rank takes
// its part of them without a message.
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

// spreadSizes sends the sizes of the pieces to all ranks, so that not every rank measures every
// piece.
func (f *resumePoint) spreadSizes(t comm.Transport) error {
	data, err := json.Marshal(f.sizes)
	if err != nil {
		return err
	}
	if data, err = t.Broadcast(0, data); err != nil {
		return err
	}
	if err := json.Unmarshal(data, &f.sizes); err != nil || len(f.sizes) != len(f.Pieces) {
		return fmt.Errorf("%d pieces have %d sizes (%v): expected one size for each piece", len(f.Pieces), len(f.sizes), err)
	}
	return nil
}

// Resumed is the part of a Result about the earlier runs of the same search. The Result's numbers
// of nodes and messages include these runs. Its seconds, and the seconds of its ranks, are of
// this run alone.
type Resumed struct {
	File     string  `json:"file"`
	Sessions int     `json:"sessions"` // runs before this run
	Expanded int64   `json:"expanded"`
	Seconds  float64 `json:"seconds"`
}

// Saved is the part of a Result about the checkpoints of the run.
type Saved struct {
	File    string  `json:"file"`
	Count   int     `json:"count"`
	Pieces  int     `json:"pieces"`  // in the last checkpoint
	Seconds float64 `json:"seconds"` // that all checkpoints took, each from the halt until the search resumed
	Final   bool    `json:"final"`   // the run was ended early, and the last checkpoint holds its end
}

// saver saves the state of a run. On ranks other than 0 it only records that rank 0 saves.
type saver struct {
	store    Store
	path     string
	identity string
	before   Header // of the earlier runs
	saved    Saved
	since    comm.Time // when the run began or, after a checkpoint, resumed
	halted   comm.Time // when the run was halted for the checkpoint that is due; 0: not yet halted
	took     comm.Time // time of the last checkpoint, from the halt until the search resumed
	expanded int64     // nodes of the run at the last checkpoint
	failed   error     // error of the last checkpoint, which then does not exist; or nil

	repetition comm.Time // about how long ranks repeat nodes after the last checkpoint
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

// trySaving saves the run. If saving fails, the search continues. The error is reported at the
// end or, if the run is not ending now, as a note at once.
func (s *saver) trySaving(f *resumePoint, logs Spool, h Hooks, ends bool) {
	err := s.saveCheckpoint(f, logs)
	if err != nil && s.failed == nil && !ends && h.Log != nil {
		h.Log(0, err)
	}
	s.failed = err
	if h.Saved != nil {
		h.Saved(s.saved, err)
	}
}

// saveCheckpoint writes the logs of a proof, if any, and then the checkpoint. It runs on rank 0.
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

// programVersion returns the version of the program. It is information for people and is never
// compared.
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

// checkpointStep returns the step in the form of a checkpoint.
func (s Step) checkpointStep() SavedStep {
	return SavedStep{
		Sums: s.Counts.Sums, Maxima: s.Counts.Maxima, NamedSums: s.Named.Sums, NamedMaxima: s.Named.Maxima,
		Seconds: s.Seconds, Witness: s.Witness,
	}
}

// restoreStep returns a step from its form in a checkpoint.
func restoreStep(s SavedStep, bound int64) Step {
	return Step{
		Counts{slices.Clone(s.Sums), slices.Clone(s.Maxima)}, NamedCounts{maps.Clone(s.NamedSums), maps.Clone(s.NamedMaxima)},
		s.Seconds, s.Witness, bound, false,
	}
}

// getOn bounds the cost of checkpoints. Between two checkpoints the search runs for at least
// getOn times the time of the last checkpoint, with the repetition of nodes after it, even if
// checkpoints are due more often.
const getOn = 4

// haltOrPause wraps halt: it also pauses the run when a checkpoint is due, or when saveNow reports
// that the user has requested one; saveNow may be nil. It runs on rank 0, whose clock decides.
func (s *saver) haltOrPause(halt func() (lb.Reason, bool), every time.Duration, now func() comm.Time, saveNow func() bool) func() (lb.Reason, bool) {
	if every <= 0 && saveNow == nil {
		return halt
	}
	at := comm.Never
	if every > 0 {
		at = s.since + s.interval(comm.Time(every))
	}
	s.halted = 0
	return func() (lb.Reason, bool) {
		if why, ok := halt(); ok {
			return why, ok
		}
		t := now()
		if s.halted == 0 && t < at && (saveNow == nil || !saveNow()) {
			return lb.Paused, false
		}
		if s.halted == 0 {
			s.halted = t
		}
		return lb.Paused, true
	}
}

// noteSearchResumed notes that the search resumes after a checkpoint, which has begun at start unless the
// run was halted for it before.
func (s *saver) noteSearchResumed(start, now comm.Time) {
	if s.halted > 0 {
		start = s.halted
		s.took = now - start
	}
	s.saved.Seconds += toSeconds(now - start)
	s.since = now
}
