package scenario

import (
	"flag"
	"fmt"
	"io"
)

// ParseOptions reads words such as scheme=grr into the variables of a set of flags.
func ParseOptions(set *flag.FlagSet, words []string) error {
	set.SetOutput(io.Discard)
	args := make([]string, 0, len(words))
	for _, w := range words {
		args = append(args, "-"+w)
	}
	if err := set.Parse(args); err != nil {
		return err
	}
	if set.NArg() > 0 {
		return fmt.Errorf("%q: expected NAME=VALUE", set.Args())
	}
	return nil
}
