package objects

import (
	"encoding/binary"
	"fmt"
	"math"

	"treesplit/internal/wire"
)

// Ranks send each other numbers in the variable length of package encoding/binary, except states
// and sums, which take 8 bytes in little-endian order.

// measure is the report of a rank about one object after a phase.
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
	r := wire.NewReader(body)
	t.messages, t.bytes = int64(r.Uvarint(math.MaxInt64)), int64(r.Uvarint(math.MaxInt64))
	for len(r.Rest()) > 0 {
		all = append(all, measure{int32(r.Uvarint(uint64(n - 1))), int64(r.Uvarint(math.MaxInt64)), r.LittleEndian()})
	}
	return t, all, r.Err()
}

// appendObject writes an object between two phases, when it has all messages for its next
// iteration and none for a later one.
func appendObject(body []byte, o *object) []byte {
	in := *o.messageSlot(o.iteration)
	body = binary.AppendUvarint(body, uint64(o.number))
	body = binary.AppendUvarint(body, uint64(o.iteration))
	body = binary.AppendUvarint(body, uint64(in.messages))
	body = binary.LittleEndian.AppendUint64(body, in.sum)
	return binary.LittleEndian.AppendUint64(body, o.state)
}

// readObjects reads objects of n.
func readObjects(body []byte, n int) (all []*object, err error) {
	r := wire.NewReader(body)
	for len(r.Rest()) > 0 {
		o := &object{number: int32(r.Uvarint(uint64(n - 1))), iteration: int32(r.Uvarint(maxIterations))}
		o.waiting = []arrived{{int32(r.Uvarint(uint64(n))), r.LittleEndian()}}
		o.state = r.LittleEndian()
		all = append(all, o)
	}
	return all, r.Err()
}

// appendOwners writes the rank of every object.
func appendOwners(body []byte, owner []int32) []byte {
	for _, q := range owner {
		body = binary.AppendUvarint(body, uint64(q))
	}
	return body
}

// readOwners reads the ranks of n objects on p ranks.
func readOwners(body []byte, n, p int) ([]int32, error) {
	r := wire.NewReader(body)
	owner := make([]int32, n)
	for i := range owner {
		owner[i] = int32(r.Uvarint(uint64(p - 1)))
	}
	if left := len(r.Rest()); left > 0 {
		return nil, fmt.Errorf("%d bytes after the last object", left)
	}
	return owner, r.Err()
}
