//go:build mpi

package mpi

// // noescape: a Send's body may stay on its stack. nocallback would be true, too,
// // but is checked at run time, which takes 3 ns, a tenth of a crossing.
// #cgo noescape ts_send_far
// #include "shim.h"
import "C"

import (
	"unsafe"

	"treesplit/comm"
)

// waitSlice is the longest time that a Recv stays in C, in nanoseconds. After it the Go part checks
// whether the moment to return has come.
const waitSlice = 10e6

// Send copies m into a buffer that MPI sends from. The length of m is limited to the largest number
// of bytes that an int counts, 2 GiB.
//
// A short body is copied to C memory here: cgo's check of a pointer argument would take longer than
// the copy.
func (w *World) Send(m comm.Message) {
	var code C.int
	if len(m.Body) <= C.TS_NEAR {
		if len(m.Body) > 0 {
			copy(unsafe.Slice((*byte)(unsafe.Pointer(&C.ts_out)), C.TS_NEAR), m.Body)
		}
		code = C.ts_send_near(C.int(m.To), C.int(m.Kind), C.int(w.epoch), C.int32_t(m.Tag), C.int64_t(m.Arg), C.int(len(m.Body)))
	} else {
		code = C.ts_send_far(C.int(m.To), C.int(m.Kind), C.int(w.epoch), C.int32_t(m.Tag), C.int64_t(m.Arg),
			unsafe.Pointer(unsafe.SliceData(m.Body)), C.int64_t(len(m.Body)))
	}
	if code < 0 {
		w.recordError()
		return
	}
	w.sent++
}

// TryRecv is one MPI_Test of the oldest of the receives that are posted ahead. An empty body
// arrives as nil.
func (w *World) TryRecv() (m comm.Message, ok bool) {
	if len(w.early) > 0 {
		return w.takeEarly(), true
	}
	switch C.ts_poll() {
	case C.TS_NOTHING:
		return m, false
	case C.TS_MESSAGE:
		w.readMessage(&m)
		return m, true
	}
	w.recordError()
	return m, false
}

// Recv waits in C, which spins, yields and sleeps briefly; see ts_wait.
func (w *World) Recv(until comm.Time) (m comm.Message, ok bool) {
	if len(w.early) > 0 {
		return w.takeEarly(), true
	}
	for left := comm.Time(waitSlice); w.err == nil; {
		if until != comm.Never {
			left = max(0, min(waitSlice, until-w.Now()))
		}
		switch C.ts_wait(C.int64_t(left)) {
		case C.TS_MESSAGE:
			w.readMessage(&m)
			return m, true
		case C.TS_NOTHING:
			if until != comm.Never && w.Now() >= until {
				return m, false
			}
		default:
			w.recordError()
		}
	}
	return m, false
}

// Sleep implements comm.Sleeper. MPI makes no progress on this rank meanwhile.
func (w *World) Sleep(until comm.Time) {
	if left := until - w.Now(); left > 0 {
		C.ts_sleep(C.int64_t(left))
	}
}

// NapAlways makes this rank nap for the given time between two polls whenever it waits for a message,
// and never spin.
func (w *World) NapAlways(nap comm.Time) { C.ts_nap_always(C.int64_t(nap)) }

// readMessage copies the message that C has received to m, which must be zero. It does not return
// the message, because a Message is copied through memory.
func (w *World) readMessage(m *comm.Message) {
	w.received++
	in := &C.ts_in
	m.From, m.To = int32(in.from), int32(w.rank)
	m.Kind, m.Tag, m.Arg = comm.Kind(in.kind), int32(in.tag), int64(in.arg)
	if in.length > 0 {
		m.Body = w.allocateBody(int(in.length))
		copy(m.Body, unsafe.Slice((*byte)(unsafe.Pointer(in.body)), int(in.length)))
	}
}

// allocateBody returns n bytes of unshared memory. Short bodies, of at most 256 bytes, are cut from
// slabs of 4 KiB. A slab lives as long as any of its bodies, so that one short body keeps at most 4
// KiB in memory.
func (w *World) allocateBody(n int) []byte {
	const slab, short = 4096, 256
	if n > short {
		return make([]byte, n)
	}
	if n > len(w.slab) {
		w.slab = make([]byte, slab)
	}
	b := w.slab[:n:n]
	w.slab = w.slab[n:]
	return b
}

// takeEarly returns the first of the early messages.
func (w *World) takeEarly() comm.Message {
	m := w.early[0]
	w.early = w.early[1:]
	if len(w.early) == 0 {
		w.early = nil
	}
	return m
}
