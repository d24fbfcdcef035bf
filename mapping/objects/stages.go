package objects

import (
	"encoding/binary"
	"fmt"

	"treesplit/comm"
)

// isPhaseStage reports whether a stage is a phase.
func isPhaseStage(stage int32) bool { return stage%2 == 1 }

// Deliver handles a message.
func (r *Rank) Deliver(env comm.Env, m comm.Message) {
	var err error
	switch {
	case m.Kind == comm.Move:
		err = r.handleMove(m) // an object is never lost, even if the run ends
	case r.done:
	case m.Kind == comm.Parcel:
		err = r.handleParcel(m)
	case m.Kind == comm.Ready && env.Rank() == 0 && m.Tag == r.stage:
		err = r.handleReady(env, m.Body)
	case m.Kind == comm.Go && m.From == 0 && m.Tag == r.stage+1:
		err = r.beginStage(env, m.Body)
	case m.Kind == comm.Found && env.Rank() == 0:
		r.Halt(env, m.Arg)
	case m.Kind == comm.Stop && m.From == 0:
		r.finishRun(env, m.Arg)
	default:
		err = fmt.Errorf("expected no such message in stage %d", r.stage)
	}
	if err != nil {
		r.recordError(fmt.Errorf("%v from rank %d, tag %d, argument %d: %w", m.Kind, m.From, m.Tag, m.Arg, err))
	}
	r.reportStageEnd(env)
}

// skew bounds the number of iterations by which an object can be ahead of an object to which it
// sends. A partner of an object is at most one iteration behind it, and any object is at most
// three partner steps away from any other.
const skew = 3

// handleParcel takes in a message from an object on another rank.
func (r *Rank) handleParcel(m comm.Message) error {
	from, to := m.Arg>>32, m.Arg&(1<<32-1)
	n := int64(len(r.objects))
	if from < 0 || from >= n || to >= n || !r.config.Benchmark.hasPartner(int(from), int(to)) {
		return fmt.Errorf("object %d to %d: expected partners of %d", from, to, n)
	}
	o := r.objects[to]
	switch {
	case o == nil:
		return fmt.Errorf("object %d: it is on rank %d", to, r.owner[to])
	case m.Tag < max(o.iteration, 1) || m.Tag > o.iteration+skew || int(o.messageSlot(m.Tag).messages) >= len(r.offsets):
		return fmt.Errorf("object %d: it waits for no such message in iteration %d", to, o.iteration)
	case len(m.Body) != r.config.Benchmark.Bytes:
		return fmt.Errorf("%d bytes: expected %d", len(m.Body), r.config.Benchmark.Bytes)
	}
	r.receiveMessage(o, int(from), m.Tag, m.Body)
	if len(r.spare) < spares {
		r.spare = append(r.spare, m.Body)
	}
	return nil
}

// beginStage begins the next stage.
func (r *Rank) beginStage(env comm.Env, body []byte) error {
	if r.stage++; !isPhaseStage(r.stage) {
		owner, err := readOwners(body, len(r.objects), env.Size())
		if err != nil {
			return err
		}
		r.moveObjects(env, owner)
		return nil
	}
	r.limit += int32(r.config.Benchmark.Iterations)
	r.phase = traffic{}
	r.lacking = 0
	for _, o := range r.objects {
		if o != nil {
			o.load = 0
			r.lacking++
		}
	}
	r.due = r.lacking == 0
	for _, o := range r.objects {
		if o != nil {
			r.advanceObject(o)
		}
	}
	return nil
}

// moveObjects sends away the objects that must move, in one message per receiving rank.
func (r *Rank) moveObjects(env comm.Env, owner []int32) {
	r.owner = owner
	leaving := map[int32][]int{}
	r.lacking = 0
	for i, o := range r.objects {
		switch here := int(owner[i]) == env.Rank(); {
		case o != nil && !here:
			leaving[owner[i]] = append(leaving[owner[i]], i)
		case o == nil && here:
			r.lacking++
		}
	}
	for q := range int32(env.Size()) {
		if len(leaving[q]) == 0 {
			continue
		}
		var body []byte
		for _, i := range leaving[q] {
			body = appendObject(body, r.objects[i])
			r.objects[i] = nil
		}
		r.moved.messages += int64(len(leaving[q]))
		r.moved.bytes += int64(len(body))
		env.Send(comm.Message{To: q, Kind: comm.Move, Arg: int64(len(leaving[q])), Body: body})
	}
	r.due = r.lacking == 0
}

// handleMove receives objects. They may arrive before this rank has learned that objects move.
func (r *Rank) handleMove(m comm.Message) error {
	all, err := readObjects(m.Body, len(r.objects))
	if err != nil {
		return err
	}
	if int64(len(all)) != m.Arg {
		return fmt.Errorf("%d objects", len(all))
	}
	for _, o := range all {
		if r.objects[o.number] != nil {
			return fmt.Errorf("object %d: it is here", o.number)
		}
		r.objects[o.number] = o
		r.came++
		if !isPhaseStage(r.stage) { // it is not known yet which other objects will arrive
			r.lacking--
			r.due = r.lacking == 0
		}
	}
	return nil
}

// reportStageEnd reports to rank 0 that the stage has ended here, if it has.
func (r *Rank) reportStageEnd(env comm.Env) {
	if !r.due || r.done || r.halting {
		return
	}
	r.due = false
	body := r.encodeMeasures()
	if env.Rank() != 0 {
		env.Send(comm.Message{To: 0, Kind: comm.Ready, Tag: r.stage, Body: body})
		return
	}
	if err := r.handleReady(env, body); err != nil {
		r.recordError(err)
	}
	r.reportStageEnd(env) // the next stage may have ended at once
}

// encodeMeasures returns the measurements of the rank in a phase, or nothing after another stage.
func (r *Rank) encodeMeasures() []byte {
	if !isPhaseStage(r.stage) {
		return nil
	}
	body := binary.AppendUvarint(nil, uint64(r.phase.messages))
	body = binary.AppendUvarint(body, uint64(r.phase.bytes))
	for _, o := range r.objects {
		if o != nil {
			body = appendMeasure(body, measure{o.number, o.load, o.state})
		}
	}
	return body
}

// Halt requests an early end of the run. reason is above 0.
func (r *Rank) Halt(env comm.Env, reason int64) {
	if r.done || r.halting {
		return
	}
	r.halting = true
	if env.Rank() == 0 {
		r.finishRun(env, reason)
		return
	}
	env.Send(comm.Message{To: 0, Kind: comm.Found, Arg: reason})
}

// finishRun ends the run on this rank and, from rank 0, on all ranks.
func (r *Rank) finishRun(env comm.Env, reason int64) {
	if r.done {
		return
	}
	r.done, r.reason = true, reason
	if env.Rank() == 0 {
		for q := 1; q < env.Size(); q++ {
			env.Send(comm.Message{To: int32(q), Kind: comm.Stop, Arg: reason})
		}
	}
}

func (r *Rank) recordError(err error) {
	if r.err == nil {
		r.err = err
	}
}
