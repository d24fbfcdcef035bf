package local

import (
	"bytes"
	"fmt"
)

// call is a collective operation that a rank has called; all ranks must call the same one.
type call struct {
	name   string
	root   int
	length int // length of the vectors; 0 if lengths may differ
}

func (c call) String() string {
	return fmt.Sprintf("%s (root %d, length %d)", c.name, c.root, c.length)
}

// meetAllRanks is a barrier. The last rank to arrive runs finish while the others wait, so that
// finish may read and write the data of every rank. The barrier itself takes O(1).
func (e *Endpoint) meetAllRanks(c call, finish func(w *World)) error {
	w := e.world
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.arrived == 0 {
		w.call = c
	}
	if c != w.call {
		w.recordFailure(fmt.Errorf("local: rank %d calls %v where another rank calls %v", e.rank, c, w.call))
		w.met.Broadcast()
	}
	if c.root < 0 || c.root >= len(w.ranks) {
		w.recordFailure(fmt.Errorf("local: %v: there are %d ranks", c, len(w.ranks)))
		w.met.Broadcast()
	}
	if w.arrived++; w.arrived == len(w.ranks) && w.Err() == nil {
		finish(w)
		w.arrived = 0
		w.rounds++
		w.met.Broadcast()
		return nil
	}
	// A completed collective stays completed, even if the world has failed since then.
	for round := w.rounds; w.rounds == round; w.met.Wait() {
		if err := w.Err(); err != nil {
			return err
		}
	}
	return nil
}

// Broadcast returns a copy of root's data. All ranks share this one copy, which must not be
// changed. No rank pays for a copy of its own.
func (e *Endpoint) Broadcast(root int, data []byte) ([]byte, error) {
	e.bytes = data
	err := e.meetAllRanks(call{name: "Broadcast", root: root}, func(w *World) {
		shared := bytes.Clone(w.ranks[root].bytes)
		for _, to := range w.ranks {
			to.bytes = shared[:len(shared):len(shared)]
		}
	})
	data, e.bytes = e.bytes, nil
	if err != nil {
		return nil, err
	}
	return data, nil
}

// Gather returns copies of every rank's data at root.
func (e *Endpoint) Gather(root int, data []byte) ([][]byte, error) {
	e.bytes = data
	err := e.meetAllRanks(call{name: "Gather", root: root}, func(w *World) {
		parts := make([][]byte, len(w.ranks))
		for r, from := range w.ranks {
			parts[r] = bytes.Clone(from.bytes)
		}
		w.ranks[root].parts = parts
	})
	parts := e.parts
	e.bytes, e.parts = nil, nil
	return parts, err
}

// Sum adds the vectors of all ranks. It takes O(P·len(v)) altogether.
func (e *Endpoint) Sum(v []int64) error {
	return e.reduceVectors("Sum", v, func(sum, v int64) int64 { return sum + v })
}

// Max takes the maximum of each element over all ranks. It takes O(P·len(v)) altogether.
func (e *Endpoint) Max(v []int64) error {
	return e.reduceVectors("Max", v, func(most, v int64) int64 { return max(most, v) })
}

func (e *Endpoint) reduceVectors(name string, v []int64, join func(a, b int64) int64) error {
	e.vector = v
	err := e.meetAllRanks(call{name: name, length: len(v)}, func(w *World) {
		total := w.ranks[0].vector
		for _, from := range w.ranks[1:] {
			for i, x := range from.vector {
				total[i] = join(total[i], x)
			}
		}
		for _, to := range w.ranks[1:] {
			copy(to.vector, total)
		}
	})
	e.vector = nil
	return err
}

// ExclusiveScan sums the vectors of the lower ranks. It takes O(P·len(v)) altogether.
func (e *Endpoint) ExclusiveScan(v []int64) error {
	e.vector = v
	err := e.meetAllRanks(call{name: "ExclusiveScan", length: len(v)}, func(w *World) {
		below := make([]int64, len(v))
		for _, to := range w.ranks {
			for i, x := range to.vector {
				to.vector[i] = below[i]
				below[i] += x
			}
		}
	})
	e.vector = nil
	return err
}

// AllToAll transposes the matrix of parts. It takes O(P·len(v)) altogether.
func (e *Endpoint) AllToAll(v []int64) ([]int64, error) {
	size := e.Size()
	if len(v)%size != 0 {
		err := fmt.Errorf("local: AllToAll of %d elements among %d ranks: not a multiple", len(v), size)
		e.world.FailAllRanks(err)
		return nil, err
	}
	part := len(v) / size
	e.vector = v
	err := e.meetAllRanks(call{name: "AllToAll", length: len(v)}, func(w *World) {
		for r, to := range w.ranks {
			got := make([]int64, 0, len(v))
			for _, from := range w.ranks {
				got = append(got, from.vector[r*part:(r+1)*part]...)
			}
			defer func() { to.vector = got }() // after the last part has been read
		}
	})
	v, e.vector = e.vector, nil
	if err != nil {
		return nil, err
	}
	return v, nil
}
