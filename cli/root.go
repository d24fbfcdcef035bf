package cli

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"treesplit/lb"
	"treesplit/mpi"
	"treesplit/run"
)

// The exit statuses (besides 10 and 20 of sat).
const (
	statusDone    = 0
	statusFailed  = 1
	statusInput   = 2 // usage or bad input
	statusStopped = 3 // by --timeout or a signal
)

// app is one run of the program.
type app struct {
	args           []string
	stdin          io.Reader
	stdout, stderr io.Writer
	status         int
	finish         func() error // ends MPI, when everything has been said
	call           *call        // as it was read; nil: it was not
	alone          bool         // the other ranks have left
	joined         bool         // the other ranks were told how this one was started, or will be
	trouble        error        // what went wrong beside the answer, told after it
}

// Main runs the program with the given arguments and returns its exit status.
// It must be called on the main goroutine, which MPI may need.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ignoreFileLimit()
	a := &app{args: args, stdin: stdin, stdout: stdout, stderr: stderr, finish: func() error { return nil }}
	root := a.root()
	root.SetArgs(args)
	if err := root.Execute(); err != nil {
		a.report(a.agreed(err))
	}
	if a.trouble != nil {
		a.report(a.trouble)
		a.status = statusFailed
	}
	if err := a.finish(); err != nil {
		a.report(err)
	}
	return a.status
}

// report prints an error as one line, on rank 0 alone, and sets the status. The
// other ranks leave with status 0 where the input is at fault, which rank 0 knows as
// well: a launcher that sees a rank fail ends the others, and rank 0 has to speak.
func (a *app) report(err error) {
	a.status = statusFailed
	if errors.As(err, &run.InputError{}) {
		a.status = statusInput
	}
	switch {
	case mpi.LaunchedRank() == 0:
		fmt.Fprintf(a.stderr, "treesplit: %v\n", err)
	case a.status == statusInput:
		a.status = statusDone
	}
}

// Command is the whole command line, for what is made of its help.
func Command() *cobra.Command { return (&app{}).root() }

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "treesplit VERB [flags] [input]",
		Short: "Parallel tree search under the load-balancing schemes of five papers",
		Long: `treesplit runs searches whose subproblems have unknown, uneven sizes on many
ranks and balances their load. Ranks are goroutines of one process (-n N) or,
where mpirun or srun starts the program, MPI processes.`,
		Example: `  treesplit gen php --n 8 | treesplit sat -
  treesplit uts --tree T3 -n 2 --scheme grr-m
  mpirun -n 4 treesplit uts --tree T1 --json`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknownCommand(cmd, "command", args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		PersistentPreRunE: func(cmd *cobra.Command, args []string) error {
			c := &call{Command: cmd, args: args}
			a.call = c
			for _, check := range []func() error{c.checkAlone, c.checkFinite, c.correctFlags, c.checkOutputs, c.checkNeeds, c.checkSchemeOptions} {
				if err := check(); err != nil {
					return err
				}
			}
			return nil
		},
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.SetIn(a.stdin)
	root.SetOut(a.stdout)
	if mpi.LaunchedRank() > 0 { // one rank prints help and versions
		root.SetOut(io.Discard)
	}
	root.SetErr(a.stderr)
	root.SetFlagErrorFunc(flagsError)
	searches := []searchCommand{a.sat(), a.puzzle(), a.uts()}
	for _, s := range searches {
		root.AddCommand(s.Command)
	}
	root.AddCommand(a.ring(), a.mapping(), a.objects(), a.gen(), a.check(), a.reproduce(), a.sweep(), a.reportVerb(), a.calibrate(searches), a.predict(searches), a.chaos(), a.version())
	root.Version = built().String()
	root.SetVersionTemplate("{{.Version}}")
	complete(root)
	return root
}

// arguments refuses any number of arguments but n, with usage as the hint.
func arguments(n int, usage string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == n {
			return nil
		}
		return run.InputError{Err: fmt.Errorf("%s: %d arguments: expected %s", cmd.Name(), len(args), usage)}
	}
}

// stopped reports whether a run was ended early by time or a signal.
func stopped(why lb.Reason) bool { return why == lb.Timeout || why == lb.Interrupted }

// underLauncher reports whether a launcher watches the exit status.
func underLauncher() bool {
	_, launched := mpi.Launched()
	return launched
}

// terminal returns w as a file, if it is one.
func file(w io.Writer) (*os.File, bool) {
	f, ok := w.(*os.File)
	return f, ok
}
