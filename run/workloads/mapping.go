package workloads

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"treesplit/internal/wire"
	"treesplit/mapping"
	"treesplit/mapping/bb"
	"treesplit/run"
	"treesplit/search"
)

// Mapping is the workload of mapping objects onto processors by branch and bound, with
// the best makespan shared between ranks.
type Mapping struct {
	Problem *mapping.Problem // on rank 0 alone
	Start   mapping.Map      // a map that is known, or nil; only better ones are looked for. On rank 0 alone
	Options bb.Options       // Upper is overruled by Start, where that is better

	// Better is told of every better makespan that a rank of this process finds or hears
	// of, by that rank, so that calls may overlap; nil: nobody is.
	Better func(makespan int64)

	instance *bb.Instance
}

// Places of Mapping's numbers in Counts.Sums.
const (
	MappingExpanded = iota
	MappingPruned
	MappingSolutions // maps met that were better than all that the rank knew of
)

// mappingWire is what rank 0 tells the others.
type mappingWire struct {
	Problem *mapping.Problem
	Upper   int64
}

// Load makes the problem ready for searching.
func (w *Mapping) Load() (run.Problem, error) {
	if w.Problem == nil {
		return nil, errors.New("nothing to be mapped: expected a problem")
	}
	upper := w.Options.Upper
	if w.Start != nil {
		if err := cmp.Or(w.Problem.Check(), w.Problem.CheckMap(w.Start)); err != nil {
			return nil, err
		}
		if makespan := w.Problem.EvaluateMap(w.Start).Makespan; upper == 0 || makespan < upper {
			upper = makespan
		}
	}
	return w.newProblem(mappingWire{w.Problem, upper})
}

// Decode reads what rank 0 has encoded.
func (w *Mapping) Decode(data []byte) (run.Problem, error) {
	var wire mappingWire
	if err := json.Unmarshal(data, &wire); err != nil {
		return nil, err
	}
	if wire.Problem == nil {
		return nil, errors.New("no problem")
	}
	return w.newProblem(wire)
}

func (w *Mapping) newProblem(wire mappingWire) (run.Problem, error) {
	o := w.Options
	o.Upper = wire.Upper
	in, err := bb.New(wire.Problem, o)
	if err != nil {
		return nil, err
	}
	w.instance = in
	return mappingProblem{in, wire, o, w.Better}, nil
}

// Mapped is what a run has found.
type Mapped struct {
	Map      mapping.Map // nil if neither the run nor Start has one
	Makespan int64       // of Map
	Lower    int64       // no map takes less
}

// ReadResult reads the result of a run that Load has begun, on rank 0, and checks its map
// against the problem. Where the run was stopped early Lower is what holds before any
// object is placed; where it was not, it is the makespan, less what Options.Narrow
// leaves and unless Options.Bound proves nothing.
func (w *Mapping) ReadResult(r *run.Result) (Mapped, error) {
	m := Mapped{Map: w.Start, Lower: w.instance.LowerBound()}
	if r.Witness != nil {
		found, err := checkedMap(w.Problem, r.Witness)
		if err != nil {
			return m, fmt.Errorf("internal error: %w", err)
		}
		m.Map = found
	}
	if m.Map != nil {
		m.Makespan = w.Problem.EvaluateMap(m.Map).Makespan
	}
	if r.StoppedEarly() || w.Options.Count {
		return m, nil
	}
	known := w.instance.UpperBound()
	if m.Map != nil {
		known = min(known, m.Makespan)
	}
	m.Lower = max(m.Lower, w.instance.ProvedBound(known))
	return m, nil
}

// mappingProblem is an instance with what it was made of.
type mappingProblem struct {
	instance *bb.Instance
	wire     mappingWire
	options  bb.Options
	better   func(makespan int64)
}

// Encode writes the problem and the best makespan known.
func (p mappingProblem) Encode() ([]byte, error) { return json.Marshal(p.wire) }

// Identity has the options, except for the makespan that is known, and a digest of the problem.
func (p mappingProblem) Identity() string {
	o := p.options
	o.Upper = 0
	return fmt.Sprintf("map, options %+v, problem %s", o, run.ProblemDigest(mappingProblem{wire: mappingWire{Problem: p.wire.Problem}}))
}

// Flags returns the flags of the command line that make the search.
func (p mappingProblem) Flags() map[string]string {
	return map[string]string{
		"Bound": "--bound", "Order": "--sort", "Numbered": "--child-order", "Symmetric": "--symmetry", "Narrow": "--narrow",
		"problem": "the graph, or how it is read,",
	}
}

// Share returns a share of the search.
func (p mappingProblem) Share(split search.Splitting, root bool) search.Work {
	s := p.instance.NewSearch(split, root)
	if p.better == nil {
		return s
	}
	return watched{s, p.better}
}

// watched is a share that tells of better makespans.
type watched struct {
	*bb.Search
	better func(makespan int64)
}

// Expand is Search's.
func (w watched) Expand(limit int) (expanded int) {
	before := w.Bound()
	expanded = w.Search.Expand(limit)
	if now := w.Bound(); now < before {
		w.better(now)
	}
	return expanded
}

// Tighten is Search's.
func (w watched) Tighten(value int64) {
	before := w.Bound()
	w.Search.Tighten(value)
	if now := w.Bound(); now < before {
		w.better(now)
	}
}

// unwrapSearch is the share that Share has made.
func unwrapSearch(w search.Work) *bb.Search {
	if w, ok := w.(watched); ok {
		return w.Search
	}
	return w.(*bb.Search)
}

// Count returns what a share has counted.
func (p mappingProblem) Count(w search.Work) run.Counts {
	c := unwrapSearch(w).Counts()
	return run.Counts{Sums: []int64{c.Expanded, c.Pruned, c.Solutions}}
}

// Witness is the best map that a share has found.
func (p mappingProblem) Witness(w search.Work) []byte {
	m, _, ok := unwrapSearch(w).BestFoundMap()
	if !ok || p.options.Count {
		return nil
	}
	data := []byte{mappingVersion}
	for _, q := range m {
		data = binary.AppendUvarint(data, uint64(q))
	}
	return data
}

// Value is the makespan of the map of a witness.
func (p mappingProblem) Value(witness []byte) (int64, error) {
	m, err := checkedMap(p.wire.Problem, witness)
	if err != nil {
		return 0, err
	}
	return p.wire.Problem.EvaluateMap(m).Makespan, nil
}

// checkedMap reads a witness and checks that it is a map of the problem.
func checkedMap(problem *mapping.Problem, witness []byte) (mapping.Map, error) {
	m, err := decodeMap(witness, len(problem.Objects))
	if err == nil {
		err = problem.CheckMap(m)
	}
	return m, err
}

// mappingVersion begins a witness.
const mappingVersion = 1

// decodeMap reads what Witness wrote. The processors are yet to be checked.
func decodeMap(data []byte, objects int) (mapping.Map, error) {
	if len(data) == 0 || data[0] != mappingVersion {
		return nil, errors.New("a map of another version")
	}
	m, in := make(mapping.Map, objects), wire.NewReader(data[1:])
	for i := range m {
		m[i] = int32(in.Uvarint(math.MaxInt32))
		if in.Err() != nil {
			return nil, fmt.Errorf("a map: object %d of %d: %w", i, objects, in.Err())
		}
	}
	return m, nil
}
