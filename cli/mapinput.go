package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"treesplit/cli/internal/help"
	"treesplit/internal/outfile"
	"treesplit/mapping"
	"treesplit/mapping/graphfile"
)

// mapInput are the flags that define how a problem is read.
type mapInput struct {
	path       string
	start      string
	processors int
	format     string
	unit       time.Duration
	vtPhase    int
	costs      mapping.Machine
}

// addFlags defines the flags.
func (in *mapInput) addFlags(flags *pflag.FlagSet) {
	flags.IntVarP(&in.processors, "processors", "p", 0, "`number` of processors; not needed if the graph has it, as data of vt does")
	flags.StringVar(&in.start, "start", "", "start from the map in a `file` (.part or .map); the result is never worse")
	flags.StringVar(&in.format, "format", "auto", "`format` of the graph: auto (by its name), metis, scotch, vt")
	flags.DurationVar(&in.unit, "unit", 1, "METIS, Scotch: `time` of a weight of 1; an edge costs its weight at both ends")
	help.SetRest(flags, help.Problem)
	flags.IntVar(&in.vtPhase, "vt-phase", -1, "vt: `phase` to map; -1: the last one")
	flags.Float64Var(&in.costs.SendMessage, "send-message-ns", 1000, "vt: cost of a message for the processor of its sender, in `ns`")
	flags.Float64Var(&in.costs.ReceiveMessage, "receive-message-ns", 1000, "vt: cost of a message for the processor of its receiver, in `ns`")
	flags.Float64Var(&in.costs.SendByte, "send-byte-ns", 0.1, "vt: cost of a byte for the processor of its sender, in `ns`")
	flags.Float64Var(&in.costs.ReceiveByte, "receive-byte-ns", 0.1, "vt: cost of a byte for the processor of its receiver, in `ns`")
	help.SetRest(flags, help.Expert)
}

// checkFlags returns an error for invalid values.
func (in *mapInput) checkFlags(cmd *cobra.Command) error {
	switch {
	case cmd.Flags().Changed("processors") && (in.processors < 1 || in.processors > mapping.MaxProcessors):
		return flagError("processors", fmt.Errorf("%d: expected 1 to %d", in.processors, mapping.MaxProcessors))
	case in.unit < 1:
		return flagError("unit", fmt.Errorf("%v: expected at least 1ns", in.unit))
	case in.vtPhase < -1:
		return flagError("vt-phase", fmt.Errorf("%d: expected a phase, or -1 for the last one", in.vtPhase))
	}
	switch graphfile.Format(in.format) {
	case "auto", graphfile.Metis, graphfile.Scotch, graphfile.VT:
	default:
		return flagError("format", fmt.Errorf("%q: expected auto, metis, scotch or vt", in.format))
	}
	if in.format == "auto" && in.path == "-" {
		return flagError("format", errors.New("standard input has no name that shows it: expected metis, scotch or vt"))
	}
	for name, ns := range map[string]float64{
		"send-message-ns": in.costs.SendMessage, "receive-message-ns": in.costs.ReceiveMessage,
		"send-byte-ns": in.costs.SendByte, "receive-byte-ns": in.costs.ReceiveByte,
	} {
		if !(ns >= 0 && ns <= 1e12) {
			return flagError(name, fmt.Errorf("%v: expected 0 to 1e12", ns))
		}
	}
	return nil
}

// graphOptions returns the options for reading the graph.
func (in *mapInput) graphOptions() graphfile.Options {
	o := graphfile.Options{Processors: in.processors, Unit: int64(in.unit), Machine: in.costs}
	if in.format != "auto" {
		o.Format = graphfile.Format(in.format)
	}
	if in.vtPhase >= 0 {
		o.Phase = &in.vtPhase
	}
	return o
}

// readGraph reads and checks the graph.
func (in *mapInput) readGraph(stdin io.Reader) (*graphfile.File, error) {
	f, err := in.openGraph(stdin)
	if err != nil {
		return nil, err
	}
	if f.Problem.Processors == 0 {
		return nil, fmt.Errorf("%s does not say how many processors there are: expected -p P", in.path)
	}
	if err := f.Problem.Check(); err != nil {
		return nil, fmt.Errorf("%s: %w", in.path, err)
	}
	return f, nil
}

func (in *mapInput) openGraph(stdin io.Reader) (*graphfile.File, error) {
	if in.path == "-" {
		return graphfile.Read("stdin", stdin, in.graphOptions())
	}
	if strings.Contains(in.path, "%p") {
		return in.openRanks()
	}
	f, err := os.Open(in.path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return graphfile.Read(in.path, f, in.graphOptions())
}

// openRanks reads the files of all ranks of a run of vt.
func (in *mapInput) openRanks() (*graphfile.File, error) {
	names, err := in.rankFiles()
	if len(names) == 0 {
		return nil, err
	}
	return graphfile.ReadVT(names, func(name string) (io.ReadCloser, error) { return os.Open(name) }, in.graphOptions())
}

// rankFiles returns the existing files of an input with %p in its name, and the error of the first
// missing file.
func (in *mapInput) rankFiles() (names []string, err error) {
	for {
		name := graphfile.RankFileName(in.path, len(names))
		if _, err := os.Stat(name); err != nil || name == in.path {
			return names, err
		}
		names = append(names, name)
	}
}

// readMap reads a map of a problem.
func readMap(path string, p *mapping.Problem) (mapping.Map, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	m, err := graphfile.ReadPart(path, f, p)
	if err != nil {
		return nil, err
	}
	if err := p.CheckMap(m); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}

// writeMap writes a map to --out.
func (r *mapRun) writeMap(m mapping.Map) error {
	switch {
	case r.out == "":
		return nil
	case outFormat(r.out) == ".part":
		return writeCompressed(r.out, func(w io.Writer) error { return graphfile.WritePart(w, m) })
	case !r.writesRanks():
		return writeCompressed(r.out, func(w io.Writer) error { return graphfile.WriteVT(w, r.file, m) })
	}
	var group outfile.Group
	for q := range r.problem.Processors {
		name := graphfile.RankFileName(r.out, q)
		err := group.WriteFile(name, func(w io.Writer) error {
			return compressed(name, w, func(w io.Writer) error { return graphfile.WriteVTRank(w, r.file, m, q) })
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// writesRanks reports whether --out is one file per processor: %p stands for its number.
func (o *mapOptions) writesRanks() bool {
	return outFormat(o.out) == ".json" && strings.Contains(o.out, "%p")
}

// places returns the files of a map: the input, the maps that are read, and --out. Of a name with %p it
// returns the existing files of the input, and the files of --out for a number of processors.
func (o *mapOptions) places(processors int) []place {
	all := []place{input("", o.path), input("start", o.start), input("score", o.score)}
	names, _ := o.rankFiles()
	for _, name := range names {
		all = append(all, input("", name))
	}
	out := output("out", o.out)
	out.early = true // of the files of all processors only the first one is tried
	if !o.writesRanks() {
		return append(all, out)
	}
	for q := range max(processors, len(names), 1) {
		out.path = graphfile.RankFileName(o.out, q)
		all = append(all, out)
		out.early = false
	}
	return all
}
