package cli

import (
	"fmt"

	"treesplit/internal/fileio"
)

// compressible maps each flag that names an output to the compressions in which the output can be
// written. A name with the extension of another compression is refused at the start: other programs
// would assume that the file has this compression.
var compressible = map[string][]string{
	"proof":  fileio.Written,
	"trace":  fileio.Written,
	"output": fileio.Written,

	"checkpoint":    nil, // compressed by itself
	"progress-file": nil, // written line by line, for readers that follow it
	"results":       nil, // appended to
	"pdb-file":      nil,
	"graph":         nil,
}

// outs are the commands whose --out names a file; for other commands it names a folder.
var outs = map[string][]string{"map": fileio.Written, "calibrate": nil}

// checkOutputs returns an error for an output whose name ends in a compression in which it cannot
// be written.
func (c *call) checkOutputs() error {
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

// relaxedHelp describes --relaxed.
const relaxedHelp = "accept a formula whose header promises other numbers of variables or clauses than there are, with a warning"

// relaxedWarnings returns the function that prints warnings about a formula with --relaxed, or nil
// without it.
func (a *app) relaxedWarnings(relaxed bool) func(string) {
	if !relaxed {
		return nil
	}
	return func(text string) { fmt.Fprintf(a.stderr, "treesplit: warning: %s\n", text) }
}
