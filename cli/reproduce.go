package cli

import (
	"context"
	"fmt"
	"io"
	"os/signal"
	"sync"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
	"golang.org/x/term"

	"treesplit/cli/internal/help"
	"treesplit/internal/outfile"
	"treesplit/run"
	"treesplit/study/figure"
	"treesplit/study/reproduce"
	"treesplit/study/reproduce/lab"
)

func (a *app) reproduceCommand() *cobra.Command {
	var out string
	var ranks rankFlags
	cmd := &cobra.Command{
		Use:   "reproduce [NAME…|all]",
		Short: "Run the experiments of the papers, and compare with the printed results",
		Long: `reproduce runs experiments of the five papers on simulated machines. Without a name it lists the
experiments and runs none.

For Kumar, Grama and Rao it prints the simulated results beside the printed ones, with the relative
error of each cell, on a simulated nCUBE/2. For Sanders, for Gao and Rosenberg, and for
Radhakrishnan, Brunner and Kalé it measures the claims of the papers.

It writes the tables as CSV files, the figures as SVG files, and one page, index.html, with all
experiments of the directory, also from earlier runs. Experiments and simulations whose results are
in the directory are not repeated: a second call prints the same at once, and after Ctrl-C the same
command makes the remaining runs.

table3 --runtime goroutines measures the speedups on real ranks that emulate the processors of the
nCUBE/2: a rank waits for the rest of the time of each node, of each message and of each poll. A
longer --pace needs less of the machine and more time. A line on standard error has the
speedup of each run; the measurements are not kept for a second call. With --ranks 512 --formulas 1
--pace 40ms they take 15 minutes on idle cores.

table3 --runtime mpi starts the ranks by --launcher, and needs a program that was built with MPI. Messages
then arrive in the time of the MPI library. Runs of at most 100 ranks in all are made at the same time.
Formulas of fewer --variables have smaller trees, and smaller speedups than the printed ones.`,
		Example: `  treesplit reproduce
  treesplit reproduce appendixB --out out
  treesplit reproduce ring-table1 ring-bounds --out out
  treesplit reproduce table3 --runtime goroutines --ranks 8 --variables 24 --formulas 1 --pace 1ms`,
		RunE: a.withOutcome(func(_ *cobra.Command, args []string) (outcome, error) {
			if len(args) == 0 {
				return outcome{}, a.listExperiments(out)
			}
			ctx, stop := signal.NotifyContext(context.Background(), watchedSignals()...)
			defer stop()
			return a.runReproduce(ctx, args, out, &ranks)
		}),
	}
	cmd.Flags().StringVar(&out, "out", "out", "`directory` for tables, figures, the page and the results of simulations")
	ranks.addFlags(cmd.Flags())
	setExit(cmd, "the experiments are complete", exitSignal)
	help.SetFiles(cmd, [2]string{"out/", "tables, figures, index.html and results of simulations"})
	return cmd
}

// listExperiments prints one line per experiment.
func (a *app) listExperiments(out string) error {
	l, err := lab.Open(out)
	if err != nil {
		return run.InputError{Err: err}
	}
	t := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "experiment\tpaper\tminutes\tresults in %s\tsubject\n", out)
	for _, e := range reproduce.Experiments {
		_, same, ok, err := l.KeptSection(e.Name)
		state := ""
		switch {
		case err != nil:
			return run.InputError{Err: err}
		case same:
			state = "cached"
		case ok:
			state = "of another build"
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\n", e.Name, e.Paper, e.Minutes, state, e.Help)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err = fmt.Fprintln(a.stdout, "\nThe minutes are estimates for two cores without kept results; an experiment without a number was not measured. To run experiments, give their names, or all: treesplit reproduce all.")
	return err
}

// experimentBar is a progress line with the number of finished cells of an experiment; nil shows
// nothing.
type experimentBar struct {
	lines *mpb.Progress
	bar   *mpb.Bar
	gone  sync.Once
}

// hideLine removes the line. It may be called several times, by several goroutines.
func (b *experimentBar) hideLine() {
	if b == nil {
		return
	}
	b.gone.Do(func() {
		b.bar.Abort(true)
		b.lines.Wait()
	})
}

// watchExperiment shows the progress of an experiment, on a terminal.
func (a *app) watchExperiment(l *lab.Lab, name string) *experimentBar {
	f, ok := asFile(a.stderr)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		l.Progress = nil
		return nil
	}
	lines := mpb.New(mpb.WithOutput(a.stderr), mpb.WithAutoRefresh())
	bar := lines.AddBar(0, mpb.PrependDecorators(decor.Name(name+" ")), mpb.AppendDecorators(decor.CountersNoUnit("%d of %d runs")), mpb.BarRemoveOnComplete())
	l.Progress = func(done, wanted int) {
		bar.SetTotal(int64(wanted), false)
		bar.SetCurrent(int64(done))
	}
	return &experimentBar{lines: lines, bar: bar}
}

// writeSection writes a section's tables and figures, and returns the names of the files.
func writeSection(dir string, s figure.Section) (files []string, err error) {
	write := func(name string, to func(io.Writer) error) {
		if err == nil {
			files = append(files, outfile.InFolder(dir, name))
			err = outfile.WriteFile(files[len(files)-1], to)
		}
	}
	for _, t := range s.Tables {
		write(t.Name+".csv", t.WriteCSV)
	}
	bytesOf := func(data []byte) func(io.Writer) error {
		return func(w io.Writer) error { _, err := w.Write(data); return err }
	}
	for _, f := range s.Figures {
		svg, failed := f.RenderSVG()
		if failed != nil {
			return files, failed
		}
		write(f.Name+".svg", bytesOf(svg))
	}
	for _, p := range s.Pictures {
		write(p.Name+".svg", bytesOf(p.SVG))
	}
	for _, p := range s.Pages {
		write(p.Name, p.Write)
	}
	return files, err
}
