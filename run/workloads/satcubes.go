package workloads

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"treesplit/run"
	"treesplit/sat"
	"treesplit/sat/cubes"
	"treesplit/search"
)

// Cubes are the options of rule cubes.
type Cubes struct {
	Cut    string // auto, or a cut as cubes.ParseCut reads it; "": auto
	Budget int64  // conflicts for the first try of a cube; 0: from samples, or cubes.DefaultBudget for a cut or cubes that are given
	Learn  string // one of LearnNames; "": the first
}

// The values of Cubes.Learn.
const (
	LearnPath   = "path"   // the solver begins at anchors; the tree is the same for any distribution
	LearnRank   = "rank"   // the solver keeps clauses over all cubes of a rank
	LearnShared = "shared" // as rank, and ranks exchange short clauses
)

// LearnNames lists the values of Cubes.Learn.
func LearnNames() []string { return []string{LearnPath, LearnRank, LearnShared} }

// autoCut is the cut that is chosen by samples.
const autoCut = "auto"

// checkCubes returns an error unless the options of rule cubes are valid.
func (w *SAT) checkCubes() error {
	if w.Cut != "" && w.Cut != autoCut {
		if _, err := cubes.ParseCut(w.Cut); err != nil {
			return run.FlagError("cut", err)
		}
	}
	if w.Learn != "" && !slices.Contains(LearnNames(), w.Learn) {
		return run.FlagError("learn", fmt.Errorf("unknown value %q: expected one of %s", w.Learn, strings.Join(LearnNames(), ", ")))
	}
	if w.Budget < 0 || w.Budget > mostBudget {
		return run.FlagError("budget", fmt.Errorf("%d conflicts: expected 1 to %d, or 0 for a budget chosen with the cut by samples, or %d for a cut or cubes that are given", w.Budget, int64(mostBudget), cubes.DefaultBudget))
	}
	return nil
}

// setLearning sets where the solvers of rule cubes keep what they learn.
func (w *SAT) setLearning() {
	w.cubes.Shared = w.Learn == LearnRank || w.Learn == LearnShared
	w.cubes.Exchange = w.Learn == LearnShared
}

// mostBudget bounds the budget of a cube.
const mostBudget = 1 << 32

// Cutting describes how rule cubes cuts.
type Cutting struct {
	Cut      string  `json:"cut"`
	Learn    string  `json:"learn"`
	Anchor   float64 `json:"anchor"` // the measure of anchors
	Budget   int64   `json:"budget"`
	Expected float64 `json:"expectedCubes"`   // estimated number of cubes; 0: no estimate
	Seconds  float64 `json:"expectedSeconds"` // estimated time on a usual machine, one rank; 0: no estimate
	Sampling float64 `json:"samplingSeconds"` // time that the samples took

	Conflicts int64   `json:"presearchConflicts"` // of the presearch; with auto, of the try
	Joined    int     `json:"presearchClauses"`   // clauses that joined the formula after it
	Presearch float64 `json:"presearchSeconds"`   // time of the presearch; 0 with auto, whose try serves as one
}

// pickCut chooses the cut for a formula, and guesses if the run is halted.
func (w *SAT) pickCut(f *sat.Formula, l run.Loading) {
	start := time.Now()
	one := cubes.Sample{Budget: cubes.DefaultBudget}
	if w.Cut == "" || w.Cut == autoCut {
		one = chooseCut(f, math.Inf(1), l)
	} else {
		one.Cut, _ = cubes.ParseCut(w.Cut)
		one.Cut, one.Cubes = cubes.WithAnchor(f, one.Cut, l.Halted)
	}
	if w.Budget > 0 {
		one.Budget = w.Budget
	}
	w.useCut(one, start)
	w.presearch = w.presearchTicks()
}

// useCut makes a cut the cut of the search. Its choice began at the given time.
func (w *SAT) useCut(one cubes.Sample, begun time.Time) {
	w.cubes = cubes.Options{Cut: one.Cut, Budget: one.Budget}
	w.setLearning()
	w.sample = &Cutting{Cut: one.Cut.String(), Learn: cmp.Or(w.Learn, LearnPath), Anchor: one.Cut.Anchor, Budget: one.Budget,
		Expected: one.Cubes, Seconds: one.Seconds, Sampling: time.Since(begun).Seconds()}
}

// cutField comes before the cut in an Identity.
const cutField = ", cut "

// resumeCut takes the cut, the budget and the length of the presearch of the checkpoint that the run resumes, if it has
// one and no flag names a cut or a budget. So a chain of runs chooses once.
func (w *SAT) resumeCut(l run.Loading) bool {
	if l.Resumed == nil || w.Cut != "" && w.Cut != autoCut || w.Budget > 0 {
		return false
	}
	_, text, _ := strings.Cut(l.Resumed(), cutField)
	tag, err := hex.DecodeString(text)
	if err != nil || len(tag) == 0 || tag[0]&listFlag != 0 {
		return false
	}
	if rest, err := w.takeCut(tag); err != nil || len(rest) > 0 {
		return false
	}
	c := w.cubes
	w.sample = &Cutting{Cut: c.Cut.String(), Learn: cmp.Or(w.Learn, LearnPath), Anchor: c.Cut.Anchor, Budget: c.Budget}
	return true
}

