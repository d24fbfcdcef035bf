//go:build mpi

// Pingpong measures the binding: two ranks send eight bytes to and fro, as a body
// and as the Arg of a control message, and then poll without success. Rank 0 prints a line
// of "name nanoseconds" for each; scripts/pingpong sets them beside the same loops
// in C. Its argument is the number of round trips.
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

// What is printed is the median over so many blocks: most of them are shorter than
// the time that another process on the machine takes from this one.
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

// pingPong makes n round trips. A body is the receiver's, so it is the one that
// has come which goes back.
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

// poll makes n polls that find nothing.
func poll(w *mpi.World, n int) {
	for range n {
		if _, ok := w.TryRecv(); ok {
			fmt.Fprintln(os.Stderr, "a message that nobody sent")
			w.Abort(1)
		}
	}
}
