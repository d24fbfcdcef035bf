package sim

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"treesplit/comm"
)

// past is an event with its whole history.
type past struct {
	event
	cause *past // nil: the beginning of the run
	index int   // among the effects of its cause
}

// comesBefore compares causes, then their causes, and so on: two events of the same moment come in the
// order of their causes, and effects of the same cause in the order of their indices.
func (p *past) comesBefore(o *past) bool {
	switch {
	case p.at != o.at:
		return p.at < o.at
	case p.cause == o.cause:
		return p.index < o.index
	case p.cause == nil || o.cause == nil:
		return p.cause == nil
	}
	return p.cause.comesBefore(o.cause)
}

// Trails compare events as whole histories do.
func TestTrailsReplaceHistories(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const quantum = 3
		c := causes{quantum: quantum}
		future := []*past{}
		schedule := func(cause *past) {
			now := comm.Time(0)
			if cause != nil {
				now = cause.at
				c.beginCause(&cause.event)
			}
			for i := range rapid.IntRange(0, 3).Draw(t, "effects") {
				at := now + comm.Time(rapid.SampledFrom([]int{0, 1, 2, 3, 3, 3, 4, 6}).Draw(t, "after"))
				future = append(future, &past{newEvent(at, c.trailOf(at), ready, none), cause, i})
			}
		}
		schedule(nil)
		for range 60 {
			if len(future) == 0 {
				return
			}
			next := slices.MinFunc(future, func(a, b *past) int {
				if a.comesBefore(b) != c.comesBefore(&a.event, &b.event) {
					t.Fatalf("%+v and %+v have another order than their causes", a.event, b.event)
				}
				if a.comesBefore(b) {
					return -1
				}
				return 1
			})
			future = slices.Delete(future, slices.Index(future, next), slices.Index(future, next)+1)
			schedule(next)
		}
	})
}
