package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// An output that is the same file as an input or as another output is refused, also under another
// name. It is refused on goroutines and under MPI, before any file is written.
func TestOutputIsInput(t *testing.T) {
	t.Parallel()
	inEachWorld(t, worlds, func(t *testing.T, l library) {
		dir := t.TempDir()
		at := func(name string) string { return filepath.Join(dir, name) }
		text, err := os.ReadFile("../testdata/php4.cnf")
		if err != nil {
			t.Fatal(err)
		}
		graph, err := os.ReadFile("../testdata/random20.graph")
		if err != nil {
			t.Fatal(err)
		}
		for _, err := range []error{
			os.WriteFile(at("f"), text, 0o644), os.WriteFile(at("g.part"), graph, 0o644),
			os.Link(at("f"), at("hard")), os.Symlink("f", at("soft")), os.Symlink("later", at("dangling")),
		} {
			if err != nil {
				t.Fatal(err)
			}
		}
		before := contents(t, dir)
		cases := []struct {
			args []string
			want string
		}{
			{[]string{"sat", at("f"), "--proof", at("f")}, "--proof: " + at("f") + " is also the input (expected another name)"},
			{[]string{"sat", at("f"), "--trace", at("hard")}, "--trace: " + at("hard") + " is also the input"},
			{[]string{"sat", at("soft"), "--progress-file", at("f")}, "--progress-file: " + at("f") + " is also the input"},
			{[]string{"sat", at("f"), "--checkpoint", at("f")}, "--checkpoint: " + at("f") + " is also the input"},
			{[]string{"sat", at("f"), "--checkpoint", at("c"), "--trace", at("c")}, "--trace: " + at("c") + " is also the checkpoint of --checkpoint"},
			{[]string{"sat", at("f"), "--checkpoint", at("c"), "--proof", at("c.logs")}, at("c.logs") + " is also"},
			{[]string{"sat", at("f"), "--resume", at("c"), "--trace", at("c.previous")}, "--trace: " + at("c.previous") + " is also a file that goes with the checkpoint"},
			{[]string{"sat", at("f"), "--proof", at("later"), "--trace", at("dangling")}, "--trace: " + at("dangling") + " is also the output of --proof"},
			{[]string{"map", at("g.part"), "--format", "metis", "-p", "4", "--strategy", "bb", "--out", at("g.part")}, "--out: " + at("g.part") + " is also the input"},
		}
		if l != none { // one case of each kind: the other cases run the same code
			cases = []struct {
				args []string
				want string
			}{cases[0], cases[4], cases[8]}
		}
		for _, c := range cases {
			refused(t, runIn(t, l, 2, "", c.args...), c.want)
		}
		if after := contents(t, dir); after != before {
			t.Errorf("%s, was %s", after, before)
		}
	})
}

