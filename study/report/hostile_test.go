package report

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"treesplit/study/figure"
	"treesplit/study/sweep"
)

// markup matches the tags of a page.
var markup = regexp.MustCompile(`<[^>]*>`)

// anchors are attributes made of names, with plain characters alone, and those of numeric columns.
var anchors = regexp.MustCompile(`(id|href|aria-labelledby)="#?[A-Za-z0-9._-]*"| class="n"`)

// hostileRuns are results in which everything that a sweep does not choose itself contains a text.
func hostileRuns(t *testing.T, text string) *Results {
	t.Helper()
	var b strings.Builder
	for i, ranks := range []int{1, 2, 4} {
		l := sweep.Line{
			Run:   sweep.Run{Key: fmt.Sprint("k", i), World: text + ".yaml", Instance: "i", Verb: "uts", Args: []string{text, "\n" + text}, Ranks: ranks, Repeat: 1, Sequential: ranks == 1},
			Sweep: "s", Launcher: text + "/mpirun", LauncherArgs: []string{text}, Command: []string{text}, Stderr: "x\n" + text, Attempts: 2, LaunchFailures: []string{text},
			Output: json.RawMessage(`{"seconds":1,"expanded":5,"requests":7,"scheme":"rp","termination":"ring"}`),
			Facts:  sweep.Facts{Host: text, CPU: text, OS: text, Arch: text, MPI: text, Scheduler: text, Job: text, Build: sweep.Build{Go: text, SHA256: text}},
		}
		lines := []sweep.Line{l}
		l.Key, l.Error, l.Output = "failed "+l.Key, text, nil
		for _, l := range append(lines, l) {
			data, err := json.Marshal(l)
			if err != nil {
				t.Fatal(err)
			}
			b.Write(append(data, '\n'))
		}
	}
	return read(t, b.String())
}

// Whatever stands in results, a page of them has the same tags, figures are XML, tables as CSV are
// read again and have no formulas, and no text has characters that a terminal obeys.
func TestHostileResults(t *testing.T) {
	page := func(text string) (tags []string, all string) {
		r := hostileRuns(t, text)
		sections := r.BuildSections()
		var html, printed bytes.Buffer
		if err := (figure.Page{Title: text, Command: text, Version: text, Sections: sections}).Write(&html); err != nil {
			t.Fatal(err)
		}
		for _, s := range sections {
			s.PrintText(&printed)
			for _, f := range s.Figures {
				svg, err := f.RenderSVG()
				if err != nil {
					t.Fatal(err)
				}
				for d := xml.NewDecoder(bytes.NewReader(svg)); ; {
					if _, err := d.Token(); errors.Is(err, io.EOF) {
						break
					} else if err != nil {
						t.Fatalf("%q: %v", text, err)
					}
				}
			}
			for _, table := range append(s.Tables, r.CellsTable()) {
				var out bytes.Buffer
				if err := table.WriteCSV(&out); err != nil {
					t.Fatal(err)
				}
				rows, err := csv.NewReader(&out).ReadAll()
				lines := len(table.Rows)
				if table.Long != nil {
					lines = len(table.Long.Rows)
				}
				if err != nil || len(rows) != 1+lines {
					t.Errorf("%q: %s: %v, %d rows", text, table.Name, err, len(rows))
				}
				for _, cell := range slices.Concat(rows...) {
					if strings.HasPrefix(cell, "=") || strings.HasPrefix(cell, "@") || strings.HasPrefix(cell, "+") {
						t.Errorf("%q: a formula: %q", text, cell)
					}
				}
			}
		}
		for _, c := range printed.String() {
			if c != '\n' && !unicode.IsPrint(c) {
				t.Fatalf("%q: prints %q", text, c)
			}
		}
		return markup.FindAllString(anchors.ReplaceAllString(html.String(), ""), -1), html.String()
	}
	want, _ := page("tame")
	for _, text := range []string{
		"<b>", "<script>alert(1)</script>", `"><img src=x onerror=alert(1)>`, "'><svg onload=alert(1)>", "</table></svg></style>", "<!--", "-->", "]]>", "&lt;script&gt;", "{{.}}", "${x}", "javascript:x",
		"=1+1", "@sum", "+x", "-x", "a,b", `a"b`, "a | b", "# a", "[x](y)", "`a`",
	} {
		got, html := page(text)
		if !slices.Equal(got, want) {
			t.Errorf("%q: the page has other tags: %.3000q", text, html)
		}
	}
}

