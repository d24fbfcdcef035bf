// Fit fits structures of the simulated nCUBE/2 to the RP column of table 3 and to table 4 of Kumar,
// Grama and Rao, and prints every better point. Then it prints tables 3 to 5 with the best structure.
// docs/lab-notes.md describes the grid, the starting points and the rule of choice, which were written
// before the fit. It takes minutes, and keeps its simulations in the directory that is its argument,
// so that a second call of the same build continues.
package main

import (
	"context"
	"fmt"
	"os"

	"treesplit/study/reproduce/kumar"
	"treesplit/study/reproduce/lab"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: go run ./scripts/fit DIRECTORY")
		os.Exit(2)
	}
	if err := fitStructures(context.Background(), os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "fit:", err)
		os.Exit(1)
	}
}

// fitStructures prints the progress of the fit, the two best structures, and the tables of the best.
func fitStructures(ctx context.Context, dir string) error {
	l, err := lab.New(dir)
	if err != nil {
		return err
	}
	best, err := kumar.FitStructures(ctx, l, os.Stdout)
	if err != nil {
		return err
	}
	for i, f := range best {
		fmt.Printf("%d: %v\n", i+1, f)
	}
	s, err := kumar.BlindTables(ctx, l, best[0])
	for _, t := range s.Tables {
		fmt.Printf("\n%s\n", t.Title)
		if err := t.WriteCSV(os.Stdout); err != nil {
			return err
		}
	}
	for _, line := range s.Text {
		fmt.Printf("\n%s\n", line)
	}
	return err
}
