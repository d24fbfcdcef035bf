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

// startedAs describes how this rank was started, for comparison with the other ranks.
func (a *app) startedAs() *run.Started {
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

// agreeOnError sends an error of this rank's command line to the other ranks of a launcher, which
// may have no error and would wait for this rank. It returns the error that all ranks report.
func (a *app) agreeOnError(o outcome, err error) (outcome, error) {
	size, launched := mpi.Launched()
	if !launched || size < 2 || !mpi.Built || o.endMPI != nil || o.othersLeft || !errors.As(err, &run.InputError{}) {
		return o, err
	}
	s := a.startedAs()
	s.Failed = err.Error()
	o.endMPI, err = run.AgreeOnFailure(s)
	return o, err
}
