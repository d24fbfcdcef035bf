package e2e

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// A checkpoint that is there is refused before the search, resumed by --resume auto, and
// overwritten by --restart alone; standard error says so in plain lines, once, with what to type.
func TestCheckpointKept(t *testing.T) {
	t.Parallel()
	inEachWorld(t, worlds, func(t *testing.T, l library) {
		dir := filepath.Join(t.TempDir(), "it's here")
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(dir, "c")
		typed := "'" + strings.ReplaceAll(file, "'", `'\''`) + "'"
		search := func(more ...string) outcome {
			return runIn(t, l, 2, "", slices.Concat(large, []string{"--checkpoint", file, "--timeout", "20ms"}, more)...)
		}
		saved := func(o outcome, instead string, before ...string) {
			t.Helper()
			want := append(before, "treesplit: search saved in "+file+"; to resume it, run the same command with --resume "+typed+instead)
			if o.status != 3 || !slices.Equal(o.lines(), want) {
				t.Fatalf("status %d, %q, want %q", o.status, o.lines(), want)
			}
		}
		saved(search("--resume", "auto"), "", "treesplit: there is no checkpoint in "+file+"; the search starts at the beginning")
		before := contents(t, dir)
		refused(t, search(), "--checkpoint: "+file+": there is a checkpoint of uts", "nodes in 1 run, saved ", "--resume auto", "--restart")
		refused(t, runIn(t, l, 2, "", "uts", "--tree", "T3", "--checkpoint", file, "--resume", "auto"), "another search of uts: --type is 1 there and 0 here")
		if after := contents(t, dir); after != before {
			t.Error("a run that was refused has changed the files")
		}
		saved(search("--restart"), " instead of --restart")
		o := search("--resume", "auto", "--json")
		if r := object(t, o, 3); r["resumed"] == nil || !strings.HasPrefix(o.lines()[0], "treesplit: the search resumes from "+file+": ") {
			t.Errorf("%v, %q", r, o.lines())
		}
		if err := os.WriteFile(file, []byte("mine"), 0o644); err != nil {
			t.Fatal(err)
		}
		refused(t, search("--restart"), file+": not written by --checkpoint, and is never overwritten")
	})
}

// While one run saves itself in a file another is refused; the lock of a run that was killed does not
// block.
func TestCheckpointOfTwoRuns(t *testing.T) {
	t.Parallel()
	inEachWorld(t, worlds, func(t *testing.T, l library) {
		file := filepath.Join(t.TempDir(), "c")
		b := begin(t, l, 2, "", append(long, "--checkpoint", file)...)
		for _, more := range []string{"--restart", "--resume=auto"} {
			refused(t, runIn(t, l, 2, "", append(long, "--checkpoint", file, more)...), "--checkpoint: "+file+": another run writes it: process ")
		}
		if err := b.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		<-b.over
		for _, r := range b.ranks() { // which a launcher that is killed may leave
			r.Kill()
		}
		for len(b.ranks()) > 0 {
		}
		if _, err := os.Stat(file + ".lock"); err != nil {
			t.Error(err)
		}
		if o := runIn(t, l, 2, "", append(long, "--checkpoint", file, "--timeout", "20ms")...); o.status != 3 {
			t.Errorf("status %d: %s", o.status, o.stderr)
		}
	})
}

// Ctrl-C without --checkpoint names the flag. The second Ctrl-C or SIGTERM ends the process at
// once, but not one that comes after SIGUSR1 alone.
func TestSecondSignal(t *testing.T) {
	t.Parallel()
	const unsaved = "treesplit: the search was not saved; with --checkpoint FILE, a search that is ended early is saved and can be resumed\n"
	for name, c := range map[string]struct {
		signals []os.Signal
		saved   bool
	}{
		"once":          {[]os.Signal{os.Interrupt}, true},
		"twice":         {[]os.Signal{os.Interrupt, syscall.SIGTERM}, false},
		"after SIGUSR1": {[]os.Signal{syscall.SIGUSR1, syscall.SIGTERM, syscall.SIGUSR1}, true},
	} {
		t.Run(name, func(t *testing.T) {
			b := begin(t, none, 2, "", long...)
			// A stopped process gets its signals together when it goes on.
			for _, s := range append([]os.Signal{syscall.SIGSTOP}, append(c.signals, syscall.SIGCONT)...) {
				if err := b.Process.Signal(s); err != nil {
					t.Fatal(err)
				}
			}
			status := b.ends(t, limit())
			if status != 3 || c.saved && strings.Count(b.err.String(), unsaved) != 1 {
				t.Errorf("status %d: %s", status, &b.err)
			}
		})
	}
}

// A signal to one of several processes ends the search, and one line tells what is kept.
func TestSignalledRankTellsOnce(t *testing.T) {
	t.Parallel()
	inEachWorld(t, libraries, func(t *testing.T, l library) {
		saved := filepath.Join(t.TempDir(), "saved")
		for line, flags := range map[string][]string{
			"treesplit: the search was not saved; with --checkpoint FILE": nil,
			"treesplit: search saved in " + saved:                         {"--checkpoint", saved},
		} {
			b := begin(t, l, 2, "", slices.Concat(long, flags)...)
			status := b.signalled(t, l, 1, syscall.SIGUSR1)
			if strings.Count(b.err.String(), line) != 1 || status != 3 && l == openMPI {
				t.Errorf("status %d, not once %q: %s", status, line, &b.err)
			}
		}
	})
}
