package workloads

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"time"

	"treesplit/comm"
	"treesplit/lb"
	"treesplit/mapping"
	"treesplit/mapping/bb"
	"treesplit/run"
	"treesplit/spmd"
)

// Pairs improves a map by branch and bound on pairs of processors, as strategy pair-bb does, on
// all ranks. The pairs in one round of a tournament have no processor in common, so ranks can
// search them at the same time (package mapping/bb). After each round every rank applies the
// changes of all ranks, so that all ranks always hold the same map. Problem and Start are on rank
// 0 only. The other fields are the same on all ranks, except for the functions.
type Pairs struct {
	Problem *mapping.Problem
	Start   mapping.Map
	Seed    uint64
	Timeout time.Duration // 0: until no pair gives an improvement

	Load        func() error                        // called first, on rank 0, to set Problem and Start; nil: they are set already
	Interrupted func() bool                         // nil: never
	Better      func(m mapping.Map, makespan int64) // called on rank 0 for each better map, which the function may keep; nil: not called
}

// Paired is the result of a run of Pairs.
type Paired struct {
	Map mapping.Map
	Why lb.Reason // Exhausted if no pair gives an improvement, otherwise Timeout or Interrupted
}

// pairsWire is the encoded problem that rank 0 sends to the other ranks.
type pairsWire struct {
	Problem *mapping.Problem
	Start   mapping.Map
}

// pairsFound is the result of one rank in a round.
type pairsFound struct {
	Changes []bb.Change
	Why     lb.Reason // reason to end; Exhausted: none
}

// RunOnGoroutines runs on the given number of goroutine ranks in this process.
func (w *Pairs) RunOnGoroutines(ranks int) (Paired, error) {
	found, _, err := w.runOnRanks(ranks, false, run.Hooks{})
	return found, err
}

// RunUnderMPI runs with one rank in each process that the launcher has started, under the rules
// of run.RunUnderMPI. Every process must call finish last.
func (w *Pairs) RunUnderMPI(h run.Hooks) (found Paired, finish func() error, err error) {
	return w.runOnRanks(0, true, h)
}

func (w *Pairs) runOnRanks(ranks int, underMPI bool, h run.Hooks) (found Paired, finish func() error, err error) {
	_, finish, err = run.RunOnRanks(run.Plan{Ranks: ranks}, underMPI, h, func(t comm.Transport) error {
		one, err := w.RunOn(t)
		if underMPI || t.Rank() == 0 {
			found = one
		}
		return err
	})
	return found, finish, err
}

// RunOn runs one rank's part over a transport. Every rank must call it. Every rank gets the map,
// or the same InputError.
func (w *Pairs) RunOn(t comm.Transport) (Paired, error) {
	v, start, err := w.bringProblem(t)
	if err != nil {
		return Paired{}, err
	}
	why := func() lb.Reason {
		switch {
		case w.Interrupted != nil && w.Interrupted():
			return lb.Interrupted
		case w.Timeout > 0 && time.Since(start) >= w.Timeout:
			return lb.Timeout
		}
		return lb.Exhausted
	}
	stop := func() bool { return why() != lb.Exhausted }
	makespan := v.Makespan()
	tournament := bb.NewTournament(v)
	for round := uint64(0); ; round++ {
		pairs, ok := tournament.NextRound()
		if !ok {
			return Paired{v.CurrentMap(), lb.Exhausted}, nil
		}
		if len(pairs) == 0 {
			continue
		}
		found := pairsFound{Why: why()}
		for i := t.Rank(); i < len(pairs) && found.Why == lb.Exhausted; i += t.Size() {
			rng := rand.New(rand.NewPCG(w.Seed, round<<32|uint64(i)))
			found.Changes = append(found.Changes, v.SearchPair(pairs[i], tournament.Limits, rng, stop))
			found.Why = why()
		}
		over, err := exchangeChanges(t, found, tournament)
		if err != nil {
			return Paired{}, err
		}
		if now := v.Makespan(); now < makespan && t.Rank() == 0 && w.Better != nil {
			makespan = now
			w.Better(append(mapping.Map(nil), v.CurrentMap()...), now)
		}
		if over != lb.Exhausted {
			return Paired{v.CurrentMap(), over}, nil
		}
	}
}

// prepareProblem prepares the problem on rank 0, for itself and for the other ranks.
func (w *Pairs) prepareProblem() (v *bb.Improver, data []byte, err error) {
	if w.Load != nil {
		if err := w.Load(); err != nil {
			return nil, nil, err
		}
	}
	if w.Problem == nil {
		return nil, nil, errors.New("no problem is set: expected a problem")
	}
	if v, err = bb.NewImprover(w.Problem, w.Start); err != nil {
		return nil, nil, err
	}
	data, err = json.Marshal(pairsWire{w.Problem, w.Start})
	return v, data, err
}

// bringProblem sends the problem to all ranks. start is the time at which rank 0 had prepared it;
// the preparation does not count.
func (w *Pairs) bringProblem(t comm.Transport) (v *bb.Improver, start time.Time, err error) {
	var data []byte
	if t.Rank() == 0 {
		v, data, err = w.prepareProblem()
	}
	if err := spmd.AgreeOnError(t, err); err != nil {
		return nil, start, run.InputError{Err: err}
	}
	start = time.Now()
	if data, err = t.Broadcast(0, data); err != nil {
		return nil, start, err
	}
	if t.Rank() != 0 {
		var wire pairsWire // the ranks of one process share w, and only rank 0 may read it
		if err = json.Unmarshal(data, &wire); err == nil {
			v, err = bb.NewImprover(wire.Problem, wire.Start)
		}
	}
	return v, start, spmd.AgreeOnError(t, err)
}

// exchangeChanges applies the changes of all ranks, in the order of the ranks. It returns the
// reason to end; Exhausted means that the ranks continue.
func exchangeChanges(t comm.Transport, found pairsFound, tournament *bb.Tournament) (over lb.Reason, err error) {
	data, err := json.Marshal(found)
	if err != nil {
		return over, err
	}
	gathered, err := t.Gather(0, data)
	if err != nil {
		return over, err
	}
	if t.Rank() == 0 {
		raw := make([]json.RawMessage, len(gathered))
		for i, data := range gathered {
			raw[i] = data
		}
		if data, err = json.Marshal(raw); err != nil {
			return over, err
		}
	}
	if data, err = t.Broadcast(0, data); err != nil {
		return over, err
	}
	var all []pairsFound
	if err := json.Unmarshal(data, &all); err != nil {
		return over, err
	}
	for _, f := range all {
		over = max(over, f.Why)
		for _, c := range f.Changes {
			tournament.TakeChange(c)
		}
	}
	return over, nil
}
