//go:build mpi

// Conform is one rank of the conformance suite over MPI; the test of package mpi
// builds it for each MPI and starts it by the launcher. Its argument is the
// number of messages of the case that sends many; after it, "long" or "negative"
// names one misuse to make in place of the suite. Rank 0 prints the library, the ranks and, at the end,
// "ok"; an error ends all ranks with status 1.
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
	// The checks end with an error that is meant, so what Finalize returns is that.
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
	// A barrier: the count above takes whatever message comes for its own.
	if err := w.Sum([]int64{1}); err != nil {
		return err
	}
	return commtest.Rank(w, messages)
}

// checkMisuse makes one error on purpose: it is refused, in words that say why.
func checkMisuse(w *mpi.World, misuse string) error {
	m, why := comm.Message{To: -1}, "rank" // some MPIs have wildcards among the negative ranks
	if misuse == "long" {
		m, why = comm.Message{Body: make([]byte, 1<<31)}, "too long" // not a page of it is ever touched
	}
	w.Send(m)
	if err := w.Err(); err == nil || !strings.Contains(err.Error(), why) {
		return fmt.Errorf("%s: %v", misuse, err)
	}
	return nil
}
