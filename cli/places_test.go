package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// mapFiles returns a folder with files of two ranks of vt, and a link y.0.json to one of them.
func mapFiles(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, from := range map[string]string{"d.0.json": "run.0.json", "d.1.json": "run.1.json", "f.cnf": "../../../testdata/php4.cnf"} {
		text, err := os.ReadFile(filepath.Join("../mapping/graphfile/testdata", from))
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, name), string(text))
	}
	for link, to := range map[string]string{"y.0.json": "d.1.json", "soft.json": "d.1.json"} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// An output that is an input or another output is refused, also if %p stands for the number of the rank,
// and no file changes.
func TestPlaces(t *testing.T) {
	dir := mapFiles(t)
	before := folderText(t, dir)
	for line, text := range map[string]string{
		"map DIR/d.%p.json --out DIR/d.1.json":                                         "--out: DIR/d.1.json is also the input",
		"map DIR/d.%p.json -p 1 --out DIR/d.1.json":                                    "--out: DIR/d.1.json is also the input",
		"map DIR/d.%p.json --out DIR/soft.json":                                        "--out: DIR/soft.json is also the input",
		"map DIR/d.%p.json --out DIR/y.%p.json":                                        "--out: DIR/y.0.json is also the input",
		"map DIR/d.%p.json --out DIR/d.%p.json":                                        "--out: DIR/d.0.json is also the input",
		"map DIR/d.%p.json --strategy bb --trace DIR/d.1.json":                         "--trace: DIR/d.1.json is also the input",
		"map DIR/d.%p.json --strategy bb --progress-file DIR/d.1.json":                 "--progress-file: DIR/d.1.json is also the input",
		"map DIR/d.%p.json --strategy bb --checkpoint DIR/d.1.json":                    "--checkpoint: DIR/d.1.json is also the input",
		"map DIR/d.%p.json --strategy bb --out DIR/z.%p.json --trace DIR/z.1.json":     "--trace: DIR/z.1.json is also the output of --out",
		"map DIR/d.0.json -p 3 --strategy bb --out DIR/z.%p.json --trace DIR/z.2.json": "--trace: DIR/z.2.json is also the output of --out",
		"sat DIR/f.cnf --proof -":                                                      "--proof: expected the name of a file (./- for a file of this name)",
		"sat DIR/f.cnf --trace -":                                                      "--trace: expected the name of a file (./-",
		"sat DIR/f.cnf --checkpoint -":                                                 "--checkpoint: expected the name of a file (./-",
		"map DIR/d.%p.json --out DIR/no/x.part":                                        "--out: DIR/no/x.part: no such file or directory",
		"map DIR/d.%p.json --out DIR/no/x.%p.json":                                     "--out: DIR/no/x.0.json: no such file or directory",
		"map DIR/d.%p.json --out DIR/d.0.json/x.part":                                  "--out: DIR/d.0.json/x.part: not a directory",
		"map DIR/d.%p.json --strategy bb --out DIR/no/x.part":                          "--out: DIR/no/x.part: no such file or directory",
		"map DIR/d.%p.json --out -":                                                    "--out: ",
		"run --trace DIR/f.cnf -- cat DIR/f.cnf":                                       "--trace: DIR/f.cnf is also a file of the worker's command",
		"sat DIR/f.cnf --proof /dev/stdout --trace /dev/stdout":                        "--trace: /dev/stdout is also the output of --proof",
	} {
		refusesWords(t, strings.Fields(strings.ReplaceAll(line, "DIR", dir)), strings.ReplaceAll(text, "DIR", dir))
	}
	if after := folderText(t, dir); after != before {
		t.Errorf("the files were %s and are %s", before, after)
	}
}

// folderText returns the names and contents of the files in a folder.
func folderText(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		b.WriteString(e.Name() + "\n" + string(data))
	}
	return b.String()
}

// Standard output and standard error are outputs if they are regular files.
func TestStreamsArePlaces(t *testing.T) {
	dir := mapFiles(t)
	name := filepath.Join(dir, "f.cnf")
	log, results, machine, pages := filepath.Join(dir, "log"), filepath.Join(dir, "r.jsonl"), filepath.Join(dir, "m.yaml"), filepath.Join(dir, "out")
	page := filepath.Join(pages, "index.html")
	if err := os.Mkdir(pages, 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, results, "")
	write(t, machine, "base: ncube2\n")
	for _, c := range []struct {
		stdout, stderr string // names; "": not a file
		args           []string
		want           string
	}{
		{name, "", []string{"sat", "-"}, "the standard input is also the standard output (expected another file)"},
		{"", name, []string{"sat", "-"}, "the standard input is also the standard error"},
		{name, "", []string{"check", "-", "../testdata/php4.drat"}, "the standard input is also the standard output"},
		{name, "", []string{"sat", name}, name + " is also the standard output (expected another name)"},
		{"", name, []string{"sat", name}, name + " is also the standard error"},
		{"", log, []string{"sat", name, "--trace", log}, "--trace: " + log + " is also the standard error"},
		{log, "", []string{"sat", name, "--trace", log}, "--trace: " + log + " is also the standard output"},
		{name, "", []string{"check", name, "../testdata/php4.drat"}, name + " is also the standard output"},
		{log, log, []string{"sat", name}, ""},
		{results, "", []string{"report", results}, results + " is also the standard output"},
		{results, "", []string{"report", results, "--out", filepath.Join(dir, "pages")}, results + " is also the standard output"},
		{results, "", []string{"report", log, results}, results + " is also the standard output"},
		{page, "", []string{"report", results, "--out", pages}, "--out: " + page + " is also the standard output"},
		{machine, "", []string{"predict", "--ranks", "2", "--schemes", "rp", "--nodes", "100", machine}, machine + " is also the standard output"},
		{machine, "", []string{"predict", "--ranks", "2", "--schemes", "rp", machine, "uts", "-b", "20"}, machine + " is also the standard output"},
		{name, "", []string{"predict", "--ranks", "2", "--schemes", "rp", "ncube2", "sat", name}, name + " is also the standard output"},
		{name, "", []string{"uts", "-t", "1", "-a", "3", "-d", "2", "-b", "2", "-r", "1"}, ""}, // does not read the standard input
	} {
		var said bytes.Buffer
		a := &app{args: c.args, stdin: opened(t, name), stdout: &said, stderr: &said}
		if c.stdout != "" {
			a.stdout = appended(t, c.stdout)
		}
		if c.stderr != "" {
			a.stderr = appended(t, c.stderr)
		}
		root := a.rootCommand()
		root.SetArgs(c.args)
		err := root.Execute()
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.HasPrefix(err.Error(), c.want)) {
			t.Errorf("%v: %v, want %q", c.args, err, c.want)
		}
	}
}

// opened opens a file for reading, as < does.
func opened(t *testing.T, name string) *os.File {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// appended opens a file for appending, as >> does.
func appended(t *testing.T, name string) *os.File {
	t.Helper()
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}