// TestOutputIsInputAlone is the same test for further commands and flags, on goroutines only.
func TestOutputIsInputAlone(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for name, text := range map[string]string{
		"m.part": "0\n", "plan": "name: p\n", "index.html": "", "f.cnf": "p cnf 1 1\n1 0\n", "b.csv": "tiles\n1 0 2 3\n", "torn": "no results, and no line end",
	} {
		if err := os.WriteFile(at(name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	before := contents(t, dir)
	for want, args := range map[string][]string{
		"--out: " + at("m.part") + " is also the input of --score":     {"map", "../testdata/mesh16.graph", "-p", "8", "--score", at("m.part"), "--out", at("m.part")},
		"--out: " + at("m.part") + " is also the input of --start":     {"map", "../testdata/mesh16.graph", "-p", "8", "--start", at("m.part"), "--out", at("m.part"), "--strategy", "pair-bb"},
		"--results: ../testdata/sweep.yaml is also the input":          {"sweep", "../testdata/sweep.yaml", "--results", "../testdata/sweep.yaml"},
		at("torn") + ": its end is not the start of a result":          {"sweep", "../testdata/sweep.yaml", "--results", at("torn")},
		"--out: " + at("index.html") + " is also the input":            {"report", at("index.html"), "--out", dir},
		"--out: " + at("f.cnf") + " is also the input":                 {"calibrate", "--out", at("f.cnf"), "sat", at("f.cnf")},
		"--pdb-file: " + at("b.csv") + " is also the input of --batch": {"puzzle", "--size", "2x2", "--batch", at("b.csv"), "--pdb-file", at("b.csv")},
		"--trace: " + at("t.json") + " is also the output of --graph":  {"objects", "--graph", at("t.json"), "--trace", at("t.json")},
	} {
		refused(t, run(t, "", slices.Concat([]string{treesplit(t, none)}, args)...), want)
	}
	if after := contents(t, dir); after != before {
		t.Errorf("%s, was %s", after, before)
	}
}

// contents returns the names and the contents of all files in a directory.
func contents(t testing.TB, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, e := range entries {
		data, _ := os.ReadFile(filepath.Join(dir, e.Name()))
		b.WriteString(e.Name() + ":" + string(data) + "\n")
	}
	return b.String()
}

// If an additional output file cannot be written, the complete answer is printed first, then the
// error, and the status is 1.
func TestAnswerBeforeTrouble(t *testing.T) {
	t.Parallel()
	inEachWorld(t, worlds, func(t *testing.T, l library) {
		php := "../testdata/php4.cnf"
		all := map[string][]string{
			"--proof":         {"sat", php},
			"--trace":         {"sat", php},
			"--progress-file": {"uts", "-d", "2"},
		}
		if l == none {
			all["--trace "] = []string{"ring", "tree", "--levels", "4"}
			all["--trace  "] = []string{"puzzle", "--size", "2x2", "1 0 2 3"}
			all["--progress-file "] = []string{"uts", "-d", "2", "--machine", "ncube2"}
		}
		for flag, args := range all {
			flag = strings.TrimSpace(flag)
			o := runIn(t, l, 2, "", slices.Concat(args, []string{"--json", flag, "/dev/full"})...)
			r := object(t, outcome{stdout: o.stdout, stderr: o.stderr}, 0)
			if r["expanded"].(float64) < 1 || o.status != 1 || !slices.Contains(o.lines(), "treesplit: "+flag+": /dev/full: no space left on device") {
				t.Errorf("%v %s: status %d: %s%s", args, flag, o.status, o.stdout, o.stderr)
			}
			if args[0] == "sat" && r["result"] != "UNSATISFIABLE" {
				t.Errorf("%v", r)
			}
		}
	})
}

// limited runs the program with a limit on the size of files, in KiB. A file that reaches the limit
// fails like a file on a full disk.
func limited(t testing.TB, kib string, args ...string) outcome {
	t.Helper()
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip(err)
	}
	return run(t, "", slices.Concat([]string{"bash", "-c", "ulimit -f " + kib + ` && exec "$@"`, "bash", treesplit(t, none)}, args)...)
}

// If the disk becomes full while a file is written, the older file stays, and no other file remains.
// The results are printed, and an error names the file.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	php7 := write(t, "f.cnf", []byte(generate(t, "php", "--n", "7")))
	// A ring of 3000 objects in METIS's format. Its map is larger than the limit of 4 KiB.
	var graph strings.Builder
	graph.WriteString("3000 3000\n")
	for i := range 3000 {
		fmt.Fprintf(&graph, "%d %d\n", (i+2999)%3000+1, (i+1)%3000+1)
	}
	ring := write(t, "ring.graph", []byte(graph.String()))
	for name, c := range map[string]struct {
		file, answer string
		args         []string
	}{
		"proof":   {"p", "s UNSATISFIABLE", []string{"sat", php7, "--proof"}},
		"trace":   {"t.json", "size ", []string{"uts", "--tree", "T3", "-n", "2", "--trace"}},
		"formula": {"f.cnf", "", []string{"gen", "php", "--n", "12", "-o"}},
		"map":     {"m.part", "makespan", []string{"map", ring, "-p", "2", "--strategy", "greedy", "--out"}},
		"graph":   {"g.json", "checksum", []string{"objects", "-n", "2", "--objects", "60", "--iterations", "2", "--work", "1", "--strategy", "stay", "--graph"}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, c.file)
			if err := os.WriteFile(path, []byte("old"), 0o644); err != nil {
				t.Fatal(err)
			}
			kib := "4"
			if name == "proof" { // the proof is made from logs, which must fit
				kib = "64"
			}
			o := limited(t, kib, append(c.args, path)...)
			if own := strings.Join(o.lines(), "\n"); o.status != 1 || !strings.Contains(own, path+": file too large") || strings.Contains(own, ".new") || !strings.Contains(o.stdout, c.answer) {
				t.Errorf("status %d: %s%s", o.status, o.stdout, o.stderr)
			}
			if left := contents(t, dir); left != c.file+":old\n" {
				t.Errorf("left: %q", left)
			}
		})
	}
}
