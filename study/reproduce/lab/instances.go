package lab

import (
	"fmt"
	"strings"
	"sync"

	"treesplit/sat"
	"treesplit/sat/gen"
	"treesplit/search/replay"
	"treesplit/uts"
)

// Instance is a formula, given by its generator: uniform random 3-SAT.
type Instance struct {
	Variables int     `json:"variables"`
	Ratio     float64 `json:"ratio"` // clauses per variable
	Seed      uint64  `json:"seed"`
}

// String returns the command that makes the instance.
func (i Instance) String() string {
	return fmt.Sprintf("gen random --n %d --ratio %v --seed %d", i.Variables, i.Ratio, i.Seed)
}

// MakeFormula makes the formula.
func (i Instance) MakeFormula() (*sat.Formula, error) {
	family, err := gen.FindFamily("random")
	if err != nil {
		return nil, err
	}
	f, _, err := family.MakeFormula(map[string]float64{"n": float64(i.Variables), "ratio": i.Ratio}, i.Seed)
	return f, err
}

// record records the formula's tree under rule paper.
func (i Instance) record() (*replay.Tree, error) {
	f, err := i.MakeFormula()
	if err != nil {
		return nil, err
	}
	return replay.RecordTree(sat.NewPaper(f).Shape(), replay.MaxNodes)
}

// sampleTree is a tree of the UTS benchmark, given by its name in the sample file.
type sampleTree string

func (name sampleTree) record() (*replay.Tree, error) {
	p, _, ok := uts.FindSample(string(name))
	if !ok {
		return nil, fmt.Errorf("%q: expected one of %s", string(name), strings.Join(uts.SampleNames(), ", "))
	}
	shape, err := uts.TreeShape(p)
	if err != nil {
		return nil, err
	}
	return replay.RecordTree(shape, replay.MaxNodes)
}

// forest keeps recorded trees. Each tree is recorded once, by the first cell that needs it, and
// shared.
type forest struct {
	mu    sync.Mutex
	trees map[seedling]func() (*replay.Tree, error)
}

// seedling identifies a tree and can make it. Seedlings can be compared.
type seedling interface {
	record() (*replay.Tree, error)
}

// recordedTree returns a recorded tree.
func (f *forest) recordedTree(i seedling) (*replay.Tree, error) {
	f.mu.Lock()
	if f.trees == nil {
		f.trees = map[seedling]func() (*replay.Tree, error){}
	}
	get := f.trees[i]
	if get == nil {
		get = sync.OnceValues(i.record)
		f.trees[i] = get
	}
	f.mu.Unlock()
	return get()
}

// RecordedTree returns the tree of a cell that names a formula or a tree of UTS. A lab records each
// tree once.
func (l *Lab) RecordedTree(c Cell) (*replay.Tree, error) { return c.recordedTree(&l.forest) }