// cutTag returns what Encode of rule cubes puts before the formula.
func (w *SAT) cutTag() []byte {
	c := w.cubes.Cut
	tag := []byte{byte(c.Measure)}
	if w.listed != nil {
		tag[0] |= listFlag
	}
	tag = binary.BigEndian.AppendUint64(tag, math.Float64bits(c.Anchor))
	tag = binary.BigEndian.AppendUint64(tag, math.Float64bits(c.Cube))
	tag = binary.BigEndian.AppendUint64(tag, uint64(w.cubes.Budget))
	return w.appendList(binary.BigEndian.AppendUint64(tag, uint64(w.presearch)))
}

// describeCutTag returns the cut, the anchors, the budget and the presearch of a tag in hexadecimal digits. Another text stays as it is.
func describeCutTag(text string) string {
	tag, err := hex.DecodeString(text)
	if err != nil || len(tag) == 0 || tag[0]&listFlag != 0 {
		return text
	}
	var w SAT
	if rest, err := w.takeCut(tag); err != nil || len(rest) > 0 {
		return text
	}
	c := w.cubes.Cut
	anchors := cubes.Cut{Measure: c.Measure, Cube: c.Anchor}
	text = fmt.Sprintf("%v with anchors at %v and a budget of %d", c, anchors, w.cubes.Budget)
	if w.presearch > 0 {
		text += fmt.Sprintf(" after a presearch of %d ticks", w.presearch)
	}
	return text
}

// takeCut reads the tag and returns the data after it.
func (w *SAT) takeCut(data []byte) ([]byte, error) {
	const size = 1 + 4*8
	if len(data) < size || int(data[0]&^listFlag) >= len(cubes.MeasureNames()) {
		return nil, errors.New("the encoded formula does not begin with a cut")
	}
	in, numbers := bytes.NewReader(data[1:size]), [4]uint64{}
	if err := binary.Read(in, binary.BigEndian, &numbers); err != nil {
		return nil, err
	}
	if numbers[2] == 0 || numbers[2] > mostBudget {
		return nil, errors.New("the encoded formula has an invalid budget")
	}
	cut := cubes.Cut{Measure: cubes.Measure(data[0] &^ listFlag), Anchor: math.Float64frombits(numbers[0]), Cube: math.Float64frombits(numbers[1])}
	if !cut.IsSound() {
		return nil, fmt.Errorf("the encoded formula has the invalid cut %v with anchors at %v: expected finite numbers, and anchors at or above the cubes", cut, cut.Anchor)
	}
	if numbers[3] > mostPresearchTicks {
		return nil, fmt.Errorf("the encoded formula has a presearch of %d ticks: expected at most %d", numbers[3], int64(mostPresearchTicks))
	}
	w.presearch = int64(numbers[3])
	w.cubes = cubes.Options{Cut: cut, Budget: int64(numbers[2])}
	w.setLearning()
	if data[0]&listFlag == 0 {
		return data[size:], nil
	}
	return w.takeList(data[size:])
}

// cubesProblem is the search of a formula by rule cubes.
type cubesProblem struct {
	satProblem
	cut   string // the tag
	split *cubes.Rule
}

// newCubes returns the search of a formula by rule cubes.
func (w *SAT) newCubes(f satFormula) (run.Problem, error) {
	if w.cubes.Shared {
		f.addField("learn", w.Learn)
	}
	f.tag = append(f.tag[:len(f.tag):len(f.tag)], w.cutTag()...)
	w.cubes.Parities = w.parities()
	split := cubes.New(f.formula, w.cubes)
	if split.HasParities() && !w.summed {
		f.addField(w.paritiesField())
	}
	return cubesProblem{satProblem{f, split}, string(w.cutTag()), split}, nil
}

// Identity returns the rule, the cut, and a digest of the searched formula.
func (p cubesProblem) Identity() string {
	if p.cut[0]&listFlag != 0 {
		return fmt.Sprintf("%s"+cutField+"%x", p.satProblem.Identity(), sha256.Sum256([]byte(p.cut)))
	}
	return fmt.Sprintf("%s"+cutField+"%x", p.satProblem.Identity(), p.cut)
}

// Flags returns the flags of the command line that define the search.
func (p cubesProblem) Flags() map[string]string {
	flags := p.satProblem.Flags()
	if p.cut[0]&listFlag != 0 {
		flags["cut"] = "the cubes of the file, or --budget,"
	}
	return flags
}

// Count returns the counts of a share.
func (p cubesProblem) Count(work search.Work) run.Counts {
	share := work.(*sat.Search)
	c := share.Counts()
	return run.Counts{
		Sums:   []int64{SATConflicts: c.Conflicts, SATSolutions: c.Solutions, SATCubes: c.Cubes, SATGiven: c.Split, SATSteps: c.Steps, SATTaken: share.TakenIn(), SATRefuted: c.Refuted},
		Maxima: []int64{SATDepth: c.MaxDepth},
	}
}

// The keys of the numbers of cubes in results and in the progress.
const (
	CubesKey      = "cubes"              // cubes that the solver has decided
	CubesSplitKey = "cubesSplit"         // cubes that were given up and branched on
	RefutedKey    = "refutedByLookahead" // nodes that look-ahead has refuted before they were cubes
)

// WatchedSums implements run.Watched.
func (p cubesProblem) WatchedSums() map[string]int {
	return map[string]int{CubesKey: SATCubes, CubesSplitKey: SATGiven, RefutedKey: SATRefuted}
}
