package cli

import (
	"cmp"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"treesplit/cli/internal/help"
	"treesplit/internal/fileio"
	"treesplit/internal/outfile"
	"treesplit/run"
	"treesplit/sat/gen"
)

func (a *app) genCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "gen FAMILY",
		Short: "Generate a formula of a known family, in DIMACS format",
		Long: `gen generates a formula and writes it to standard output, or to a file with -o. The same parameters
and the same seed give the same formula on every machine. The flags are the parameters of the family:
-n is a parameter too, and not the number of ranks.`,
		Example: `  treesplit gen php --n 8
  treesplit gen random --n 60 --ratio 4.3 --seed 3 -o random60.cnf`,
		Args: exactArguments(1, "a family; treesplit gen --help lists them"),
		RunE: func(cmd *cobra.Command, args []string) error { return unknownCommand(cmd, "family", args[0]) },
	}
	cmd.AddGroup(&cobra.Group{ID: "families", Title: "Families"})
	for _, family := range gen.ListFamilies() {
		cmd.AddCommand(a.genFamilyCommand(family))
	}
	setExit(cmd, "the formula is written")
	return cmd
}

// genFamilyCommand returns the command of one family, with the family's parameters as flags.
func (a *app) genFamilyCommand(family *gen.Family) *cobra.Command {
	var seed uint64
	var path string
	given := make([]float64, len(family.Params))
	cmd := &cobra.Command{
		Use:     family.Name,
		GroupID: "families",
		Short:   family.Help,
		Long:    family.Name + ": " + family.Help + ".",
		Example: "  treesplit gen " + family.Name + flagged(family.Example),
		Args:    exactArguments(0, "flags only"),
		RunE: func(*cobra.Command, []string) error {
			values := map[string]float64{}
			for i, p := range family.Params {
				values[p.Name] = given[i]
			}
			f, comment, err := family.MakeFormula(values, seed)
			if err != nil {
				return run.InputError{Err: err}
			}
			return a.writeFormula(path, func(w io.Writer) error {
				return f.WriteDIMACS(w, strings.Split(comment, "\n")...)
			})
		},
	}
	for i, p := range family.Params {
		given[i] = p.Default
		short := "" // a parameter of one letter can also be written with one hyphen
		if len(p.Name) == 1 {
			short = p.Name
		}
		cmd.Flags().VarP(number{&given[i], p.Real}, p.Name, short, p.Help)
	}
	if family.Seeded {
		cmd.Flags().Uint64Var(&seed, "seed", 1, "seed of the formula")
	}
	cmd.Flags().StringVarP(&path, "output", "o", "-", "`file` to write, compressed if it ends in .gz or .zst; - is standard output")
	setExit(cmd, "the formula is written")
	help.SetFiles(cmd, [2]string{"FILE of -o", "a formula in DIMACS format"})
	return cmd
}

// flagged writes values "name=value …" as flags.
func flagged(values string) (flags string) {
	for _, v := range strings.Fields(values) {
		flags += " --" + strings.Replace(v, "=", " ", 1)
	}
	return flags
}

// writeFormula writes to a file, compressed according to its extension, or to standard output for
// "-".
func (a *app) writeFormula(path string, to func(io.Writer) error) error {
	if path == "-" {
		return compressed(path, a.stdout, to)
	}
	if err := outfile.CheckWritable(path); err != nil {
		return run.InputError{Err: err}
	}
	return writeCompressed(path, to)
}

// writeCompressed writes a file, compressed according to its extension.
func writeCompressed(path string, to func(io.Writer) error) error {
	return outfile.WriteFile(path, func(w io.Writer) error { return compressed(path, w, to) })
}

// compressed writes to w, compressed according to the extension of a name.
func compressed(name string, w io.Writer, to func(io.Writer) error) error {
	out, err := fileio.NewCompressor(name, w)
	if err != nil {
		return err
	}
	failed := to(out)
	return cmp.Or(failed, out.Close()) // the error of the end of data repeats the error of a write
}
