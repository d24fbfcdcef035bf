package e2e

import (
	"bytes"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"
)

// within runs a shell script in 4 GB of address space. In the script $T is the program.
func within(t *testing.T, script string) outcome {
	t.Helper()
	return run(t, "", "sh", "-c", "ulimit -v 4000000; T="+treesplit(t, none)+"; "+script)
}

// Every command that reads a file refuses an endless file, with one error line and status 2.
func TestEndlessInputs(t *testing.T) {
	t.Parallel()
	formula := write(t, "formula.cnf", []byte("p cnf 2 2\n1 -2 0\n2 0\n"))
	for script, want := range map[string]string{
		"$T sat /dev/zero":                                          `/dev/zero:1: found "\x00`,
		"$T sat - </dev/zero":                                       `stdin:1: found "\x00`,
		"yes 1 | $T sat -":                                          `stdin:1: found "1"`,
		"{ echo p cnf 1 9; yes 1 0; } | $T sat -":                   "stdin:11: clause 10 begins here",
		"$T check " + formula + " /dev/zero":                        `/dev/zero:1: found "\x00`,
		"$T check /dev/zero " + formula:                             `/dev/zero:1: found "\x00`,
		"$T uts --resume /dev/zero":                                 "/dev/zero: this is not a checkpoint",
		"$T uts --machine /dev/zero":                                "/dev/zero: larger than 256 KiB: expected a machine file",
		"yes '# no' | $T uts --machine /dev/stdin":                  "/dev/stdin: larger than 256 KiB: expected a machine file",
		"$T puzzle --batch /dev/zero":                               "/dev/zero: larger than 16 MiB: expected a file of boards",
		"yes tiles | $T puzzle --batch /dev/stdin":                  "/dev/stdin:2: ",
		"$T puzzle --heuristic pdb78 --pdb-file /dev/zero BOARD":    "/dev/zero: not a file of pattern databases",
		"$T sweep /dev/zero":                                        "/dev/zero: larger than 256 KiB: expected a plan",
		"yes '# no' | $T sweep /dev/stdin":                          "/dev/stdin: larger than 256 KiB: expected a plan",
		"$T report /dev/zero":                                       "/dev/zero:1: the line has more than",
		"yes | $T report /dev/stdin":                                "/dev/stdin:1: ",
		"$T map --format metis -p 2 /dev/zero":                      `/dev/zero:1: "\x00`,
		"yes 1 | $T map --format metis -p 2 -":                      "stdin:1: ",
		"{ echo 2 1; yes '2 2 2'; } | $T map --format metis -p 2 -": "stdin:2: more neighbours than the 2 that 1 edges have",
		"$T map --format scotch -p 2 /dev/zero":                     `/dev/zero:1: "\x00`,
		"$T map --format vt /dev/zero":                              "/dev/zero: it is not JSON: the brotli data is damaged",
	} {
		t.Run(script, func(t *testing.T) {
			t.Parallel()
			script = strings.ReplaceAll(script, "BOARD", "'0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15'")
			refused(t, within(t, script), want)
		})
	}
}

