package cli

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"treesplit/internal/spelling"
	"treesplit/lb"
	"treesplit/run"
	"treesplit/sim"
)

// Names are read in upper or lower case. The error for a misspelt name suggests a correct one.

// correctFlags replaces the values of flags with a few names by the program's spelling. It returns
// an error for a value that is close to a name; the code that reads the values checks all others.
func (c *call) correctFlags() error {
	words, lists := flagWords(), flagLists()
	var err error
	c.Flags().Visit(func(f *pflag.Flag) {
		known, ok := flagEntry(words, c.commandPath(), f.Name)
		between := ""
		if !ok {
			known, ok = flagEntry(lists, c.commandPath(), f.Name)
			between = ","
		}
		if f.Name == "machine" {
			known, ok = sim.MachineNames(), !fileExists(f.Value.String())
		}
		if !ok || err != nil {
			return
		}
		parts := []string{f.Value.String()}
		if between != "" {
			parts = strings.Split(parts[0], between)
		}
		for i, word := range parts {
			if parts[i], err = spelling.Correct(word, known, isScheme(known)); err != nil {
				err = flagError(f.Name, err)
				return
			}
		}
		err = f.Value.Set(strings.Join(parts, between))
	})
	return err
}

// isScheme returns a test for unlisted names: static starts combine with most schemes.
func isScheme(known []string) func(string) bool {
	return func(name string) bool { return slices.Contains(known, "static+rp") && lb.CheckName(name) == nil }
}

func fileExists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// unknownCommand returns an error for a name that is no command below the given one.
func unknownCommand(cmd *cobra.Command, what, word string) error {
	var names []string
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			names = append(names, sub.Name())
		}
	}
	return run.InputError{Err: fmt.Errorf("unknown %s %q%s: expected one of %s", what, word, spelling.DidYouMean(word, names), strings.Join(names, ", "))}
}

// explainFlagError explains an error in the flags of a command.
func explainFlagError(cmd *cobra.Command, err error) error {
	more := ""
	if unknown := (*pflag.NotExistError)(nil); errors.As(err, &unknown) {
		more = suggestFlag(cmd, unknown.GetSpecifiedName())
	}
	return run.InputError{Err: fmt.Errorf("%s: %w%s", cmd.Name(), err, more)}
}

// suggestFlag suggests a flag similar to a flag that a command lacks, or lists the flags of the
// command.
func suggestFlag(cmd *cobra.Command, flag string) string {
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden && f.Name != "help" {
			names = append(names, "--"+f.Name)
		}
	})
	near := ""
	if len(flag) > 1 {
		near = spelling.DidYouMean("--"+flag, names)
	}
	switch {
	case near != "":
		return near
	case len(names) > maxListed:
		return fmt.Sprintf(" (%s --help lists the flags)", cmd.CommandPath())
	case len(names) == 0:
		return " (it has no flags)"
	}
	return fmt.Sprintf(" (expected one of %s)", strings.Join(names, ", "))
}

// maxListed is the largest number of flags that an error lists.
const maxListed = 8
