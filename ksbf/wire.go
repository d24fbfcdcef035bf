package ksbf

import (
	"encoding/binary"
	"fmt"
)

// taskBytes is the size of a task in a message: level and credit in 4 bytes each, place and
// state in 8 bytes per word, the highest byte first.
const taskBytes = 4 + 4 + 4*8 + 2*8

// appendTask appends the encoding of a task.
func appendTask(dst []byte, t *Task) []byte {
	dst = binary.BigEndian.AppendUint32(dst, uint32(t.Level))
	dst = binary.BigEndian.AppendUint32(dst, uint32(t.Credit))
	for _, word := range t.Place {
		dst = binary.BigEndian.AppendUint64(dst, word)
	}
	for _, word := range t.State {
		dst = binary.BigEndian.AppendUint64(dst, word)
	}
	return dst
}

// decodeTask reads the encoding of appendTask; data has at least taskBytes bytes. The result
// may be no task of the workload.
func decodeTask(data []byte) (t Task) {
	t.Level = int32(binary.BigEndian.Uint32(data))
	t.Credit = int32(binary.BigEndian.Uint32(data[4:]))
	data = data[8:]
	for i := range t.Place {
		t.Place[i] = binary.BigEndian.Uint64(data[8*i:])
	}
	data = data[8*len(t.Place):]
	for i := range t.State {
		t.State[i] = binary.BigEndian.Uint64(data[8*i:])
	}
	return t
}

// offerTasks offers the tasks of a message's body to the processor. If one of them is no task
// of the workload, it returns an error and accepts none.
func (p *Processor) offerTasks(body []byte) error {
	if len(body) == 0 || len(body)%taskBytes != 0 {
		return fmt.Errorf("the body has %d bytes: expected tasks of %d bytes each", len(body), taskBytes)
	}
	for at := 0; at < len(body); at += taskBytes {
		p.offered = decodeTask(body[at:])
		if err := p.work.Check(&p.offered); err != nil {
			return err
		}
	}
	for at := 0; at < len(body); at += taskBytes {
		p.OfferTask(decodeTask(body[at:]))
	}
	return nil
}
