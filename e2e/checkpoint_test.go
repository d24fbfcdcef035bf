package e2e

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// large is a tree that one rank searches for seconds.
var large = uneven(12)

// uneven is a search of a geometric tree of the given depth.
func uneven(depth int) []string {
	return []string{"uts", "-t", "1", "-a", "3", "-d", strconv.Itoa(depth), "-b", "4", "-r", "19"}
}

// A signal to the launcher, or to the process where there is none, saves the search within a
// moment, or as it was a moment before; it goes on in another world, under another scheme, on
// other ranks, where it is saved by another signal, and in the end has the same W.
func TestSaved(t *testing.T) {
	t.Parallel()
	type stop struct {
		in     library
		signal syscall.Signal
	}
	for i, c := range []struct {
		stops []stop
		tree  []string // on any machine longer than three launches: busy ranks, or ranks that wait
		nodes float64
	}{
		{[]stop{{none, syscall.SIGTERM}, {openMPI, syscall.SIGUSR1}, {mpich, syscall.SIGTERM}}, slices.Concat(uneven(11), []string{"-g", "8"}), 16_526_523},
		{[]stop{{openMPI, syscall.SIGTERM}, {none, syscall.SIGUSR1}, {mpich, syscall.SIGUSR1}}, slices.Concat(uneven(6), []string{"--pace", "1ms"}), 16_000},
	} {
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "checkpoint")
			schemes := schemes(t)
			search := slices.Concat(c.tree, []string{"--checkpoint", file})
			for j, s := range c.stops {
				s.in.need(t)
				args := slices.Concat(search, []string{"--scheme", schemes[(7*i+3*j)%len(schemes)]})
				certain := s.in == openMPI && s.signal == syscall.SIGTERM && j == 0
				if certain {
					// It is handed on after a second, and after another ranks are killed, however
					// busy the machine is: what is certain is the checkpoint before.
					args = append(args, "--checkpoint-every", "100ms")
				}
				if j > 0 {
					args = append(args, "--resume", file)
				}
				b := begin(t, s.in, 2+j%2, "", args...)
				if certain {
					waitFor(t, file)
				}
				if err := b.Process.Signal(s.signal); err != nil {
					t.Fatal(err)
				}
				b.ends(t, 20*time.Second)
				t.Logf("%v on %v: %s%s", s.signal, s.in, &b.out, &b.err)
			}
			last := worlds[1-i]
			scheme := schemes[(7*i+9)%len(schemes)]
			r := object(t, runIn(t, last, 3, "", slices.Concat(c.tree, []string{"--resume", file, "--scheme", scheme, "--json"})...), 0)
			resumed := r["resumed"].(map[string]any)
			if before := resumed["expanded"].(float64); r["expanded"] != c.nodes || before <= 0 || before >= c.nodes || resumed["sessions"] != float64(len(c.stops)) {
				t.Errorf("%v nodes, resumed %v, want %v nodes after %d sessions", r["expanded"], resumed, c.nodes, len(c.stops))
			}
		})
	}
}

// A search is saved when its time is up, in chains of short runs that come to the end.
func TestJobChain(t *testing.T) {
	t.Parallel()
	inEachWorld(t, worlds, func(t *testing.T, l library) {
		file := filepath.Join(t.TempDir(), "checkpoint")
		args := []string{"uts", "-t", "1", "-a", "3", "-d", "11", "-b", "4", "-r", "19", "--checkpoint", file, "--json"}
		runs := 1
		o := runIn(t, l, 2, "", append(args, "--timeout", "20ms")...) // not even a fast machine needs one run only
		args = append(args, "--timeout", "250ms")
		for ; o.status == 3; runs++ {
			if r := object(t, o, 3); r["checkpoint"].(map[string]any)["final"] != true {
				t.Fatalf("%v", r)
			}
			o = runIn(t, l, 2, "", append(args, "--resume", file)...)
		}
		if r := object(t, o, 0); r["expanded"] != 16526523.0 || runs < 2 {
			t.Errorf("%v nodes in %d runs, want 16526523", r["expanded"], runs)
		}
	})
}

