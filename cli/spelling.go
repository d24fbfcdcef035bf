package cli

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"treesplit/experiment"
	"treesplit/lb"
	"treesplit/sim"
)

// Names are read in upper or lower case, and of one that is misspelt the error says which
// one may have been meant.

// correctFlags writes the values of flags that have a few names as those are written. It
// refuses one that is close to a name; others are left to whoever knows what they mean.
func (c *call) correctFlags() error {
	words, lists := flagWords(), flagLists()
	var err error
	c.Flags().Visit(func(f *pflag.Flag) {
		known, ok := ofFlag(words, c.path(), f.Name)
		between := ""
		if !ok {
			known, ok = ofFlag(lists, c.path(), f.Name)
			between = ","
		}
		if f.Name == "machine" {
			known, ok = sim.Names(), !exists(f.Value.String())
		}
		if !ok || err != nil {
			return
		}
		parts := []string{f.Value.String()}
		if between != "" {
			parts = strings.Split(parts[0], between)
		}
		for i, word := range parts {
			if parts[i], err = correct(word, known); err != nil {
				err = flagError(f.Name, err)
				return
			}
		}
		err = f.Value.Set(strings.Join(parts, between))
	})
	return err
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// correct returns the name that a word is but for its case, or else the word itself. It
// fails where a name is near.
func correct(word string, names []string) (string, error) {
	for _, name := range names {
		if strings.EqualFold(word, name) {
			return name, nil
		}
	}
	if lower := strings.ToLower(word); slices.Contains(names, "static+rp") && lb.Check(lower) == nil {
		return lower, nil // a combination that is not listed
	}
	if near := nearest(word, names); near != "" {
		return "", fmt.Errorf("unknown name %q: did you mean %s? (expected one of %s)", word, near, strings.Join(names, ", "))
	}
	return word, nil
}

// nearest is the name that differs from a word by the fewest letters, or "" where all
// differ by more than a third of it.
func nearest(word string, names []string) (near string) {
	most := max(1, len(word)/3)
	for _, name := range names {
		if name == "on" { // "no" is more likely to mean the opposite
			continue
		}
		if d := distance(strings.ToLower(word), strings.ToLower(name)); d <= most && d < max(len(name), len(word)) {
			near, most = name, d-1
		}
	}
	return near
}

// maxWord is the length from which on words are not compared.
const maxWord = 64

// distance is the least number of letters to insert, delete or replace, or of neighbours
// to swap, that makes one word of the other, each part of it edited once (optimal string
// alignment). It takes O(len(a) len(b)).
func distance(a, b string) int {
	if max(len(a), len(b)) > maxWord {
		return maxWord
	}
	d := make([][]int, len(a)+1)
	for i := range d {
		d[i] = make([]int, len(b)+1)
		d[i][0] = i
	}
	for j := range d[0] {
		d[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			differ := 1
			if a[i-1] == b[j-1] {
				differ = 0
			}
			d[i][j] = min(d[i-1][j]+1, d[i][j-1]+1, d[i-1][j-1]+differ)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return d[len(a)][len(b)]
}

// didYouMean is what an error adds about a word that is none of the names, or "".
func didYouMean(word string, names []string) string {
	if near := nearest(word, names); near != "" {
		return fmt.Sprintf(" (did you mean %s?)", near)
	}
	return ""
}

// unknownCommand refuses a name that is none of the commands below one.
func unknownCommand(cmd *cobra.Command, what, word string) error {
	var names []string
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			names = append(names, sub.Name())
		}
	}
	return experiment.InputError{Err: fmt.Errorf("unknown %s %q%s: expected one of %s", what, word, didYouMean(word, names), strings.Join(names, ", "))}
}

// flagsError explains what is wrong with the flags of a command.
func flagsError(cmd *cobra.Command, err error) error {
	more := ""
	if unknown := (*pflag.NotExistError)(nil); errors.As(err, &unknown) {
		more = flagMeant(cmd, unknown.GetSpecifiedName())
	}
	return experiment.InputError{Err: fmt.Errorf("%s: %w%s", cmd.Name(), err, more)}
}

// flagMeant says of a flag that a command lacks which one may be meant, or which there are.
func flagMeant(cmd *cobra.Command, flag string) string {
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden && f.Name != "help" {
			names = append(names, "--"+f.Name)
		}
	})
	near := ""
	if len(flag) > 1 {
		near = didYouMean("--"+flag, names)
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
