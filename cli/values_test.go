package cli

import (
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// inputs are the other arguments that commands need. They are small, so that a value that is
// accepted by mistake does not run for long.
var inputs = map[string]string{
	"sat": "../testdata/php4.cnf", "puzzle": "--size 2x2 1,0,2,3",
	"map": "../testdata/random20.graph -p 4 --time 1ms --strategy bb", "objects": "--iterations 2 --work 5 --objects 10 -n 2",
	"predict": "--schemes rp ncube2", "calibrate": "uts", "sweep": "../testdata/sweep.yaml",
}

// contexts are arguments with which flags have an effect.
var contexts = map[string]string{
	"levels": "--scheme ml", "arity": "--scheme ml", "delay": "--scheme grr-m", "trigger-at": "--scheme shuffle", "cluster": "--scheme static+clustered",
	"probability": "-t 0", "children": "-t 0", "shift": "-t 2", "checkpoint-every": "--checkpoint /dev/null/none", "trace-events": "--trace /dev/null/none",
}

// meaningful are valid negative values of some flags.
var meaningful = map[string][]string{"vt-phase": {"-1"}, "from": {"-1"}, "to": {"-1"}}

// Every flag of every command that takes a number refuses, with one line, values that are no
// numbers, infinite, negative or too large for their type. If the type of the flag refuses a value
// independent of the command, only one such value is tried; all other values are tried for each
// command.
func TestHostileValues(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds, without goroutines")
	}
	hostile := map[string][]string{
		"int": {"-1", "NaN", "1e3", "9223372036854775808", "-9223372036854775809", ""}, "int64": {"-1", "Inf", "9223372036854775808"},
		"uint64": {"-1", "NaN", "18446744073709551616"}, "duration": {"-1s", "NaN", "5", "2562048h", "1e999s"},
		"float64": {"NaN", "Inf", "-Inf", "-1", "1e999", ""}, "number": {"NaN", "Inf", "-Inf", "-1", "1e999"},
	}
	tried, typed := 0, map[string]bool{}
	eachCommand(func(cmd *cobra.Command) {
		c := &call{Command: cmd}
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			for _, value := range hostile[f.Value.Type()] {
				if slices.Contains(meaningful[f.Name], value) {
					continue
				}
				tried++
				if kind := f.Value.Type() + value; f.Value.Set(value) != nil {
					if typed[kind] {
						continue
					}
					typed[kind] = true
				}
				try(t, c.commandPath(), f.Name, value)
			}
		})
	})
	if tried < 500 {
		t.Errorf("only %d values were tried", tried)
	}
}

// try checks that a value of a flag is refused.
func try(t *testing.T, command, flag, value string) {
	t.Helper()
	if command == "" {
		return
	}
	words := strings.Fields(command)
	if !strings.HasPrefix(command, "ring") && command != "gen" {
		words = append(words, strings.Fields(contexts[flag])...)
	}
	typed, input := "--"+flag+"="+value, strings.Fields(inputs[command])
	if command == "predict" || command == "calibrate" { // the arguments after the input belong to another command
		words = slices.Concat(words, []string{typed}, input)
	} else {
		words = append(append(words, input...), typed)
	}
	refusesWords(t, words, "")
}

// Values that are numbers are refused if they are too large for their use.
func TestHugeValues(t *testing.T) {
	if testing.Short() {
		t.Skip("seconds under the race detector, without a second goroutine")
	}
	for _, line := range []string{
		"map ../testdata/random20.graph -p 9223372036854775807", "map ../testdata/random20.graph -p 2147483647",
		"objects --message-cost 2562047h", "ring quadrature --tolerance Inf",
		"uts -n 2147483647", "uts -d 9223372036854775807", "gen php -n 9007199254740993", "gen random -n 4194304 --ratio 1048576",
		"predict --nodes 9223372036854775807 --schemes rp ncube2", "predict --ranks 99999999999999999999 --nodes 10 ncube2",
		"uts --quantum 99999999999999999999", "uts --scheme static --splits 9223372036854775807", "uts --scheme shuffle --phase 99999999999999999999",
	} {
		refuses(t, line, "")
	}
}
