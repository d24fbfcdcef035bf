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
	if err := write(dir, epoch); err != nil {
		t.Fatal(err)
	}
	return dir
}

// Every verb has a page, with all its flags and examples. The same commit gives the same pages.
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
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if !strings.Contains(text, "--"+f.Name) {
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

// The formatter reports no errors.
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

// A list stays a list, and special characters stay unchanged.
func TestPreserved(t *testing.T) {
	if got, want := preserved("a_b <c>\n  x_y\nz"), "a\\_b \\<c>\n      x_y\nz"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// An invalid date is refused.
func TestBadDate(t *testing.T) {
	if err := write(t.TempDir(), "yesterday"); err == nil || !strings.Contains(err.Error(), "SOURCE_DATE_EPOCH") {
		t.Error(err)
	}
}
