package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"treesplit/cli/internal/help"
	"treesplit/cli/internal/units"
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
	call           *call       // the command line; nil until it is parsed
	outcome        outcome     // of the command; set by withOutcome alone
	interrupted    func() bool // reports whether a signal asks the command to end; nil: no search listens
}

// Main runs the program with the given arguments and returns its exit status.
// It must be called on the main goroutine, which MPI may need.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ignoreFileLimit()
	a := &app{args: args, stdin: stdin, stdout: &answer{to: stdout}, stderr: stderr}
	root := a.rootCommand()
	root.SetArgs(joinLiveAddress(root, args))
	err := root.Execute()
	o, err := a.agreeOnError(a.outcome, err)
	return a.endProcess(o, a.addLostAnswer(err))
}

// reportError prints an error as one line, on rank 0 alone, and returns the exit status. After an
// input error, which rank 0 has too, the other ranks exit with status 0: a launcher ends all
// ranks if one fails, and rank 0 must print the error before. A rank that was built without MPI prints its error
// after a moment, if the launcher has not ended it: rank 0 may have another program, and wait for it.
func (a *app) reportError(err error) (status int) {
	status = statusFailed
	if errors.As(err, &run.InputError{}) {
		status = statusInput
	}
	alone := errors.Is(err, run.ErrWithoutMPI)
	if alone && mpi.LaunchedRank() > 0 {
		time.Sleep(aloneTime)
	}
	switch {
	case mpi.LaunchedRank() == 0, alone:
		fmt.Fprintf(a.stderr, "treesplit: %v\n", err)
	case status == statusInput:
		status = statusDone
	}
	return status
}

// aloneTime is the time in which a launcher ends the other ranks after an error of rank 0.
const aloneTime = time.Second

// Command returns the whole command line, from whose help manual pages are made.
func Command() *cobra.Command { return (&app{}).rootCommand() }

func (a *app) rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "treesplit COMMAND [flags] [input]",
		Short: "Parallel tree search under the load-balancing schemes of five papers",
		Long: `treesplit searches trees whose parts have unknown, uneven sizes on many ranks, and balances their load.
Ranks are goroutines of one process (-n N), MPI processes if mpirun or srun starts the program, or
ranks of a simulated machine (--machine).`,
		Example: `  treesplit gen php --n 8 | treesplit sat -
  treesplit uts --tree T3 -n 2 --scheme grr-m
  mpirun -n 4 treesplit uts --tree T1 --json`,
		Args: onlyCommands("command"),
		RunE: printHelp,
		PersistentPreRunE: func(cmd *cobra.Command, args []string) error {
			c := &call{Command: cmd, args: args}
			a.call = c
			for _, check := range []func() error{c.checkOneProcess, c.checkFinite, c.correctFlags, c.checkOutputs, c.checkNeeds, c.checkSchemeOptions} {
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
	root.SetFlagErrorFunc(explainFlagError)
	a.addCommands(root)
	root.Version = buildFacts().String()
	root.SetVersionTemplate("{{.Version}}")
	describeCompletion(root)
	if a.completes() {
		registerCompletions(root)
	}
	setExit(root, "done", exitStopped, help.Status{Code: statusSatisfiable, Meaning: "sat: satisfiable"}, help.Status{Code: statusUnsatisfiable, Meaning: "sat: unsatisfiable"})
	help.Install(root, a.helpWidth)
	return root
}

// addCommands adds all commands to root, in groups, and the topics of help.
func (a *app) addCommands(root *cobra.Command) {
	searches := []searchCommand{a.satCommand(), a.puzzleCommand(), a.utsCommand()}
	var commands []*cobra.Command
	for _, s := range searches {
		commands = append(commands, s.Command)
	}
	addGrouped(root, groupSearch, "Search", append(commands, a.workerRunCommand(), a.workerCommand(), a.mapCommand(), a.ringCommand(), a.objectsCommand())...)
	addGrouped(root, groupProofs, "Proofs and formulas", a.checkCommand(), a.genCommand())
	addGrouped(root, groupMeasure, "Measure and predict", a.sweepCommand(), a.reportCommand(), a.calibrateCommand(searches), a.predictCommand(searches))
	addGrouped(root, groupPapers, "Papers and tests", a.reproduceCommand(), a.chaosCommand())
	root.AddCommand(a.versionCommand())
	root.SetHelpCommand(helpCommand())
	root.InitDefaultHelpCmd()
	root.AddCommand(topicCommands()...)
}

// printHelp prints the help of a command that does nothing without one of its commands.
func printHelp(cmd *cobra.Command, _ []string) error { return cmd.Help() }

// onlyCommands refuses an argument that is none of the commands of a command. what names them.
func onlyCommands(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return unknownCommand(cmd, what, args[0])
		}
		return nil
	}
}

// exactArguments refuses any number of arguments but n, with usage as the hint.
func exactArguments(n int, usage string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == n {
			return nil
		}
		return run.InputError{Err: fmt.Errorf("%s: %s: expected %s", cmd.Name(), units.Things(int64(len(args)), "argument"), usage)}
	}
}

// isStoppedEarly reports whether a run was ended early by time or a signal.
func isStoppedEarly(why lb.Reason) bool { return why == lb.Timeout || why == lb.Interrupted }

// underLauncher reports whether a launcher watches the exit status.
func underLauncher() bool {
	_, launched := mpi.Launched()
	return launched
}

// asFile returns w, or the writer in it, as a file, if it is one.
func asFile(w io.Writer) (*os.File, bool) {
	if wrapper, ok := w.(interface{ Unwrap() io.Writer }); ok {
		w = wrapper.Unwrap()
	}
	f, ok := w.(*os.File)
	return f, ok
}