// A proof goes through checkpoints: from a run of one world to one of the next until the
// search is done, and is the same to the byte as that of one run, which check verifies.
func TestProofChain(t *testing.T) {
	t.Parallel()
	for _, l := range worlds {
		l.need(t)
	}
	dir, formula := t.TempDir(), "../testdata/php8.cnf"
	whole, path, file := filepath.Join(dir, "whole"), filepath.Join(dir, "proof"), filepath.Join(dir, "checkpoint")
	args := []string{"sat", formula, "--rule", "paper", "--json"}
	object(t, runIn(t, none, 1, "", append(args, "--proof", whole)...), 20)
	args = append(args, "--proof", path, "--checkpoint", file, "--checkpoint-every", "10ms")
	for runs := 0; ; runs++ {
		if runs == 100 {
			t.Fatal("no end after 100 runs")
		}
		l, span := worlds[runs%len(worlds)], "25ms"
		if runs+1 < len(worlds) {
			span = "4ms" // so short that the search reaches every world, however fast the machine is
		}
		more := append(slices.Clone(args), "--timeout", span)
		if runs > 0 {
			more = append(more, "--resume", file)
		}
		o := runIn(t, l, 1+runs%3, "", more...)
		if o.status == 3 {
			continue
		}
		object(t, o, verdictStatus(l, 20))
		if runs+1 < len(worlds) {
			t.Errorf("the search was over in %d runs: expected one in each world", runs+1)
		}
		t.Logf("%d runs", runs+1)
		break
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if want, err := os.ReadFile(whole); err != nil || !bytes.Equal(got, want) {
		t.Errorf("a proof of %d bytes, %v, want %d, and the same", len(got), err, len(want))
	}
	object(t, run(t, "", treesplit(t, none), "check", formula, path, "--json"), 0)
}

// What cannot be gone on from, or saved, is refused at the beginning.
func TestBadCheckpoints(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	good := filepath.Join(dir, "good")
	if o := runIn(t, none, 2, "", slices.Concat(large, []string{"--checkpoint", good, "--timeout", "50ms"})...); o.status != 3 {
		t.Fatalf("status %d: %s", o.status, o.stderr)
	}
	data, err := os.ReadFile(good)
	if err != nil {
		t.Fatal(err)
	}
	cut, other := write(t, "cut", data[:len(data)/2]), write(t, "other", []byte("p cnf 1 1\n"))
	changed := bytes.Clone(data)
	changed[len(data)/2] ^= 4
	spoilt := write(t, "spoilt", changed)
	php, php11, unproved := "../testdata/php4.cnf", write(t, "php11.cnf", []byte(generate(t, "php", "--n", "11"))), filepath.Join(t.TempDir(), "unproved")
	if o := runIn(t, none, 2, "", "sat", php11, "--rule", "paper", "--checkpoint", unproved, "--timeout", "20ms"); o.status != 3 {
		t.Fatalf("status %d: %s", o.status, o.stderr)
	}
	inEachWorld(t, worlds, func(t *testing.T, l library) {
		for name, c := range map[string]struct {
			args []string
			want string
		}{
			"missing":             {append(large, "--resume", dir+"/missing"), "missing: no such file"},
			"cut":                 {append(large, "--resume", cut), cut + ": the checkpoint is cut short or damaged"},
			"spoilt":              {append(large, "--resume", spoilt), spoilt + ": the checkpoint is cut short or damaged"},
			"something else":      {append(large, "--resume", other), other + ": this is not a checkpoint: expected"},
			"another tree":        {[]string{"uts", "--tree", "T3", "--resume", good}, good + ": the checkpoint is of another search of uts: --type is 1 there and 0 here"},
			"another workload":    {[]string{"sat", php, "--resume", good}, "expected a checkpoint of sat, rule"},
			"no folder":           {append(large, "--checkpoint", dir+"/no/such"), "no such file or directory"},
			"a folder":            {append(large, "--checkpoint", dir), dir + ": expected the name of a file"},
			"no file":             {append(large, "--checkpoint-every", "1s"), "expected --checkpoint FILE as well"},
			"a negative interval": {append(large, "--checkpoint", dir+"/x", "--checkpoint-every", "-1s"), "--checkpoint-every"},
			"a proof of a part":   {[]string{"sat", php11, "--rule", "paper", "--proof", dir + "/proof", "--resume", unproved}, unproved + ": the checkpoint is of a search without --proof"},
			"with a baseline":     {append(large, "--resume", good, "--sequential"), "expected no --resume"},
		} {
			t.Run(name, func(t *testing.T) {
				refused(t, runIn(t, l, 2, "", slices.Clone(c.args)...), c.want)
			})
		}
	})
	if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) != 1 {
		t.Errorf("files left behind: %s", strings.Join(left, " "))
	}
}
