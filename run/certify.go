package run

import (
	"encoding/binary"
	"errors"
	"io"

	"treesplit/comm"
	"treesplit/lb"
	"treesplit/search"
	"treesplit/spmd"
)

// Certified is a Problem whose shares can keep logs of what they visit, which together
// prove that there is no witness.
type Certified interface {
	Problem
	// Logged says that they are to, the same on all ranks.
	Logged() bool
	// LogTo lets a share that has not begun keep a log, and gives each block of it, of some 64 KiB,
	// to sink. flush gives sink the rest; it is called when the share has ended.
	LogTo(w search.Work, sink func(block []byte)) (flush func())
}

// Prover is a Workload that makes a proof of the logs of all shares, on rank 0, when a
// run has gone through the whole tree, of so many nodes, without a witness.
type Prover interface {
	Workload
	Prove(logs []Stream, nodes int64, interrupted func() bool) error
}

// Stream is all that one share has logged.
type Stream interface {
	io.ReaderAt
	Size() int64
}

// conclude makes the proof of a run on the rank that has the result and all logs. What goes
// wrong is the result's trouble.
func (s *spool) conclude(w Workload, r *Result, h Hooks) {
	switch {
	case s == nil:
	case s.failed() != nil:
		r.addTrouble(s.failed())
	case provable(r):
		r.addTrouble(w.(Prover).Prove(s.logs(), r.Expanded, h.Interrupted))
	}
}

// provable says that a run has found that there is no witness.
func provable(r *Result) bool { return r != nil && r.Witness == nil && r.Why == lb.Exhausted }

// concludeOn brings the logs of ranks in different processes to rank 0, which makes the
// proof, while the others wait. What goes wrong with them is the result's trouble.
func (s *spool) concludeOn(t comm.Transport, w Workload, r *Result, h Hooks) error {
	if s == nil {
		return nil
	}
	err := spmd.Agree(t, s.failed())
	wanted := []int64{0}
	if err == nil && provable(r) {
		wanted[0] = 1
	}
	if err := t.Max(wanted); err != nil {
		return err
	}
	if wanted[0] == 1 {
		err = s.collect(t)
	}
	if r != nil && err != nil {
		r.addTrouble(err)
	} else if r != nil {
		s.conclude(w, r, h)
	}
	return t.Drain(nil) // which naps while it waits, as Agree does
}

// Of a round of collect: what a rank sends is about shipment bytes, and less where the
// shipments of all ranks would be more than shipments.
const (
	shipment      = 1 << 20
	shipments     = 1 << 26
	leastShipment = 1 << 16
)

// collect brings the streams of all ranks into the spool of rank 0, in rounds.
func (s *spool) collect(t comm.Transport) error {
	most := max(min(shipment, shipments/t.Size()), leastShipment)
	from := manifest{left: s.streams}
	if t.Rank() == 0 {
		from.left = nil // its own are there
	}
	arrived := make([][]*spooled, t.Size()) // by rank, then by the number that they have there
	for {
		data, err := from.pack(most)
		round := []int64{int64(len(data)), 0}
		if err = errors.Join(err, s.failed()); err != nil {
			round[1] = 1
		}
		if failed := t.Max(round); failed != nil {
			return failed
		}
		if round[1] > 0 || round[0] == 0 {
			return spmd.Agree(t, err)
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

// manifest says what of a rank's streams is still to be sent.
type manifest struct {
	left []*spooled
	at   int64 // how much of left[0] has been
	sent int   // streams that have been
}

// pack returns the next bytes, about limit, or none at the end: pieces of streams, each
// after the number of its stream and its length.
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

// unpack appends what another rank has packed to the streams that are its.
func (s *spool) unpack(streams []*spooled, data []byte) []*spooled {
	for len(data) > 0 {
		number, n := binary.Uvarint(data)
		length, m := binary.Uvarint(data[max(n, 0):])
		if n <= 0 || m <= 0 || length > uint64(len(data)-n-m) || number > uint64(len(streams)+skipped) {
			s.mu.Lock()
			s.err = errors.Join(s.err, errors.New("internal error: a rank's logs have arrived damaged"))
			s.mu.Unlock()
			return streams
		}
		for uint64(len(streams)) <= number {
			streams = append(streams, s.stream())
		}
		data = data[n+m:]
		s.append(streams[number], data[:length])
		data = data[length:]
	}
	return streams
}

// skipped bounds the streams in a row that may be empty, so that a damaged number does
// not fill the memory.
const skipped = 1 << 20
