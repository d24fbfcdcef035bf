package objects

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// What ranks tell each other is numbers in the variable length of package encoding/binary,
// but for states and sums, which take 8 bytes, the lowest first.

var errShort = errors.New("breaks off")

// reader reads a body. After an error it reads zeros.
type reader struct {
	body []byte
	err  error
}

// number reads a number of at most limit.
func (r *reader) number(limit uint64) uint64 {
	x, n := binary.Uvarint(r.body)
	if n <= 0 {
		r.err = errShort
	} else if x > limit && r.err == nil {
		r.err = fmt.Errorf("%d: expected at most %d", x, limit)
	}
	if r.err != nil {
		return 0
	}
	r.body = r.body[n:]
	return x
}

// word reads a word of 8 bytes.
func (r *reader) word() uint64 {
	if len(r.body) < 8 {
		r.err = errShort
		return 0
	}
	x := binary.LittleEndian.Uint64(r.body)
	r.body = r.body[8:]
	return x
}

// more says that there is something left to read.
func (r *reader) more() bool { return r.err == nil && len(r.body) > 0 }

// measure is what a rank tells of an object after a phase.
type measure struct {
	object int32
	load   int64
	state  uint64
}

func appendMeasure(body []byte, m measure) []byte {
	body = binary.AppendUvarint(body, uint64(m.object))
	body = binary.AppendUvarint(body, uint64(m.load))
	return binary.LittleEndian.AppendUint64(body, m.state)
}

// readMeasures reads what a rank has measured in a phase of n objects.
func readMeasures(body []byte, n int) (t traffic, all []measure, err error) {
	r := reader{body: body}
	t.messages, t.bytes = int64(r.number(math.MaxInt64)), int64(r.number(math.MaxInt64))
	for r.more() {
		all = append(all, measure{int32(r.number(uint64(n - 1))), int64(r.number(math.MaxInt64)), r.word()})
	}
	return t, all, r.err
}

// appendObject writes an object between two phases, when it has all messages for its next
// iteration and none for a later one.
func appendObject(body []byte, o *object) []byte {
	in := *o.slot(o.iteration)
	body = binary.AppendUvarint(body, uint64(o.number))
	body = binary.AppendUvarint(body, uint64(o.iteration))
	body = binary.AppendUvarint(body, uint64(in.messages))
	body = binary.LittleEndian.AppendUint64(body, in.sum)
	return binary.LittleEndian.AppendUint64(body, o.state)
}

// readObjects reads objects of n.
func readObjects(body []byte, n int) (all []*object, err error) {
	r := reader{body: body}
	for r.more() {
		o := &object{number: int32(r.number(uint64(n - 1))), iteration: int32(r.number(maxIterations))}
		o.waiting = []arrived{{int32(r.number(uint64(n))), r.word()}}
		o.state = r.word()
		all = append(all, o)
	}
	return all, r.err
}

// appendMap writes the rank of every object.
func appendMap(body []byte, owner []int32) []byte {
	for _, q := range owner {
		body = binary.AppendUvarint(body, uint64(q))
	}
	return body
}

// readMap reads the ranks of n objects on p ranks.
func readMap(body []byte, n, p int) ([]int32, error) {
	r := reader{body: body}
	owner := make([]int32, n)
	for i := range owner {
		owner[i] = int32(r.number(uint64(p - 1)))
	}
	if r.err == nil && len(r.body) > 0 {
		r.err = fmt.Errorf("%d bytes after the last object", len(r.body))
	}
	return owner, r.err
}
