package cli

import (
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"treesplit/run/live"
)

// The address of --live is optional. The parser of flags therefore reads only --live=ADDRESS, and takes
// the word after --live for an argument of the command. Here the two words --live ADDRESS become one, if
// the second has the form of an address: few inputs are named like that. A file with such a name
// is reached as ./host:80 or after --.

// joinLiveAddress returns the arguments with --live=ADDRESS instead of the two words --live ADDRESS.
func joinLiveAddress(root *cobra.Command, args []string) []string {
	for i := 0; i+1 < len(args); i++ {
		if args[i] == "--live" && live.LooksLikeAddress(args[i+1]) && endsWithLive(root, args[:i+1]) {
			args = slices.Concat(args[:i], []string{"--live=" + args[i+1]}, args[i+2:])
		}
	}
	return args
}

// endsWithLive reports whether the last word is the flag --live of a command. Otherwise it is the value
// of another flag, an argument after --, or a word of a command of the user. The parser of flags
// knows it.
func endsWithLive(root *cobra.Command, words []string) bool {
	cmd, words, err := root.Find(words)
	if err != nil || cmd.Flags().Lookup("live") == nil {
		return false
	}
	cmd.InitDefaultHelpFlag()
	flags, last, before := cmd.Flags(), "", 0
	err = flags.ParseAll(words, func(f *pflag.Flag, _ string) error {
		last, before = f.Name, flags.NArg()
		return nil
	})
	return err == nil && last == "live" && flags.NArg() == before
}
