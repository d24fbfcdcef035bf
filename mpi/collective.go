//go:build mpi

package mpi

// #include "shim.h"
import "C"

import (
	"errors"
	"fmt"
	"math"
	"unsafe"
)

// A collective of more than maxCollectiveBytes bytes is refused: MPI counts in ints, and some
// libraries compute offsets in ints. All ranks refuse together.
const maxCollectiveBytes = math.MaxInt32

// collectiveBuffer returns C memory for n elements. The memory is valid until the next call with
// the same index.
func collectiveBuffer[T byte | int32 | int64](index C.int, n int) ([]T, error) {
	var zero T
	p := C.ts_buffer(index, C.int64_t(n)*C.int64_t(unsafe.Sizeof(zero)))
	if p == nil {
		return nil, errors.New("MPI: there is no memory for a collective")
	}
	return unsafe.Slice((*T)(p), n), nil
}

// wait makes a call into C that waits for other ranks. It records and returns its error, if there is one.
func (w *World) wait(call func() C.int) error {
	defer w.waits.begin()()
	if call() >= 0 {
		return nil
	}
	w.recordError()
	return w.err
}

// checkRange returns an error for a collective of more bytes than MPI can count.
func checkRange(what string, bytes int64) error {
	if bytes > maxCollectiveBytes {
		return fmt.Errorf("MPI: %s of %d bytes is too large: at most %d", what, bytes, maxCollectiveBytes)
	}
	return nil
}

// Broadcast is MPI_Bcast: of the length, then of the data.
func (w *World) Broadcast(root int, data []byte) ([]byte, error) {
	n, err := collectiveBuffer[int64](C.TS_OUT, 1)
	if err != nil {
		return nil, err
	}
	n[0] = int64(len(data))
	if err := w.wait(func() C.int { return C.ts_broadcast(C.int(root), 8) }); err != nil {
		return nil, err
	}
	length := n[0]
	if err := checkRange("a broadcast", length); err != nil {
		return nil, err
	}
	out, err := collectiveBuffer[byte](C.TS_OUT, int(length))
	if err != nil {
		return nil, err
	}
	if w.rank == root {
		copy(out, data)
	}
	if err := w.wait(func() C.int { return C.ts_broadcast(C.int(root), C.int64_t(length)) }); err != nil {
		return nil, err
	}
	return append([]byte(nil), out...), nil
}

// Gather is MPI_Gatherv. Before it all ranks get all lengths, because their sum may be too large for MPI.
func (w *World) Gather(root int, data []byte) ([][]byte, error) {
	lengths, err := w.shareLength(len(data))
	if err != nil {
		return nil, err
	}
	total := int64(0)
	for _, n := range lengths {
		total += n
	}
	if err := checkRange("a gather", total); err != nil {
		return nil, err
	}
	counts, err1 := collectiveBuffer[int32](C.TS_COUNTS, 2*w.size)
	out, err2 := collectiveBuffer[byte](C.TS_OUT, len(data))
	room := 0 // only the root receives
	if w.rank == root {
		room = int(total)
	}
	in, err3 := collectiveBuffer[byte](C.TS_IN, room)
	if err := errors.Join(err1, err2, err3); err != nil {
		return nil, err
	}
	copy(out, data)
	for r, n := range lengths {
		counts[r] = int32(n)
	}
	if err := w.wait(func() C.int { return C.ts_gather(C.int(root), C.int64_t(len(data))) }); err != nil {
		return nil, err
	}
	if w.rank != root {
		return nil, nil
	}
	parts := make([][]byte, w.size)
	for r, n := range lengths {
		parts[r] = append([]byte(nil), in[:n]...)
		in = in[n:]
	}
	return parts, nil
}

// shareLength returns the lengths of all ranks.
func (w *World) shareLength(n int) ([]int64, error) {
	out, err1 := collectiveBuffer[int64](C.TS_OUT, 1)
	in, err2 := collectiveBuffer[int64](C.TS_IN, w.size)
	if err := errors.Join(err1, err2); err != nil {
		return nil, err
	}
	out[0] = int64(n)
	if err := w.wait(func() C.int { return C.ts_share_length() }); err != nil {
		return nil, err
	}
	return append([]int64(nil), in...), nil
}

// Sum is MPI_Allreduce with MPI_SUM.
func (w *World) Sum(v []int64) error { return w.reduceValues(v, C.TS_SUM) }

// Max is MPI_Allreduce with MPI_MAX.
func (w *World) Max(v []int64) error { return w.reduceValues(v, C.TS_MAX) }

// ExclusiveScan is MPI_Exscan.
func (w *World) ExclusiveScan(v []int64) error {
	err := w.reduceValues(v, C.TS_EXSCAN)
	if w.rank == 0 {
		clear(v) // MPI leaves it undefined
	}
	return err
}

func (w *World) reduceValues(v []int64, how C.int) error {
	if err := checkRange("a reduction", 8*int64(len(v))); err != nil {
		return err
	}
	out, err1 := collectiveBuffer[int64](C.TS_OUT, len(v))
	in, err2 := collectiveBuffer[int64](C.TS_IN, len(v))
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	copy(out, v)
	if err := w.wait(func() C.int { return C.ts_reduce(C.int64_t(len(v)), how) }); err != nil {
		return err
	}
	copy(v, in)
	return nil
}

// AllToAll is MPI_Alltoall.
func (w *World) AllToAll(v []int64) ([]int64, error) {
	if len(v)%w.size != 0 {
		return nil, fmt.Errorf("MPI: AllToAll of %d elements among %d ranks: not a multiple", len(v), w.size)
	}
	if err := checkRange("an all-to-all", 8*int64(len(v))); err != nil {
		return nil, err
	}
	out, err1 := collectiveBuffer[int64](C.TS_OUT, len(v))
	in, err2 := collectiveBuffer[int64](C.TS_IN, len(v))
	if err := errors.Join(err1, err2); err != nil {
		return nil, err
	}
	copy(out, v)
	if err := w.wait(func() C.int { return C.ts_all_to_all(C.int64_t(len(v) / w.size)) }); err != nil {
		return nil, err
	}
	return append([]int64(nil), in...), nil
}
