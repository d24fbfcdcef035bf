package workloads

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"treesplit/internal/wire"
	"treesplit/mapping"
	"treesplit/mapping/bb"
	"treesplit/run"
	"treesplit/search"
)

// Mapping is the workload of mapping objects to processors by branch and bound. Ranks share the
// best makespan.
type Mapping struct {
	Problem *mapping.Problem // on rank 0 only
	Start   mapping.Map      // a known map, or nil; the search looks for better maps only. On rank 0 only
	Options bb.Options       // Start overrides Upper if it is better

	// Better is called for every better makespan that a rank of this process finds or receives,
	// on that rank. Calls may overlap. nil: not called.
	Better func(makespan int64)

	instance *bb.Instance
}

// Indices of Mapping's numbers in Counts.Sums.
const (
	MappingExpanded = iota
	MappingPruned
	MappingSolutions // maps found that were better than all maps known to the rank
)

// The values of the flags of Mapping's options. The first is the default. Number i of MappingOrders and
// MappingBounds is bb's Order and Bound i; the second of the other two sets the option.
var (
	MappingOrders      = []string{"heaviest", "costly", "given"}
	MappingBounds      = []string{"admissible", "costliest", "printed"}
	MappingChildOrders = []string{"bound", "number"} // Numbered
	MappingSymmetries  = []string{"on", "off"}       // Symmetric
)

// mappingWire is the encoded problem that rank 0 sends to the other ranks.
type mappingWire struct {
	Problem *mapping.Problem
	Upper   int64
}