// Counters beyond 2^53, where numbers with a point lose digits, are read and written to the last digit.
func TestLargeCounters(t *testing.T) {
	const w, q = 1<<53 + 1, 1<<62 + 3
	line := func(key string, ranks int, sequential bool) string {
		l := sweep.Line{
			Run:   sweep.Run{Key: key, World: "local", Instance: "i", Verb: "uts", Ranks: ranks, Seed: 1<<64 - 1, Repeat: 1, Sequential: sequential},
			Sweep: "s", Launcher: "local", Output: json.RawMessage(fmt.Sprintf(`{"seconds":1,"expanded":%d,"requests":%d,"scheme":"rp","termination":"ring"}`, int64(w), int64(q))),
		}
		data, err := json.Marshal(l)
		if err != nil {
			t.Fatal(err)
		}
		return string(data) + "\n"
	}
	r := read(t, line("a", 1, true)+line("b", 2, false))
	if row := find(t, r.BuildSections(), "-instances").Rows[0]; row[1] != "18446744073709551615" || row[2] != "9007199254740993" {
		t.Errorf("seed and W: %q", row)
	}
	if row := find(t, r.BuildSections(), "-requests").Rows[0]; row[1] != "4611686018427387907" {
		t.Errorf("requests: %q", row)
	}
	if row := r.CellsTable().Rows[0]; row[len(row)-1] != "4611686018427387907" {
		t.Errorf("cells: %q", row)
	}
	if err := newResults().ReadLines(strings.NewReader(strings.Replace(line("a", 1, true), `"expanded":9007199254740993`, `"expanded":9223372036854775808`, 1)), "r.jsonl"); err == nil || !strings.HasPrefix(err.Error(), "r.jsonl:1: ") {
		t.Errorf("a counter beyond 2^63: %v", err)
	}
}

// A report of sweeps and machine files with long names can be written: the names of its files are short,
// and no name occurs twice.
func TestLongNames(t *testing.T) {
	const longest = 255 - 50 // a file that is being written has up to 50 bytes more
	var b strings.Builder
	for i := range 3 { // the machines differ in the middle of their names
		world := strings.Repeat("m", 100) + fmt.Sprint(i) + strings.Repeat("n", 104)
		for k, c := range twoInstanceRuns {
			l := sweep.Line{Run: c, Sweep: strings.Repeat("s", 60), Launcher: "local", Output: json.RawMessage(`{"seconds":1,"expanded":5}`)}
			l.Key, l.World = fmt.Sprint(i, k), world
			data, err := json.Marshal(l)
			if err != nil {
				t.Fatal(err)
			}
			b.Write(append(data, '\n'))
		}
	}
	seen := map[string]bool{}
	for _, s := range read(t, b.String()).BuildSections() {
		names := []string{s.Name}
		for _, table := range s.Tables {
			names = append(names, table.Name+".csv")
		}
		for _, f := range s.Figures {
			names = append(names, f.Name+".svg")
		}
		for _, name := range names {
			if len(name) > longest || seen[name] {
				t.Errorf("%s: %d bytes, seen before: %v", name, len(name), seen[name])
			}
			seen[name] = true
		}
	}
	if len(seen) < 3*6 {
		t.Errorf("%d names", len(seen))
	}
}

// twoInstanceRuns are runs of two instances on one and more ranks.
var twoInstanceRuns = []sweep.Run{
	{Instance: "a", Verb: "uts", Ranks: 1, Repeat: 1, Sequential: true}, {Instance: "b", Verb: "uts", Ranks: 1, Repeat: 1, Sequential: true},
	{Instance: "a", Verb: "uts", Ranks: 2, Repeat: 1, Scheme: "rp"}, {Instance: "b", Verb: "uts", Ranks: 2, Repeat: 1, Scheme: "rp"},
	{Instance: "a", Verb: "uts", Ranks: 4, Repeat: 1, Scheme: "rp"}, {Instance: "b", Verb: "uts", Ranks: 4, Repeat: 1, Scheme: "rp"},
}

// Launches that have failed although the program has not are counted, and listed with their reasons.
func TestLaunchFailuresAreCounted(t *testing.T) {
	r := hostileRuns(t, "lost")
	sections := r.BuildSections()
	table := find(t, sections, "launches")
	if len(table.Rows) != 6 || table.Rows[0][1] != "2" || table.Rows[0][2] != "lost" {
		t.Errorf("%q", table.Rows)
	}
	if text := strings.Join(sections[len(sections)-1].Text, "\n"); !strings.Contains(text, "6 runs were launched more than once: 6 launches failed without a failure of the program.") {
		t.Error(text)
	}
}
