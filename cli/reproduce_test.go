package cli

import (
	"bytes"
	"context"
	"encoding/csv"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"treesplit/study/figure"
	"treesplit/study/reproduce"
	"treesplit/study/reproduce/lab"
)

// Without a name the experiments are listed, and nothing is created.
func TestReproduceLists(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	list := func() string {
		var stdout, stderr bytes.Buffer
		if status := Main([]string{"reproduce", "--out", dir}, nil, &stdout, &stderr); status != statusDone || stderr.Len() > 0 {
			t.Fatalf("status %d: %s", status, &stderr)
		}
		return stdout.String()
	}
	text := list()
	for _, name := range reproduce.ExperimentNames() {
		if !strings.Contains(text, "\n"+name+" ") {
			t.Errorf("%s is not listed", name)
		}
	}
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("the directory was made: %v", err)
	}
	if strings.Contains(text, "cached") {
		t.Error(text)
	}
}

// The written files are named, and the page shows the results of earlier runs.
func TestReproduceWrites(t *testing.T) {
	dir := t.TempDir()
	run := func(name string) string {
		var stdout, stderr bytes.Buffer
		if status := Main([]string{"reproduce", name, "--out", dir}, nil, &stdout, &stderr); status != statusDone || stderr.Len() > 0 {
			t.Fatalf("%s: status %d: %s", name, status, &stderr)
		}
		last := strings.TrimSpace(stdout.String()[strings.LastIndex(stdout.String(), "The program wrote ")+len("The program wrote "):])
		for file := range strings.SplitSeq(last, ", ") {
			if _, err := os.Stat(file); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		return last
	}
	l, err := lab.New(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := l.KeepSection(figure.Section{Name: "static-fig2", Title: "what an earlier run has said"}); err != nil {
		t.Fatal(err)
	}
	if files := run("Ring-Table1"); !strings.Contains(files, "ring-table1") || !strings.HasSuffix(files, "index.html") {
		t.Errorf("written: %s", files)
	}
	page, err := os.ReadFile(filepath.Join(dir, "index.html"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"static-fig2", "ring-table1"} {
		if !bytes.Contains(page, []byte(`<section id="`+name+`">`)) {
			t.Errorf("%s is not on the page", name)
		}
	}
	for _, want := range []string{"Made on <time>2", "treesplit reproduce ", buildFacts().Version} {
		if !bytes.Contains(page, []byte(want)) {
			t.Errorf("%q is not on the page", want)
		}
	}
	var stdout bytes.Buffer
	if Main([]string{"reproduce", "--out", dir}, nil, &stdout, &stdout); strings.Count(stdout.String(), "cached") != 2 {
		t.Errorf("%s", &stdout)
	}
}

// A second call prints and writes the same, and runs nothing: it shows a section that no run can give.
func TestReproduceTwice(t *testing.T) {
	dir := t.TempDir()
	reproduce := func() (printed string, files map[string]string) {
		var stdout, stderr bytes.Buffer
		if status := Main([]string{"reproduce", "ring-table1", "--out", dir}, nil, &stdout, &stderr); status != statusDone || stderr.Len() > 0 {
			t.Fatalf("status %d: %s", status, &stderr)
		}
		files = map[string]string{}
		for _, pattern := range []string{"*.csv", "*.svg", "sections/*"} {
			names, _ := filepath.Glob(filepath.Join(dir, pattern))
			for _, name := range names {
				data, err := os.ReadFile(name)
				if err != nil {
					t.Fatal(err)
				}
				files[name] = string(data)
			}
		}
		return stdout.String(), files
	}
	printed, files := reproduce()
	again, same := reproduce()
	if printed != again || !maps.Equal(files, same) || len(files) < 3 {
		t.Errorf("%d files; the first call printed\n%s\nand the second\n%s", len(files), printed, again)
	}
	l, err := lab.New(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := l.KeepSection(figure.Section{Name: "ring-table1", Title: "a section of no run"}); err != nil {
		t.Fatal(err)
	}
	if printed, _ := reproduce(); !strings.Contains(printed, "a section of no run") {
		t.Errorf("the experiment ran again:\n%s", printed)
	}
}

// Ctrl-C does not wait for running simulations, and the output describes the files that are kept.
func TestReproduceEndsAtOnce(t *testing.T) {
	dir := t.TempDir()
	l, err := lab.New(dir)
	if err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	r := &reproduction{app: &app{stderr: &stderr}, lab: l, out: dir}
	ctx, cancel := context.WithCancel(context.Background())
	endless, begun := make(chan struct{}), make(chan struct{})
	defer close(endless)
	go func() { <-begun; cancel() }()
	o, err := r.waitUntilDone(ctx, false, func() error { close(begun); <-endless; return nil })
	if err != nil {
		t.Fatal(err)
	}
	if o.status != statusStopped || stderr.String() != "treesplit: the experiments were interrupted; "+dir+" keeps 0 simulated runs, and the same command makes the remaining runs; no experiment was complete, so no files were written\n" {
		t.Errorf("status %d: %s", o.status, &stderr)
	}
}

// A kept section is read only if reproduce has written it.
func TestReproduceRefusesOtherFiles(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "sections"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "sections", "fig3.json"), []byte("{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	refuses(t, "reproduce --out "+dir, "fig3.json: not what reproduce has written")
}

// Columns of numbers in CSV files have numbers alone.
func TestReproduceCSV(t *testing.T) {
	if testing.Short() {
		t.Skip("experiments of some seconds")
	}
	dir := t.TempDir()
	var stdout, stderr bytes.Buffer
	if status := Main([]string{"reproduce", "ring-table1", "ring-bounds", "ring-baselines", "--out", dir}, nil, &stdout, &stderr); status != statusDone {
		t.Fatalf("status %d: %s", status, &stderr)
	}
	files, err := filepath.Glob(filepath.Join(dir, "ring-*.csv"))
	if err != nil || len(files) < 6 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, name := range files {
		file, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(file).ReadAll()
		file.Close()
		if err != nil || len(rows) < 2 {
			t.Fatalf("%s: %d rows, %v", name, len(rows), err)
		}
		for column := range rows[0] {
			checkNumbers(t, name, rows, column)
		}
	}
}

// checkNumbers refuses words in a column that has more numbers than words.
func checkNumbers(t *testing.T, name string, rows [][]string, column int) {
	t.Helper()
	var words []string
	numbers := 0
	for _, row := range rows[1:] {
		if _, err := strconv.ParseFloat(row[column], 64); err == nil {
			numbers++
		} else if row[column] != "" {
			words = append(words, row[column])
		}
	}
	if numbers > len(words) && len(words) > 0 {
		t.Errorf("%s: column %q has %q", filepath.Base(name), rows[0][column], words)
	}
}