// Load prepares the problem for the search.
func (w *Mapping) Load() (run.Problem, error) {
	if w.Problem == nil {
		return nil, errors.New("no problem is set: expected a problem")
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

// Decode reads the problem that rank 0 has encoded.
func (w *Mapping) Decode(data []byte) (run.Problem, error) {
	var wire mappingWire
	if err := json.Unmarshal(data, &wire); err != nil {
		return nil, err
	}
	if wire.Problem == nil {
		return nil, errors.New("the encoded workload has no problem")
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
	return mappingProblem{in, wire, o, w.Start, w.Better}, nil
}

// Mapped is the result of a run.
type Mapped struct {
	Map      mapping.Map // the best map, or nil if neither the run nor Start has one
	Makespan int64       // of Map, in nanoseconds
	Lower    int64       // lower bound on the makespan of every map
}

// ReadResult returns the result of a run that Load has begun, on rank 0, and checks its map
// against the problem. If the run was stopped early, Lower is the bound at the root. Otherwise
// Lower is the makespan, reduced by the gap that Options.Narrow allows; it is the bound at the
// root if Options.Bound proves nothing.
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
	known := min(w.instance.UpperBound(), r.Bound) // a checkpoint may have a best makespan without its map
	if m.Map != nil {
		known = min(known, m.Makespan)
	}
	m.Lower = max(m.Lower, w.instance.ProvedBound(known))
	return m, nil
}

// mappingProblem is an instance with the data from which it was made.
type mappingProblem struct {
	instance *bb.Instance
	wire     mappingWire
	options  bb.Options
	start    mapping.Map // Mapping.Start
	better   func(makespan int64)
}

// Encode writes the problem and the best known makespan.
func (p mappingProblem) Encode() ([]byte, error) { return json.Marshal(p.wire) }

// Identity returns the options, except the known makespan, and a digest of the problem. The number is the version
// of the division into parts, which a checkpoint of a static start relies on.
func (p mappingProblem) Identity() string {
	o := p.options
	o.Upper = 0
	return fmt.Sprintf("map 2, options %+v, problem %s", o, run.ProblemDigest(mappingProblem{wire: mappingWire{Problem: p.wire.Problem}}))
}

// Flags returns the flags of the command line that define the search.
func (p mappingProblem) Flags() map[string]string {
	return map[string]string{
		"Bound": "--bound", "Order": "--sort", "Numbered": "--child-order", "Symmetric": "--symmetry", "Narrow": "--narrow",
		"problem": "the graph, or how it is read,",
	}
}

// FlagValue returns the value of a flag for a value of an option.
func (p mappingProblem) FlagValue(field, value string) string {
	names := map[string][]string{"Bound": MappingBounds, "Order": MappingOrders}
	switched := map[string][]string{"Numbered": MappingChildOrders, "Symmetric": MappingSymmetries}
	if i, err := strconv.Atoi(value); err == nil && i >= 0 && i < len(names[field]) {
		return names[field][i]
	}
	if i := slices.Index([]string{"false", "true"}, value); i >= 0 && len(switched[field]) > i {
		return switched[field][i]
	}
	return value
}

// Share returns a share of the search.
func (p mappingProblem) Share(split search.Splitting, root bool) search.Work {
	s := p.instance.NewSearch(split, root)
	if p.better == nil {
		return s
	}
	return watched{s, p.better}
}

// watched is a share that reports better makespans.
type watched struct {
	*bb.Search
	better func(makespan int64)
}

// report reports a makespan that is better than the bound before.
func (w watched) report(before int64) {
	if now := w.Bound(); now < before {
		w.better(now)
	}
}

// Expand expands nodes and reports better makespans.
func (w watched) Expand(limit int) (expanded int) {
	defer w.report(w.Bound())
	return w.Search.Expand(limit)
}

// Subtask expands nodes on the way to a subtask and reports better makespans.
func (w watched) Subtask(dst []byte, depth, limit int) (piece []byte, expanded int, ok bool) {
	defer w.report(w.Bound())
	return w.Search.Subtask(dst, depth, limit)
}

// Bisect expands nodes on the way to a part and reports better makespans.
func (w watched) Bisect(k int, part uint64) (own, others int) {
	defer w.report(w.Bound())
	return w.Search.Bisect(k, part)
}

// Tighten lowers the bound and reports a better makespan.
func (w watched) Tighten(value int64) {
	defer w.report(w.Bound())
	w.Search.Tighten(value)
}

// unwrapSearch returns the search inside a share that Share has made.
func unwrapSearch(w search.Work) *bb.Search {
	if w, ok := w.(watched); ok {
		return w.Search
	}
	return w.(*bb.Search)
}

// Count returns the counts of a share.
func (p mappingProblem) Count(w search.Work) run.Counts {
	c := unwrapSearch(w).Counts()
	return run.Counts{Sums: []int64{c.Expanded, c.Pruned, c.Solutions}}
}

// Witness returns the best map that a share has found, encoded, or nil.
func (p mappingProblem) Witness(w search.Work) []byte {
	m, _, ok := unwrapSearch(w).BestFoundMap()
	if !ok || p.options.Count {
		return nil
	}
	return encodeMap(m)
}

// Incumbent returns the start of the search, encoded, or nil.
func (p mappingProblem) Incumbent() []byte {
	if p.start == nil {
		return nil
	}
	return encodeMap(p.start)
}

// encodeMap encodes a map as a witness.
func encodeMap(m mapping.Map) []byte {
	data := []byte{mappingVersion}
	for _, q := range m {
		data = binary.AppendUvarint(data, uint64(q))
	}
	return data
}

// Value returns the makespan of the map in a witness.
func (p mappingProblem) Value(witness []byte) (int64, error) {
	m, err := checkedMap(p.wire.Problem, witness)
	if err != nil {
		return 0, err
	}
	return p.wire.Problem.EvaluateMap(m).Makespan, nil
}

// checkedMap decodes a witness and checks that it is a map of the problem.
func checkedMap(problem *mapping.Problem, witness []byte) (mapping.Map, error) {
	m, err := decodeMap(witness, len(problem.Objects))
	if err == nil {
		err = problem.CheckMap(m)
	}
	return m, err
}

// mappingVersion is the first byte of a witness.
const mappingVersion = 1

// decodeMap decodes the output of encodeMap. It does not check the processors.
func decodeMap(data []byte, objects int) (mapping.Map, error) {
	if len(data) == 0 || data[0] != mappingVersion {
		return nil, errors.New("the map has another version")
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
