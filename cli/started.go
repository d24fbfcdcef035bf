package cli

import (
	"errors"
	"slices"

	"github.com/spf13/pflag"

	"treesplit/mpi"
	"treesplit/run"
)

// ofOneRank are flags that may differ between ranks.
var ofOneRank = []string{"help", "ranks", "progress", "log-level"}

// started is how this rank was started, for comparison with the others.
func (a *app) started() *run.Started {
	a.joined = true
	s := run.NewStarted()
	if a.call == nil {
		return s
	}
	s.Command, s.Arguments, s.Flags = a.call.CommandPath(), a.call.args, map[string]string{}
	a.call.Flags().VisitAll(func(f *pflag.Flag) {
		if !slices.Contains(ofOneRank, f.Name) {
			s.Flags[f.Name] = f.Value.String()
		}
	})
	return s
}

// agreed brings an error of this rank's command line to the others of a launcher, which
// may have none and would wait for it, and returns what all ranks report.
func (a *app) agreed(err error) error {
	size, launched := mpi.Launched()
	if !launched || size < 2 || !mpi.Built || a.joined || a.alone || !errors.As(err, &run.InputError{}) {
		return err
	}
	s := a.started()
	s.Failed = err.Error()
	a.finish, err = run.AgreeOnFailure(s)
	return err
}
