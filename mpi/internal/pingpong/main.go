//go:build mpi

// Pingpong measures the binding. Two ranks send eight bytes back and forth, first as a body and
// then as the Arg of a control message. Then they poll without success. For each measurement rank 0
// prints a line "name nanoseconds"; scripts/pingpong prints them beside the times of the same loops
// in C. The argument of the program is the number of round trips.
package main

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"time"

	"treesplit/comm"
	"treesplit/mpi"
)

// The printed number is the median over this number of blocks. Most blocks are shorter than the
// time for which another process takes the core.
const blocks = 50

func main() {
	trips, err := strconv.Atoi(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	w, err := mpi.Init()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if w.Size() != 2 {
		fmt.Fprintln(os.Stderr, "pingpong needs two ranks")
		w.Abort(2)
	}
	payload := make([]byte, 8)
	for _, c := range []struct {
		name string
		run  func(n int)
	}{
		{"body", func(n int) { pingPong(w, n, payload) }},
		{"control", func(n int) { pingPong(w, n, nil) }},
		{"poll", func(n int) { poll(w, n) }},
	} {
		each := make([]float64, blocks)
		for b := range each {
			barrier(w)
			start := time.Now()
			c.run(trips / blocks)
			each[b] = float64(time.Since(start).Nanoseconds()) / float64(trips/blocks)
		}
		if w.Rank() == 0 {
			slices.Sort(each)
			fmt.Printf("%s %.1f\n", c.name, each[blocks/2])
		}
	}
	if err := w.Finalize(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func barrier(w *mpi.World) {
	if err := w.Sum([]int64{0}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		w.Abort(1)
	}
}

// pingPong makes n round trips. A received body belongs to the receiver, so the rank sends back the
// body that it has received.
func pingPong(w *mpi.World, n int, body []byte) {
	m := comm.Message{To: int32(1 - w.Rank()), Body: body}
	for range n {
		if w.Rank() == 0 {
			w.Send(m)
		}
		got, ok := w.Recv(comm.Never)
		if !ok {
			fmt.Fprintln(os.Stderr, w.Err())
			w.Abort(1)
		}
		m.Body = got.Body
		if w.Rank() == 1 {
			w.Send(m)
		}
	}
}

// poll makes n polls that find no message.
func poll(w *mpi.World, n int) {
	for range n {
		if _, ok := w.TryRecv(); ok {
			fmt.Fprintln(os.Stderr, "a message that nobody sent")
			w.Abort(1)
		}
	}
}
