package objects

import (
	"fmt"
	"slices"

	"treesplit/comm"
	"treesplit/mapping"
)

// root is the part of rank 0 in the run: it begins stages, and maps the objects again between two
// phases.
type root struct {
	ready  int       // number of ranks that have finished the stage
	since  comm.Time // when the phase began
	phase  Phase     // in progress
	states []uint64
	heard  []bool // by object: its measurement of this phase has arrived
	report Report
}

func newRoot(objects, ranks int) *root {
	return &root{states: make([]uint64, objects), heard: make([]bool, objects)}
}

// handleReady handles the measurements of a rank. After the last rank it begins the next stage.
func (r *Rank) handleReady(env comm.Env, body []byte) error {
	if isPhaseStage(r.stage) {
		if err := r.root.takeMeasures(body); err != nil {
			return err
		}
	}
	if r.root.ready++; r.root.ready < env.Size() {
		return nil
	}
	r.root.ready = 0
	switch {
	case !isPhaseStage(r.stage):
		r.root.openPhase(r.owner, env.Now())
		return r.beginStageOnAll(env, nil)
	case slices.Contains(r.root.heard, false):
		return fmt.Errorf("object %d is on no rank", slices.Index(r.root.heard, false))
	}
	p := r.root.closePhase(r.config, env)
	if len(r.root.report.Phases) == r.config.Benchmark.Phases {
		r.root.report.Checksum = checksumStates(r.root.states)
		r.finishRun(env, 0)
		return nil
	}
	next, err := r.remapObjects(p)
	if err != nil {
		return err
	}
	return r.beginStageOnAll(env, appendOwners(nil, next))
}

// beginStageOnAll begins the next stage on all ranks.
func (r *Rank) beginStageOnAll(env comm.Env, body []byte) error {
	for q := 1; q < env.Size(); q++ {
		env.Send(comm.Message{To: int32(q), Kind: comm.Go, Tag: r.stage + 1, Body: slices.Clone(body)})
	}
	return r.beginStage(env, body)
}

// openPhase begins a phase.
func (t *root) openPhase(owner []int32, now comm.Time) {
	t.since = now
	clear(t.heard)
	t.phase.Map, t.phase.Loads = slices.Clone(owner), make([]int64, len(owner))
}

// takeMeasures records the measurements of a rank.
func (t *root) takeMeasures(body []byte) error {
	sent, all, err := readMeasures(body, len(t.heard))
	if err != nil {
		return err
	}
	t.phase.Messages += sent.messages
	t.phase.Bytes += sent.bytes
	for _, m := range all {
		if t.heard[m.object] {
			return fmt.Errorf("object %d is on two ranks", m.object)
		}
		t.heard[m.object] = true
		t.phase.Loads[m.object], t.states[m.object] = m.load, m.state
	}
	return nil
}

// closePhase ends a phase and returns its measurements as a mapping problem.
func (t *root) closePhase(c Config, env comm.Env) *mapping.Problem {
	t.phase.Time = env.Now() - t.since
	p := c.Benchmark.MappingProblem(env.Size(), &t.phase, c.Costs)
	e := p.EvaluateMap(t.phase.Map)
	t.phase.Costs, t.phase.Makespan, t.phase.Comp = e.Cost, e.Makespan, e.Comp
	t.report.Phases = append(t.report.Phases, t.phase)
	t.phase = Phase{}
	return p
}

// remapObjects maps the objects again for the next phase.
func (r *Rank) remapObjects(p *mapping.Problem) (mapping.Map, error) {
	now := mapping.Map(r.owner)
	next := slices.Clone(now)
	if err := p.Check(); err != nil {
		return nil, fmt.Errorf("what was measured: %w", err)
	}
	if r.config.Remap != nil {
		var err error
		if next, err = r.config.Remap(p, slices.Clone(now)); err != nil {
			return nil, err
		}
		if err := p.CheckMap(next); err != nil {
			return nil, fmt.Errorf("the new map: %w", err)
		}
	}
	t := &r.root.phase
	t.Predicted = p.EvaluateMap(next).Makespan
	for i := range next {
		if next[i] != now[i] {
			t.Moved++
		}
	}
	return next, nil
}
