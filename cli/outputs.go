package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"treesplit/internal/fileio"
)

// compressible are the flags that name outputs, and the compressions in which each can be
// written. A name that ends in another compression is refused before anything is done:
// others would take the file for what its name says.
var compressible = map[string][]string{
	"proof":  fileio.Written,
	"lrat":   fileio.Written,
	"cubes":  fileio.Written,
	"trace":  fileio.Written,
	"output": fileio.Written,

	"checkpoint":    nil, // compressed by itself
	"progress-file": nil, // written line by line, for others to follow
	"results":       nil, // appended to
	"pdb-file":      nil,
	"graph":         nil,
}

// outs are the commands whose --out names a file; for other commands it names a folder.
var outs = map[string][]string{"map": fileio.Written, "calibrate": nil}

// checkOutputs refuses empty names, and names of outputs that end in a compression in which
// they are not written.
func (c *call) checkOutputs() error {
	if err := c.checkNames(); err != nil {
		return err
	}
	for flag, supported := range compressible {
		if !c.Flags().Changed(flag) {
			continue
		}
		if err := fileio.CheckOutput(c.flagText(flag), supported...); err != nil {
			return flagError(flag, err)
		}
	}
	if supported, ok := outs[c.commandPath()]; ok {
		if err := fileio.CheckOutput(c.flagText("out"), supported...); err != nil {
			return flagError("out", err)
		}
	}
	return nil
}

// namedThings are the placeholders of flags whose value is a name. An empty value would mean that the flag is
// not given.
var namedThings = []string{"file", "directory", "machine", "program"}

// checkNames refuses an empty name, which a script may have made of a variable without a value.
func (c *call) checkNames() (err error) {
	c.Flags().Visit(func(f *pflag.Flag) {
		noun, _ := pflag.UnquoteUsage(f)
		if noun = strings.ToLower(noun); err == nil && slices.Contains(namedThings, noun) && f.Value.String() == "" {
			err = flagError(f.Name, fmt.Errorf("expected the name of a %s", noun))
		}
	})
	return err
}

// relaxedWarnings returns where warnings about a formula go to with --relaxed, or nil without it.
func (a *app) relaxedWarnings(relaxed bool) func(string) {
	if !relaxed {
		return nil
	}
	return func(text string) { fmt.Fprintf(a.stderr, "treesplit: warning: %s\n", text) }
}
