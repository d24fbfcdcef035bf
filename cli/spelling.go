package cli

import (
	"errors"
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"treesplit/internal/spelling"
	"treesplit/lb"
	"treesplit/run"
	"treesplit/sim"
)

// Names are read in upper or lower case, and of one that is misspelt the error says which
// one may have been meant.

// correctFlags writes the values of flags that have a few names as those are written. It
// refuses one that is close to a name; other values are left to the code that reads them.
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

// isScheme tests names that are not listed: static starts combine with most schemes.
func isScheme(known []string) func(string) bool {
	return func(name string) bool { return slices.Contains(known, "static+rp") && lb.CheckName(name) == nil }
}

func fileExists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// unknownCommand refuses a name that is none of the commands below one.
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
	if wrong := (*pflag.InvalidValueError)(nil); errors.As(err, &wrong) {
		return flagError(wrong.GetFlag().Name, explainValue(wrong))
	}
	if missing := (*pflag.ValueRequiredError)(nil); errors.As(err, &missing) {
		return flagError(missing.GetFlag().Name, errors.New("no value: expected one after the flag"))
	}
	more := ""
	if unknown := (*pflag.NotExistError)(nil); errors.As(err, &unknown) {
		more = suggestFlag(cmd, unknown.GetSpecifiedName())
	}
	return run.InputError{Err: fmt.Errorf("%s: %w%s", cmd.Name(), err, more)}
}

// expectedKinds are the values that flags take, by type.
var expectedKinds = map[string]string{
	"int": "a whole number", "int64": "a whole number", "uint64": "a whole number, 0 or more", "float64": "a number",
	"duration": "a time such as 30s or 2h", "bool": "true or false",
}

// durations matches texts that are times, also times that are too long.
var durations = regexp.MustCompile(`^[-+]?([0-9]+(\.[0-9]*)?(ns|us|µs|ms|s|m|h))+$`)

// explainValue explains why the value of a flag is refused.
func explainValue(wrong *pflag.InvalidValueError) error {
	kind, ok := expectedKinds[wrong.GetFlag().Value.Type()]
	switch {
	case !ok:
		return fmt.Errorf("%q: %w", wrong.GetValue(), wrong.Unwrap())
	case wrong.GetFlag().Value.Type() == "duration" && durations.MatchString(wrong.GetValue()):
		return fmt.Errorf("%q is out of range: expected a time of at most %dh", wrong.GetValue(), math.MaxInt64/time.Hour)
	case errors.Is(wrong, strconv.ErrRange):
		return fmt.Errorf("%q is out of range: expected %s", wrong.GetValue(), kind)
	}
	return fmt.Errorf("%q: expected %s", wrong.GetValue(), kind)
}

// suggestFlag says of a flag that a command lacks which one may be meant, or which there are.
func suggestFlag(cmd *cobra.Command, flag string) string {
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden && f.Name != "help" {
			names = append(names, "--"+f.Name)
		}
	})
	slices.Sort(names)
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

// maxListed is how many flags an error lists at most.
const maxListed = 8
