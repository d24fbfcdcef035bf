package cli

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"treesplit/internal/spelling"
	"treesplit/lb"
	"treesplit/run"
	"treesplit/sim"
	"treesplit/termination"
)

// The topics of treesplit help. Their tables are made from the registries.

// topicCommands returns a command for each topic. The commands have help and nothing else.
func topicCommands() []*cobra.Command {
	return []*cobra.Command{
		{Use: "schemes", Short: "Load-balancing schemes (--scheme) and their options", Long: schemesTopic()},
		{Use: "detectors", Short: "Termination detectors (--termination)", Long: detectorsTopic()},
		{Use: "machines", Short: "Simulated machines (--machine) and machine files", Long: machinesTopic()},
		{Use: "exit-status", Short: "Exit statuses of all commands", Long: exitTopic},
	}
}

// schemesTopic describes the schemes and their options.
func schemesTopic() string {
	var b strings.Builder
	b.WriteString(`A load-balancing scheme decides how ranks share a search tree. A rank without work, a requester, asks another rank, a donor, for a piece of its tree. The schemes differ in the donor that is asked, or deal the tree out beforehand. All schemes search the same nodes. static+NAME is a static start, followed by any scheme that splits work.

Start with rp, the default. Take grr-m if many requests would fill the network. Take static+rp if parts of the tree have similar sizes and all ranks must have work at once. docs/schemes.md compares all schemes. The command predict recommends a scheme for a machine and a search.

Schemes:

`)
	for _, s := range lb.Schemes {
		fmt.Fprintf(&b, "  %s\t%s\n", s.Name, s.Help)
	}
	b.WriteString("\nSome flags have an effect only under some schemes. They are refused under the other schemes:\n\n")
	for _, option := range lb.SchemeOptions() {
		fmt.Fprintf(&b, "  --%s\t%s\n", option, strings.Join(lb.SchemesUsing(option), ", "))
	}
	return b.String()
}

// detectorsTopic describes the detectors.
func detectorsTopic() string {
	var b strings.Builder
	b.WriteString(`A termination detector finds out that no rank has work and that no piece of work is in flight. Rank 0 then ends the search. Every detector works with every scheme. The choice changes the number of messages and the delay at the end, never the result.

Detectors:

`)
	for _, name := range termination.DetectorNames() {
		fmt.Fprintf(&b, "  %s\t%s\n", name, termination.DescribeDetector(name))
	}
	return b.String()
}

// machinesTopic describes the built-in machines.
func machinesTopic() string {
	var b strings.Builder
	b.WriteString(`--machine NAME|FILE simulates all ranks in one process, in virtual time, on a machine with a name or on a machine file. The numbers of ranks can be large. The command calibrate measures a machine and writes its file. docs/formats.md lists the fields of a file; the field base takes over all values of a built-in machine. With the field contention (cut-through or store-and-forward; none is the default) a link of a hypercube, mesh, ring or fattree carries one message at a time, and other messages wait.

Machines: the network, U_calc (time per node), t_s (start of a message), t_w (time per word of 4 bytes), t_h (time per hop):

`)
	for _, m := range sim.Builtin {
		fmt.Fprintf(&b, "  %s\t%s; U_calc %v, t_s %v, t_w %v, t_h %v\n", m.Name, m.Topology, time.Duration(m.Expand), time.Duration(m.Startup), time.Duration(m.PerWord), time.Duration(m.PerHop))
	}
	return b.String()
}

// exitTopic lists the exit statuses.
const exitTopic = `A command exits with one of these statuses. The end of the help of each command has the statuses of that command. Under mpirun or srun a verdict of sat exits with status 0, because a launcher takes any other status for a failure.

  0	done
  1	failed; or check: the proof is not verified; or sweep: a run has failed
  2	wrong usage or bad input: the error names the flag, or the file and the line
  3	stopped early, by --timeout or a signal (Ctrl-C, SIGTERM, SIGHUP, SIGUSR1)
  10	sat: the formula is satisfiable
  20	sat: the formula is unsatisfiable`

// helpCommand returns the command help, which describes commands and topics.
func helpCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "help [COMMAND | TOPIC]",
		Short: "Describe a command or a topic",
		Long: `help describes a command, as COMMAND --help does, or a topic. Without an argument it lists
all commands and topics.`,
		Example: `  treesplit help sat
  treesplit help ring tree
  treesplit help schemes`,
		RunE: func(cmd *cobra.Command, args []string) error {
			found, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 || found == nil {
				return unknownTopic(cmd.Root(), args)
			}
			found.InitDefaultHelpFlag()
			return found.Help()
		},
	}
	setExit(cmd, "the description was printed")
	return cmd
}

// unknownTopic refuses arguments of help that name neither a command nor a topic.
func unknownTopic(root *cobra.Command, args []string) error {
	word, names := strings.Join(args, " "), []string(nil)
	for _, sub := range root.Commands() {
		if isHelpName(sub) {
			names = append(names, sub.Name())
		}
	}
	if len(args) == 0 {
		return run.InputError{Err: errors.New("help: expected a command or a topic")}
	}
	return run.InputError{Err: fmt.Errorf("help: unknown command or topic %q%s: expected one of %s", word, spelling.DidYouMean(word, names), strings.Join(names, ", "))}
}

// isHelpName reports whether help describes a command below root.
func isHelpName(cmd *cobra.Command) bool {
	return cmd.IsAvailableCommand() || cmd.IsAdditionalHelpTopicCommand()
}

// completeTopics completes the names of commands and topics.
func completeTopics(cmd *cobra.Command, args []string, begun string) (names []string, _ cobra.ShellCompDirective) {
	found, rest, err := cmd.Root().Find(args)
	if err != nil || found == nil || len(rest) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	for _, sub := range found.Commands() {
		if isHelpName(sub) && strings.HasPrefix(sub.Name(), begun) {
			names = append(names, cobra.CompletionWithDesc(sub.Name(), sub.Short))
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}
