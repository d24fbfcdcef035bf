package cli

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/pflag"

	"treesplit/cli/internal/units"
	"treesplit/mpi"
)

// ofCubesFile are the flags of sat that have a meaning with --cubes.
var ofCubesFile = []string{"cubes", "rule", "cut", "simplify", "relaxed", "log-level"}

// checkCubes returns an error for flags without a meaning with --cubes.
func (f *satFlags) checkCubes() (err error) {
	if f.cubesFile == "" {
		return nil
	}
	if size, _ := mpi.Launched(); size > 1 {
		return flagError("cubes", errors.New("cubes are written by one process: expected no MPI launcher"))
	}
	f.cmd.Flags().Visit(func(given *pflag.Flag) {
		if err == nil && !slices.Contains(ofCubesFile, given.Name) {
			err = flagError(given.Name, errors.New("--cubes writes cubes without a search: expected no other flags than --rule, --cut, --simplify off, --relaxed and --log-level"))
		}
	})
	return err
}

// writeCubes writes the cubes of a formula.
func (a *app) writeCubes(j satJob) (o outcome, err error) {
	log, err := a.newLogger(j.logLevel)
	if err != nil {
		return o, err
	}
	if err := checkPlaces(j.places(a)...); err != nil {
		return o, err
	}
	interrupted, ignore := listenForSignals(log, j.abandon)
	defer ignore()
	w, ok, err := j.formula.WriteCubes(j.cubesFile, interrupted)
	switch {
	case err != nil:
		return o, err
	case !ok:
		o.status = statusStopped
		_, err = fmt.Fprintln(a.stderr, "treesplit: no cubes were written: their search was interrupted")
		return o, err
	}
	text := fmt.Sprintf("%s at %s in %s; look-ahead has refuted %s", units.Things(w.Cubes, "cube"), w.Cut, j.cubesFile, units.Count(w.Refuted))
	if w.Models > 0 {
		text += fmt.Sprintf(" and satisfied %s", units.Count(w.Models))
	}
	_, err = fmt.Fprintf(a.stdout, "c %s\n", text)
	return o, err
}
