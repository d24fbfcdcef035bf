package proofs

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"treesplit/comm"
	"treesplit/internal/wire"
	"treesplit/spmd"
)

// Sizes of a round of Collect, in bytes. A rank sends about shipment bytes. It sends less if all
// ranks together would send more than shipments bytes.
const (
	shipment      = 1 << 20
	shipments     = 1 << 26
	leastShipment = 1 << 16
)

// Collect sends the streams of all ranks to the spool of rank 0, in rounds.
func (s *Spool) Collect(t comm.Transport) error {
	most := max(min(shipment, shipments/t.Size()), leastShipment)
	from := manifest{left: s.streams}
	if t.Rank() == 0 {
		from.left = nil // the streams of rank 0 are already there
	}
	arrived := make([][]*spooled, t.Size()) // by rank, then by the number of the stream on that rank
	for {
		data, err := from.pack(most)
		round := []int64{int64(len(data)), 0}
		if err = errors.Join(err, s.Failed()); err != nil {
			round[1] = 1
		}
		if failed := t.Max(round); failed != nil {
			return failed
		}
		if round[1] > 0 || round[0] == 0 {
			return spmd.AgreeOnError(t, err)
		}
		parts, err := t.Gather(0, data)
		if err != nil {
			return err
		}
		for rank, part := range parts {
			arrived[rank] = s.unpack(arrived[rank], part)
		}
	}
}

// manifest records which streams of a rank remain to be sent.
type manifest struct {
	left []*spooled
	at   int64 // number of bytes of left[0] that were sent
	sent int   // number of streams that were sent
}

// pack returns the next bytes, about limit, or no bytes at the end. The bytes are pieces of
// streams. Each piece has the number of its stream and its length before it.
func (m *manifest) pack(limit int) (data []byte, err error) {
	for len(m.left) > 0 && len(data) < limit {
		s := m.left[0]
		n := min(s.size-m.at, int64(limit-len(data)))
		if n > 0 {
			data = binary.AppendUvarint(data, uint64(m.sent))
			data = binary.AppendUvarint(data, uint64(n))
			from := len(data)
			data = append(data, make([]byte, n)...)
			if _, err := s.ReadAt(data[from:], m.at); err != nil {
				return nil, err
			}
			m.at += n
		}
		if m.at == s.size {
			m.left, m.at, m.sent = m.left[1:], 0, m.sent+1
		}
	}
	return data, nil
}

// unpack appends the bytes that another rank has packed to the streams of that rank.
func (s *Spool) unpack(streams []*spooled, data []byte) []*spooled {
	for in := wire.NewReader(data); len(in.Rest()) > 0; {
		number := in.Uvarint(uint64(len(streams) + skipped))
		block := in.Bytes(in.Uvarint(math.MaxUint64))
		if in.Err() != nil {
			s.mu.Lock()
			s.err = errors.Join(s.err, fmt.Errorf("internal error: a rank's logs have arrived damaged: %w", in.Err()))
			s.mu.Unlock()
			return streams
		}
		for uint64(len(streams)) <= number {
			streams = append(streams, s.stream())
		}
		s.append(streams[number], block)
	}
	return streams
}

// skipped bounds the number of consecutive empty streams, so that a damaged number does not fill
// the memory.
const skipped = 1 << 20
