//go:build mpi

// Conform is one rank of the conformance suite over MPI. The test of package mpi builds it for each
// MPI and starts it with the launcher. Its first argument is the number of messages of the case
// that sends many. A second argument, "long" or "negative", names a misuse to make instead of
// running the suite. Rank 0 prints the library, the number of ranks and, at the end, "ok". An error
// ends all ranks with status 1.
package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"treesplit/comm"
	"treesplit/comm/commtest"
	"treesplit/mpi"
)

func main() {
	messages, err := strconv.Atoi(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	w, err := mpi.Init()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if len(os.Args) > 2 {
		err = checkMisuse(w, os.Args[2])
	} else {
		err = check(w, messages)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		w.Abort(1)
	}
	// The last check causes an error on purpose, so that Finalize returns this error.
	met := w.Err()
	if err := w.Finalize(); err != met {
		fmt.Fprintln(os.Stderr, "finalize:", err)
		os.Exit(1)
	}
	if w.Rank() == 0 {
		fmt.Printf("%s: %d ranks: error %q: ok\n", mpi.Library(), w.Size(), met)
	}
}

func check(w *mpi.World, messages int) error {
	if size, launched := mpi.Launched(); !launched || size != w.Size() {
		return fmt.Errorf("launched as %d ranks (%v), there are %d", size, launched, w.Size())
	}
	if name := mpi.Library(); !strings.Contains(name, "MPI") || strings.Contains(name, "\n") {
		return fmt.Errorf("library %q", name)
	}
	if _, err := mpi.Init(); err == nil {
		return fmt.Errorf("a second Init is no error")
	}
	if n := allocations(w); n > 0 {
		return fmt.Errorf("%v allocations per message", n)
	}
	// A barrier: allocations takes any message that arrives for its own message.
	if err := w.Sum([]int64{1}); err != nil {
		return err
	}
	return commtest.Rank(w, messages)
}

// checkMisuse makes one error on purpose, and checks that the transport refuses it with a text that
// gives the reason.
func checkMisuse(w *mpi.World, misuse string) error {
	m, why := comm.Message{To: -1}, "rank" // some MPIs have wildcards among the negative ranks
	if misuse == "long" {
		m, why = comm.Message{Body: make([]byte, 1<<31)}, "too long" // no page of it is ever touched
	}
	w.Send(m)
	if err := w.Err(); err == nil || !strings.Contains(err.Error(), why) {
		return fmt.Errorf("%s: %v", misuse, err)
	}
	return nil
}
