package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"treesplit/cli"
)

// pages writes the manual.
func pages(t *testing.T, epoch string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	if err := writePages(dir, epoch); err != nil {
		t.Fatal(err)
	}
	return dir
}

// Every command has a page, with all its flags, its exit statuses and its examples, and every topic
// has one; the same commit makes the same pages.
func TestPages(t *testing.T) {
	dir, again := pages(t, "1000000000"), pages(t, "1000000000")
	var visit func(cmd *cobra.Command)
	visit = func(cmd *cobra.Command) {
		name := strings.ReplaceAll(cmd.CommandPath(), " ", "-") + ".1"
		page, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		text := strings.ReplaceAll(string(page), `\-`, "-")
		if !strings.Contains(text, "Sep 2001") {
			t.Errorf("%s: not of the date that was given", name)
		}
		for _, section := range []string{"EXIT STATUS", "EXAMPLES"} {
			if cmd.Example != "" && !strings.Contains(text, ".SH "+section) {
				t.Errorf("%s has no section %s", name, section)
			}
		}
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden && !strings.Contains(text, "--"+f.Name) {
				t.Errorf("%s lacks --%s", name, f.Name)
			}
		})
		if second, err := os.ReadFile(filepath.Join(again, name)); err != nil || string(second) != string(page) {
			t.Errorf("%s differs when written again: %v", name, err)
		}
		for _, sub := range cmd.Commands() {
			visit(sub)
		}
	}
	visit(cli.Command())
}

// The formatter finds nothing to complain of.
func TestPagesAreWellFormed(t *testing.T) {
	if _, err := exec.LookPath("man"); err != nil {
		t.Skip("man is not installed: run scripts/install")
	}
	all, err := filepath.Glob(filepath.Join(pages(t, ""), "*.1"))
	if err != nil || len(all) < 20 {
		t.Fatalf("%d pages, %v", len(all), err)
	}
	for _, page := range all {
		cmd := exec.Command("man", "--warnings", "-E", "UTF-8", "-l", page)
		cmd.Env = append(os.Environ(), "MANWIDTH=80", "LC_ALL=C.UTF-8", "PAGER=cat", "MANPAGER=cat")
		var complaints strings.Builder
		cmd.Stderr = &complaints
		out, err := cmd.Output()
		if err != nil || complaints.Len() > 0 || !strings.Contains(string(out), "NAME") {
			t.Errorf("%s: %v: %s", filepath.Base(page), err, &complaints)
		}
	}
}

// The options of a search are in groups, and the page names its files.
func TestSections(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(pages(t, ""), "treesplit-sat.1"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{".SH OPTIONS", ".SS Problem", ".SS Ranks and scheme", ".SS Expert", ".SH FILES", "DRAT", "the number of cores"} {
		if !strings.Contains(string(page), want) {
			t.Errorf("no %q", want)
		}
	}
}

// Signs stay signs, lines that begin with a blank stay lines, and rows become definitions.
func TestFormatText(t *testing.T) {
	got := formatText("a_b <c>\nd\n\n  x_y\n\n  r\ts*t")
	if want := "a\\_b \\<c> d\n\n      x_y\n\n**r**\n: s\\*t\n\n\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// A date that is none is refused.
func TestBadDate(t *testing.T) {
	if err := writePages(t.TempDir(), "yesterday"); err == nil || !strings.Contains(err.Error(), "SOURCE_DATE_EPOCH") {
		t.Error(err)
	}
}
