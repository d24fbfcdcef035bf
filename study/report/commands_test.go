package report

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"treesplit/study/figure"
	"treesplit/study/sweep"
)

// changed returns a line of results of an instance whose command was changed at a time.
func changed(t *testing.T, r sweep.Run, minute int, launcher string, seconds float64) string {
	t.Helper()
	r.World, r.Verb, r.Instance, r.Seed, r.Repeat = sweep.WorldMPI, "uts", "a", 1, 1
	r.Key = fmt.Sprint(r.Args, launcher, r.Ranks)
	l := sweep.Line{
		Run: r, Sweep: "t", Launcher: launcher, Start: time.Date(2026, 1, 1, 0, minute, 0, 0, time.UTC),
		Output: json.RawMessage(fmt.Sprintf(`{"seconds":%v,"expanded":100,"requests":40,"scheme":"rp","termination":"ring"}`, seconds)),
	}
	text, err := json.Marshal(l)
	if err != nil {
		t.Fatal(err)
	}
	return string(text) + "\n"
}

// Runs of one instance with several command lines are different problems. Only runs of the newest command line are
// compared, in whatever order the files are read. The report lists all other runs.
func TestChangedCommands(t *testing.T) {
	for name, c := range map[string]struct {
		args     []string // of the older runs
		launcher string
		earlier  string // the row of the older runs
	}{
		"args":     {[]string{"--tree", "T1"}, "mpirun", "[t mpi a 2 mpirun uts --tree T1]"},
		"launcher": {[]string{"--tree", "T3"}, "srun", "[t mpi a 2 srun uts --tree T3]"},
	} {
		one, many := sweep.Run{Ranks: 1, Sequential: true}, sweep.Run{Ranks: 2, Scheme: "rp"}
		one.Args, many.Args = c.args, c.args
		old := changed(t, one, 1, c.launcher, 100) + changed(t, many, 2, c.launcher, 10)
		one.Args, many.Args = []string{"--tree", "T3"}, []string{"--tree", "T3"}
		recent := changed(t, one, 3, "mpirun", 6) + changed(t, many, 4, "mpirun", 4)
		for _, text := range []string{old + recent, recent + old} {
			r := read(t, text)
			sections := r.BuildSections()
			if row := find(t, sections, "-speedup").Rows[0]; row[1] != "1.500" {
				t.Errorf("%s: the speedup is %s, want 1.500", name, row[1])
			}
			if rows := find(t, sections, "-instances").Rows; len(rows) != 1 || rows[0][6] != "uts --tree T3" {
				t.Errorf("%s: the instances are %q", name, rows)
			}
			if rows := r.CellsTable().Rows; rows[0][7] != "1" {
				t.Errorf("%s: the cell has the repeats of both commands: %q", name, rows[0])
			}
			if rows := find(t, sections, "earlier").Rows; len(rows) != 1 || fmt.Sprint(rows[0]) != c.earlier {
				t.Errorf("%s: the earlier runs are %q, want %s", name, rows, c.earlier)
			}
			if text := strings.Join(sections[len(sections)-1].Text, "\n"); !strings.Contains(text, "2 runs are in no speedup, because their instance was run with another command line later.") {
				t.Error(text)
			}
		}
		for _, s := range read(t, recent).BuildSections() {
			if slices.ContainsFunc(s.Tables, func(table figure.Table) bool { return table.Name == "earlier" }) {
				t.Errorf("%s: a table of earlier runs without earlier runs", name)
			}
		}
	}
}

// Names of instances that look like numbers or times stay as they are in CSV files.
func TestNamesInCSV(t *testing.T) {
	var text strings.Builder
	names := []string{"1h", "250", "300", "5s", "x"}
	for _, name := range names {
		text.WriteString(measured(sweep.Run{Instance: name, Ranks: 1, Seed: 1, Sequential: true}, 8, 1000))
		text.WriteString(measured(sweep.Run{Instance: name, Ranks: 4, Scheme: "rp", Seed: 1}, 4, 1000))
	}
	r := read(t, text.String())
	for _, table := range []figure.Table{r.CellsTable(), find(t, r.BuildSections(), "-instances")} {
		var out bytes.Buffer
		if err := table.WriteCSV(&out); err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(&out).ReadAll()
		if err != nil || !slices.Equal(rows[0], table.Head) {
			t.Fatalf("%s: %v, %q", table.Name, err, rows)
		}
		column, got := slices.Index(rows[0], "instance"), []string{}
		for _, row := range rows[1:] {
			got = append(got, row[column])
		}
		if !slices.Equal(got[:len(names)], names) {
			t.Errorf("%s: the instances are %q, want %q", table.Name, got, names)
		}
	}
}

// The list of machines distinguishes builds of one commit with different uncommitted changes.
func TestBuildsWithChanges(t *testing.T) {
	l := sweep.Line{Facts: sweep.Facts{Build: sweep.Build{SHA256: "0123456789abcdef", Settings: map[string]string{}}}}
	for _, c := range []struct{ revision, modified, want string }{
		{"", "", "0123456789ab"},
		{"fedcba9876543210", "false", "fedcba987654"},
		{"fedcba9876543210", "true", "fedcba987654-dirty 0123456789ab"},
	} {
		l.Build.Settings["vcs.revision"], l.Build.Settings["vcs.modified"] = c.revision, c.modified
		if got := machineCells(l)[5]; got != c.want {
			t.Errorf("%s, %s: %q, want %q", c.revision, c.modified, got, c.want)
		}
	}
}