// A small compressed file that expands to a very large one is refused: at the first limit that it
// exceeds, of its size or of the ratio of the two sizes.
func TestDecompressionBombs(t *testing.T) {
	t.Parallel()
	blanks := strings.Repeat("\n", 1<<20)
	bomb := func(name string) string {
		var b bytes.Buffer
		z, err := zstd.NewWriter(&b, zstd.WithEncoderConcurrency(1))
		if err != nil {
			t.Fatal(err)
		}
		for range 64 {
			if _, err := z.Write([]byte(blanks)); err != nil {
				t.Fatal(err)
			}
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		return write(t, name, b.Bytes())
	}
	formula := write(t, "formula.cnf", []byte("p cnf 1 1\n1 0\n"))
	for command, want := range map[string]string{
		"sat " + bomb("bomb.cnf"):                       "times as many",
		"check " + formula + " " + bomb("bomb.drat"):    "times as many",
		"map --format metis -p 2 " + bomb("bomb.graph"): "times as many",
		"map --format vt " + bomb("bomb.json"):          "times as many",
		"puzzle --batch " + bomb("bomb.csv"):            "larger than 16 MiB",
		"uts --machine " + bomb("bomb.yaml"):            "larger than 256 KiB",
	} {
		refused(t, within(t, "$T "+command), want)
	}
}

// Formulas and proofs are read in every supported compression, also if the name of the file has no
// ending for it. Every command reads text with a byte order mark.
func TestCompressedInputs(t *testing.T) {
	t.Parallel()
	read := func(name string) []byte {
		data, err := os.ReadFile(filepath.Join("..", "testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	formula, proof := read("php4.cnf"), read("php4.drat")
	xzed := func(data []byte) []byte {
		var b bytes.Buffer
		w, err := xz.NewWriter(&b)
		if err == nil {
			_, err = w.Write(data)
		}
		if err == nil {
			err = w.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	f, p := write(t, "php4.cnf.xz", xzed(formula)), write(t, "proof", xzed(proof))
	if o := run(t, "", treesplit(t, none), "sat", f); o.status != 20 {
		t.Errorf("xz: status %d: %s", o.status, o.stderr)
	}
	if o := run(t, "", treesplit(t, none), "check", f, p); o.status != 0 {
		t.Errorf("xz: status %d: %s%s", o.status, o.stdout, o.stderr)
	}
	// "p cnf 2 2\n1 -2 0\n2 0\n" with a comment, by bzip2.
	bzip2, err := hex.DecodeString("425a6839314159265359c2bfec7e00000ad9800010400270002b05ce8020002213d464646468534c8c4c4c44c14adcde276c6d67020027952a4ed67d5f177245385090c2bfec7e")
	if err != nil {
		t.Fatal(err)
	}
	if o := run(t, string(bzip2), treesplit(t, none), "sat", "-"); o.status != 10 {
		t.Errorf("bzip2: status %d: %s", o.status, o.stderr)
	}

	mark := func(name string) string { return write(t, name, append([]byte("\xef\xbb\xbf"), read(name)...)) }
	for _, args := range [][]string{
		{"sat", mark("random50-sat.cnf")},
		{"check", mark("php4.cnf"), mark("php4.drat")},
		{"map", mark("random20.graph"), "-p", "2", "--time", "10ms"},
		{"map", mark("ring.json"), "--time", "10ms"},
		{"puzzle", "--batch", mark("boards.csv")},
		{"uts", "-t", "3", "-d", "3", "--machine", mark("machine.yaml")},
		{"sweep", mark("sweep.yaml"), "--list"},
	} {
		if o := run(t, "", append([]string{treesplit(t, none)}, args...)...); o.status != 0 && o.status != 10 {
			t.Errorf("%s with a byte order mark: status %d: %s", args[0], o.status, o.stderr)
		}
	}
}

// An output whose name has the ending of a compression is written in that compression. If the output
// cannot be compressed so, the name is refused before the command starts its work.
func TestCompressedOutputs(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	formula := write(t, "formula.cnf", []byte("p cnf 1 2\n1 0\n-1 0\n"))
	board := "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 0"
	for _, c := range []struct {
		flag string
		args []string
	}{
		{"--proof", []string{"sat", formula, "--proof", "out.xz"}},
		{"--trace", []string{"sat", formula, "--trace", "out.bz2"}},
		{"--cubes", []string{"sat", formula, "--rule", "cubes", "--cubes", "out.icnf.bz2"}},
		{"--lrat", []string{"check", formula, formula, "--lrat", "out.lrat.xz"}},
		{"--graph", []string{"objects", "--graph", "out.graph.gz"}},
		{"--output", []string{"gen", "php", "--n", "3", "-o", "out.xz"}},
		{"--progress-file", []string{"sat", formula, "--progress-file", "out.gz"}},
		{"--checkpoint", []string{"uts", "--checkpoint", "out.zst"}},
		{"--out", []string{"map", "GRAPH", "-p", "2", "--out", "m.part.br"}},
		{"--out", []string{"calibrate", "--out", "out.gz", "uts"}},
		{"--results", []string{"sweep", "PLAN", "--results", "out.jsonl.gz"}},
		{"--pdb-file", []string{"puzzle", "--heuristic", "pdb78", "--pdb-file", "out.gz", board}},
	} {
		for i, a := range c.args {
			if base, _, _ := strings.Cut(a, "."); base == "out" || base == "m" {
				c.args[i] = filepath.Join(dir, a)
			}
		}
		refused(t, run(t, "", append([]string{treesplit(t, none)}, c.args...)...), c.flag+": ", "without")
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("%v; files left behind: %v", left, err)
	}

	out := filepath.Join(dir, "php.cnf.gz")
	if o := run(t, "", treesplit(t, none), "gen", "php", "--n", "3", "-o", out); o.status != 0 {
		t.Fatal(o.stderr)
	}
	data, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := gzip.NewReader(bytes.NewReader(data)); err != nil {
		t.Errorf("%s: %v", out, err)
	}
	graph := filepath.Join("..", "testdata", "random20.graph")
	part := filepath.Join(dir, "m.part.zst")
	if o := run(t, "", treesplit(t, none), "map", graph, "-p", "2", "--time", "10ms", "--out", part); o.status != 0 {
		t.Fatal(o.stderr)
	}
	if data, err = os.ReadFile(part); err != nil || !bytes.HasPrefix(data, []byte("\x28\xb5\x2f\xfd")) {
		t.Errorf("%s: %q, %v", part, data[:min(len(data), 8)], err)
	}
	if o := run(t, "", treesplit(t, none), "map", graph, "-p", "2", "--score", part); o.status != 0 {
		t.Error(o.stderr)
	}
}

// --relaxed accepts a formula whose header has wrong numbers. One warning is printed, on any number
// of ranks, on goroutines and under MPI.
func TestRelaxed(t *testing.T) {
	t.Parallel()
	const warning = "treesplit: warning: stdin:1: the header promises 3 variables and 1 clauses: the formula has 3 and 2"
	const formula = "p cnf 3 1\n1 0\n-1 0\n"
	inEachWorld(t, worlds, func(t *testing.T, l library) {
		refused(t, runIn(t, l, 2, formula, "sat", "-"), "stdin:3: clause 2 begins here")
		o := runIn(t, l, 2, formula, "sat", "-", "--relaxed")
		if own := o.lines(); len(own) != 1 || own[0] != warning || !strings.Contains(o.stdout, "s UNSATISFIABLE") {
			t.Errorf("status %d: %s%s", o.status, o.stdout, o.stderr)
		}
	})
	proof := write(t, "proof.drat", []byte("0\n"))
	o := run(t, formula, treesplit(t, none), "check", "-", proof, "--relaxed")
	if own := o.lines(); o.status != 0 || len(own) != 1 || own[0] != warning {
		t.Errorf("check: status %d: %s%s", o.status, o.stdout, o.stderr)
	}
}
