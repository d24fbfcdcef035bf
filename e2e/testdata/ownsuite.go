//go:build mpi

// This file is built into the examples by a test: it makes one run under every scheme within
// one start of MPI, since starting takes longer than a run. Its arguments are -suite and
// schemes; rank 0 prints what each run has found, as lines of JSON.
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"treesplit/mpi"
	"treesplit/run"
)

func init() {
	if len(os.Args) < 2 || os.Args[1] != "-suite" {
		return
	}
	w, err := mpi.Init()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fail := func(err error) {
		fmt.Fprintf(os.Stderr, "rank %d: %v\n", w.Rank(), err)
		w.Abort(1)
	}
	for _, scheme := range os.Args[2:] {
		p := run.DefaultPlan(w.Size())
		p.Scheme = scheme
		r, err := run.RunOn(w, p, suiteProblem(), run.Hooks{}, fail)
		if err != nil {
			fail(err)
		}
		if r != nil { // on rank 0
			json.NewEncoder(os.Stdout).Encode(map[string]any{
				"scheme": r.Scheme, "ranks": r.Ranks, "reason": r.Reason, "expanded": r.Expanded,
				"sums": r.Counts.Sums, "witness": json.RawMessage(r.Witness),
			})
		}
	}
	if err := w.Finalize(); err != nil {
		fmt.Fprintln(os.Stderr, "finalize:", err)
		os.Exit(1)
	}
	os.Exit(0)
}
