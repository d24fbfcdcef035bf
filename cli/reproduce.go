package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
	"golang.org/x/term"

	"treesplit/experiment"
	"treesplit/figure"
	"treesplit/reproduce"
)

func (a *app) reproduce() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "reproduce [NAME…|all] --out DIR",
		Short: "Run the papers' experiments on the simulated machine, ours beside the printed",
		Long: `reproduce runs the experiments of Kumar, Grama and Rao on a simulated nCUBE/2 and
prints what comes out beside what the paper prints, with the relative error of
each cell, and measures what Sanders, what Gao and Rosenberg, and what Radhakrishnan,
Brunner and Kalé claim. It writes the tables as CSV, the figures as SVG, and all of it
as one self-contained page, index.html. What was simulated before is not simulated again.

The experiments: ` + strings.Join(reproduce.Names(), ", ") + `.`,
		Example: `  treesplit reproduce appendixB --out out
  treesplit reproduce ring-table1 ring-bounds --out out`,
		RunE: func(_ *cobra.Command, args []string) error {
			ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
			defer stop()
			err := a.runReproduce(ctx, args, out)
			if ctx.Err() != nil {
				a.status = statusStopped
				return nil
			}
			return err
		},
	}
	cmd.Flags().StringVar(&out, "out", "out", "`directory` for tables, figures, the page, and what was computed")
	return cmd
}

func (a *app) runReproduce(ctx context.Context, names []string, out string) error {
	experiments, err := reproduce.Find(names)
	if err != nil {
		return experiment.InputError{Err: err}
	}
	lab, err := reproduce.NewLab(out)
	if err != nil {
		return experiment.InputError{Err: err}
	}
	var sections []figure.Section
	for _, e := range experiments {
		end := a.watch(lab, e.Name)
		s, err := e.Run(ctx, lab)
		end()
		if err != nil {
			return fmt.Errorf("%s: %w", e.Name, err)
		}
		s.Print(a.stdout)
		if err := writeSection(out, s); err != nil {
			return err
		}
		sections = append(sections, s)
	}
	if err := lab.Tidy(); err != nil {
		return err
	}
	return writeFile(filepath.Join(out, "index.html"), func(w io.Writer) error {
		return figure.Page(w, "treesplit: the papers' tables, ours beside the printed", sections)
	})
}

// watch shows how many cells of an experiment are done, on a terminal.
func (a *app) watch(lab *reproduce.Lab, name string) (end func()) {
	f, ok := file(a.stderr)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		lab.Progress = nil
		return func() {}
	}
	lines := mpb.New(mpb.WithOutput(a.stderr), mpb.WithAutoRefresh())
	bar := lines.AddBar(0, mpb.PrependDecorators(decor.Name(name+" ")), mpb.AppendDecorators(decor.CountersNoUnit("%d of %d runs")), mpb.BarRemoveOnComplete())
	lab.Progress = func(done, wanted int) {
		bar.SetTotal(int64(wanted), false)
		bar.SetCurrent(int64(done))
	}
	return func() {
		lab.Progress = nil
		bar.Abort(true)
		lines.Wait()
	}
}

// writeSection writes a section's tables and figures.
func writeSection(dir string, s figure.Section) error {
	for _, t := range s.Tables {
		if err := writeFile(filepath.Join(dir, t.Name+".csv"), t.CSV); err != nil {
			return err
		}
	}
	for _, f := range s.Figures {
		svg, err := f.SVG()
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, f.Name+".svg"), svg, 0o644); err != nil {
			return err
		}
	}
	for _, p := range s.Pictures {
		if err := os.WriteFile(filepath.Join(dir, p.Name+".svg"), p.SVG, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// writeFile writes a file in one go.
func writeFile(path string, to func(io.Writer) error) error {
	var b bytes.Buffer
	if err := to(&b); err != nil {
		return err
	}
	return os.WriteFile(path, b.Bytes(), 0o644)
}
