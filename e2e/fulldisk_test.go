package e2e

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// Commands that write results, pages, tables and machine files tell their answer and then which
// file could not be written; what was there stays.
func TestFullDiskOfCommands(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	plan := write(t, "plan.yaml", []byte(`name: p
worlds: [ncube2]
ranks: [1, 2, 3, 4, 5, 6]
schemes: [rp]
instances: [{name: small, verb: uts, args: [-d, "2"]}]
`))
	sweep := []string{"sweep", plan, "--results", at("r.jsonl")}
	o := limited(t, "4", sweep...)
	if done := len(results(t, at("r.jsonl"))); o.status != 1 || done < 1 || done > 6 || !strings.Contains(o.stderr, at("r.jsonl")+": file too large") {
		t.Errorf("sweep: status %d, %d results: %s", o.status, done, o.stderr)
	}
	if o := run(t, "", slices.Concat([]string{treesplit(t, none)}, sweep)...); o.status != 0 || len(results(t, at("r.jsonl"))) != 7 {
		t.Errorf("the other runs: status %d: %s%s", o.status, o.stdout, o.stderr)
	}
	for name, c := range map[string]struct {
		kib, file, answer string
		args              []string
	}{
		"report":    {"1", "out/index.html", "7 runs", []string{"report", at("r.jsonl"), "--out", at("out")}},
		"reproduce": {"2", "made/index.html", "It takes 22 steps", []string{"reproduce", "ring-table1", "--out", at("made")}},
		"calibrate": {"1", "m.yaml", "accept: ", []string{"calibrate", "--time", "20ms", "--out", at("m.yaml"), "uts", "-d", "2"}},
	} {
		if err := os.MkdirAll(filepath.Dir(at(c.file)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at(c.file), []byte("old"), 0o644); err != nil {
			t.Fatal(err)
		}
		o := limited(t, c.kib, c.args...)
		if own := strings.Join(o.lines(), "\n"); o.status != 1 || strings.Count(own, "file too large") != 1 || !strings.Contains(own, dir) || strings.Contains(own, ".new") || !strings.Contains(o.stdout, c.answer) {
			t.Errorf("%s: status %d: %s%s", name, o.status, o.stdout, o.stderr)
		}
		if data, err := os.ReadFile(at(c.file)); err != nil || string(data) != "old" {
			t.Errorf("%s: the old file is %q, %v", name, data, err)
		}
	}
	for _, pattern := range []string{"*.new", "*/*.new", "*/*/*.new"} {
		if left, _ := filepath.Glob(at(pattern)); len(left) > 0 {
			t.Errorf("left: %q", left)
		}
	}
}

// Files of a search that cannot be written cost neither the answer nor what was there.
func TestFullDiskOfSearches(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		kib, answer string
		args        []string
	}{
		"pdb-file":      {"64", "length 1", []string{"puzzle", "1 0 2 3 4 5 6 7 8 9 10 11 12 13 14 15", "--heuristic", "pdb"}},
		"progress-file": {"0", "size ", []string{"uts", "-d", "2"}},
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, "f")
		o := limited(t, c.kib, append(c.args, "--"+name, path)...)
		if own := strings.Join(o.lines(), "\n"); o.status != 1 || !strings.Contains(own, "treesplit: --"+name+": "+path+": file too large") || !strings.Contains(o.stdout, c.answer) {
			t.Errorf("%s: status %d: %s%s", name, o.status, o.stdout, o.stderr)
		}
		if left := contents(t, dir); left != "" && left != "f:\n" {
			t.Errorf("%s: left %q", name, left)
		}
	}
}

// checkpointFiles returns the contents of the files of a checkpoint named c. While a search goes
// on there are others for a moment, which it tries to write.
func checkpointFiles(dir string) map[string]string {
	files := map[string]string{}
	for _, name := range []string{"c", "c.previous", "c.logs"} {
		if data, err := os.ReadFile(filepath.Join(dir, name)); err == nil {
			files[name] = string(data)
		}
	}
	return files
}

// A disk that becomes full under a search, as far as rank 0 can tell: the search goes on, and when it
// is ended the last checkpoint is still there, with its logs, to go on from.
func TestFullDiskOfCheckpoints(t *testing.T) {
	t.Parallel()
	needProc(t)
	if _, err := exec.LookPath("prlimit"); err != nil {
		t.Skip(err)
	}
	formula := write(t, "f.cnf", []byte(generate(t, "php", "--n", "11")))
	proof := filepath.Join(t.TempDir(), "p")
	for name, search := range map[string][]string{"tree": long, "proof": {"sat", formula, "--rule", "paper", "--proof", proof}} {
		inEachWorld(t, worlds, func(t *testing.T, l library) {
			if name == "proof" && l == mpich {
				t.Skip("the same code as under the other")
			}
			dir := t.TempDir()
			file := filepath.Join(dir, "c")
			search := append(slices.Clone(search), "--checkpoint", file)
			b := begin(t, l, 2, "", append(slices.Clone(search), "--checkpoint-every", "20ms")...)
			waitFor(t, file)
			full := regexp.MustCompile(regexp.QuoteMeta(file) + `(\.logs)?: file too large|no room for the logs of a proof.*: file too large`)
			said := b.err.until(full)
			rank := b.Process.Pid
			if l != none {
				rank = b.rank(t, 0).Pid
			}
			if out, err := exec.Command("prlimit", "--pid", strconv.Itoa(rank), "--fsize=64:64").CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			select {
			case <-said:
			case <-b.over:
			}
			before := checkpointFiles(dir)
			var status int
			if name == "proof" { // without room for logs there is nothing to go on for
				status = b.ends(t, limit())
			} else {
				status = b.signalled(t, l, 0, syscall.SIGTERM)
			}
			text := b.err.String()
			if status != 1 || !full.MatchString(text) || strings.Contains(text, ".new") || strings.Contains(text, "search saved in") {
				t.Errorf("%s: status %d: %s%s", name, status, &b.out, text)
			}
			if answer := b.out.String(); !strings.Contains(answer, map[string]string{"tree": "nodes in", "proof": "s UNKNOWN"}[name]) {
				t.Errorf("%s: no answer: %s", name, answer)
			}
			if after := checkpointFiles(dir); !maps.Equal(after, before) {
				t.Errorf("%s: what was saved has changed", name)
			}
			if left, _ := filepath.Glob(filepath.Join(dir, "*.new*")); len(left) > 0 {
				t.Errorf("%s: left %q", name, left)
			}
			r := object(t, runIn(t, none, 2, "", append(slices.Clone(search), "--resume", "auto", "--timeout", "20ms", "--json")...), 3)
			if r["resumed"] == nil {
				t.Errorf("%s: %v", name, r)
			}
		})
	}
}
