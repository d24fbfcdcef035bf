package cubes

import (
	"encoding/binary"
	"errors"
	"math"

	"treesplit/internal/wire"
	"treesplit/sat"
)

// The choice of the cut on several workers. One worker chooses, as it does alone, but makes the next
// trials of a cut together with its team. It takes the results in their order, and ignores the results
// of trials that it would not have made alone. A trial is a function of the formula, the cut, the anchor
// and the limit, so the choice is the same for any number of workers.

// Team lets several workers answer questions at the same time. Each of them has an Assistant.
type Team interface {
	// Size returns the number of workers, at least 1. The asking worker is one of them.
	Size() int
	// Ask returns the answers to some questions, in their order. own answers the questions that the
	// asking worker takes. Answers may be missing or empty; then the asking worker finds them itself.
	Ask(questions [][]byte, own func(question []byte) (answer []byte)) (answers [][]byte)
}

// alone is the team of one worker. Its Ask is never called.
type alone struct{ Team }

// Size returns 1.
func (alone) Size() int { return 1 }

// Assistant answers the questions of Choose on another worker.
type Assistant struct{ *sampler }

// NewAssistant returns an assistant for Choose with the same arguments.
func NewAssistant(f *sat.Formula, m Measure, halted func() bool) *Assistant {
	return &Assistant{beginSampler(f, m, halted)}
}

// Answer makes the trial that a question describes, and returns the encoded result. It returns nil if
// the question does not fit the formula.
func (a *Assistant) Answer(data []byte) []byte {
	q, err := decodeQuestion(data, a.measure)
	if err != nil {
		return nil
	}
	t, err := a.makeTrial(q)
	if err != nil {
		return nil
	}
	return t.encode(nil)
}

// makeTrials makes some trials together with the team.
func (s *sampler) makeTrials(all []question) (trials []trial) {
	var answers [][]byte
	if s.team.Size() > 1 {
		var encoded [][]byte
		for _, q := range all {
			encoded = append(encoded, q.encode(nil))
		}
		answers = s.team.Ask(encoded, (&Assistant{s}).Answer)
	}
	for i, q := range all {
		var t trial
		if i >= len(answers) || t.decode(answers[i]) != nil {
			t = s.makeOwnTrial(q)
		}
		trials = append(trials, t)
	}
	return trials
}

// makeOwnTrial makes a trial on this worker.
func (s *sampler) makeOwnTrial(q question) trial {
	t, _ := s.makeTrial(q) // the path is from a dive, so there is no error
	return t
}

// encode appends the encoded question to dst: the anchor, the cube, the limit, and the literals.
func (q question) encode(dst []byte) []byte {
	for _, x := range [3]float64{q.cut.Anchor, q.cut.Cube, q.limit} {
		dst = binary.BigEndian.AppendUint64(dst, math.Float64bits(x))
	}
	for _, l := range q.path {
		dst = binary.AppendUvarint(dst, uint64(l))
	}
	return dst
}

// decodeQuestion decodes a question about cuts by a measure.
func decodeQuestion(data []byte, m Measure) (question, error) {
	r := wire.NewReader(data)
	q := question{cut: Cut{Measure: m}}
	for _, x := range [3]*float64{&q.cut.Anchor, &q.cut.Cube, &q.limit} {
		*x = math.Float64frombits(r.BigEndian())
	}
	for len(r.Rest()) > 0 {
		q.path = append(q.path, int32(r.Uvarint(math.MaxInt32)))
	}
	return q, r.Err()
}

// encode appends the encoded trial to dst: its numbers, and 1 if it is complete or else 0.
func (t trial) encode(dst []byte) []byte {
	for _, n := range [5]int64{t.way, t.look, t.ticks, t.cubes, t.conflicts} {
		dst = binary.AppendUvarint(dst, uint64(n))
	}
	if t.complete {
		return append(dst, 1)
	}
	return append(dst, 0)
}

// decode decodes a trial.
func (t *trial) decode(data []byte) error {
	r := wire.NewReader(data)
	for _, n := range [5]*int64{&t.way, &t.look, &t.ticks, &t.cubes, &t.conflicts} {
		*n = int64(r.Uvarint(math.MaxInt64))
	}
	complete := r.Uvarint(1)
	t.complete = complete == 1
	if len(r.Rest()) > 0 {
		return errors.New("a trial has data after its end")
	}
	return r.Err()
}
