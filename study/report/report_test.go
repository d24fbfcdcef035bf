package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"treesplit/study/figure"
	"treesplit/study/sweep"
)

// measured returns a line of results.
func measured(r sweep.Run, seconds float64, w int64) string {
	r.World, r.Verb = "local", "uts"
	r.Repeat = max(r.Repeat, 1)
	r.Key = fmt.Sprintf("t/%s/%d/%s/%s/%d/%d", r.Instance, r.Ranks, r.Scheme, r.Detector, r.Seed, r.Repeat)
	if r.Sequential {
		r.Key += "/sequential"
	}
	l := sweep.Line{Run: r, Sweep: "t", Launcher: "local", Output: json.RawMessage(fmt.Sprintf(`{"seconds":%v,"expanded":%d,"requests":40,"scheme":"rp","termination":"ring"}`, seconds, w))}
	text, err := json.Marshal(l)
	if err != nil {
		panic(err)
	}
	return string(text) + "\n"
}

func read(t *testing.T, text string) *Results {
	t.Helper()
	r := newResults()
	if err := r.ReadLines(strings.NewReader(text), "r.jsonl"); err != nil {
		t.Fatal(err)
	}
	return r
}

// find returns the table whose name has the given end.
func find(t *testing.T, sections []figure.Section, end string) figure.Table {
	t.Helper()
	for _, s := range sections {
		for _, table := range s.Tables {
			if strings.HasSuffix(table.Name, end) {
				return table
			}
		}
	}
	t.Fatalf("no table %s", end)
	return figure.Table{}
}

// twoInstances returns the times of two instances. TestAverageSpeedup has their average speedup,
// computed by hand.
func twoInstances() string {
	var b strings.Builder
	one := func(instance string, seconds float64, w int64) {
		b.WriteString(measured(sweep.Run{Instance: instance, Ranks: 1, Seed: 1, Sequential: true}, seconds, w))
	}
	one("small", 8, 1000)
	one("large", 92, 10000)
	for _, c := range []struct {
		instance, scheme string
		p                int
		seconds          []float64 // of the repeats
	}{
		{"small", "rp", 4, []float64{5, 4, 3}}, {"large", "rp", 4, []float64{20, 24, 21}},
		{"small", "rp", 8, []float64{4}}, {"large", "rp", 8, []float64{16}},
		{"small", "grr-m", 4, []float64{2}},
	} {
		for i, s := range c.seconds {
			b.WriteString(measured(sweep.Run{Instance: c.instance, Ranks: c.p, Scheme: c.scheme, Detector: "ring", Seed: 1, Repeat: i + 1}, s, 1000))
		}
	}
	return b.String()
}

// The average speedup of several instances is their cumulative sequential time divided by their
// cumulative parallel time, and not the mean of their speedups. Times are medians over repeats.
// Reference: Kumar, Grama and Rao, section 8.
func TestAverageSpeedup(t *testing.T) {
	sections := read(t, twoInstances()).BuildSections()
	for _, c := range []struct {
		table string
		want  [][]string
	}{
		// (8+92)/(4+21) = 4, with the slowest repeats 100/(5+24), with the fastest 100/(3+20).
		{"-speedup", [][]string{{"scheme", "P = 4", "P = 8"}, {"rp", "4.000 (3.45–4.35)", "5.000"}, {"grr-m", "4.000 *", "–"}}},
		{"-efficiency", [][]string{{"scheme", "P = 4", "P = 8"}, {"rp", "1.00", "0.625"}, {"grr-m", "1.00 *", "–"}}},
		{"-speedup-1", [][]string{{"scheme", "P = 4", "P = 8"}, {"rp", "2.000 (1.60–2.67)", "2.000"}, {"grr-m", "4.000", "–"}}},
		{"-speedup-2", [][]string{{"scheme", "P = 4", "P = 8"}, {"rp", "4.381 (3.83–4.60)", "5.750"}, {"grr-m", "–", "–"}}},
	} {
		table := find(t, sections, c.table)
		if got := append([][]string{table.Head}, table.Rows...); fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%s: %v\nwant %v", c.table, got, c.want)
		}
	}
}

// The time of one rank alone is the time measured with the same seed; otherwise the time with the
// only measured seed; otherwise the time that the program reports.
func TestSequentialTime(t *testing.T) {
	many := sweep.Run{Instance: "a", Ranks: 2, Scheme: "rp", Seed: 2}
	for _, c := range []struct {
		lines []string
		want  string
	}{
		{[]string{measured(sweep.Run{Instance: "a", Ranks: 1, Seed: 2, Sequential: true}, 6, 9), measured(sweep.Run{Instance: "a", Ranks: 1, Seed: 1, Sequential: true}, 8, 9), measured(many, 4, 9)}, "1.500"},
		{[]string{measured(sweep.Run{Instance: "a", Ranks: 1, Seed: 1, Sequential: true}, 8, 9), measured(many, 4, 9)}, "2.000"},
		{[]string{strings.Replace(measured(many, 4, 9), `"expanded"`, `"sequentialSeconds":7,"expanded"`, 1)}, "1.750"},
		{[]string{measured(many, 4, 9)}, "–"},
		// A run that resumed from a checkpoint also took the time before the checkpoint.
		{[]string{measured(sweep.Run{Instance: "a", Ranks: 1, Seed: 2, Sequential: true}, 6, 9), strings.Replace(measured(many, 4, 9), `"expanded"`, `"resumed":{"seconds":8},"expanded"`, 1)}, "0.5000"},
		// Its sequentialSeconds are of the last 3 of 9 nodes: T_1 is 9/3·4 s, and T_P is 4 s + 8 s.
		{[]string{strings.Replace(measured(many, 4, 9), `"expanded"`, `"sequentialSeconds":4,"resumed":{"seconds":8,"expanded":6},"expanded"`, 1)}, "1.000"},
		{[]string{strings.Replace(measured(many, 4, 9), `"expanded"`, `"sequentialSeconds":4,"resumed":{"seconds":8,"expanded":9},"expanded"`, 1)}, "–"},
	} {
		table := find(t, read(t, strings.Join(c.lines, "")).BuildSections(), "-speedup")
		if got := strings.TrimSuffix(table.Rows[0][1], " *"); got != c.want {
			t.Errorf("%q: %s, want %s", c.lines, got, c.want)
		}
	}
}

// For a random tree of ring, the time of another seed is the time of another tree.
func TestSequentialTimeOfRandomTrees(t *testing.T) {
	for args, want := range map[string]string{`["random"]`: "2.000 *", `["tree"]`: "2.000"} {
		var text strings.Builder
		for _, line := range []string{
			measured(sweep.Run{Instance: "a", Ranks: 1, Seed: 1, Sequential: true}, 8, 9),
			measured(sweep.Run{Instance: "a", Ranks: 2, Scheme: "rp", Seed: 1}, 4, 9),
			measured(sweep.Run{Instance: "a", Ranks: 2, Scheme: "rp", Seed: 2}, 4, 500),
		} {
			text.WriteString(strings.NewReplacer(`"verb":"uts"`, `"verb":"ring"`, `"args":null`, `"args":`+args).Replace(line))
		}
		sections := read(t, text.String()).BuildSections()
		if row := find(t, sections, "-speedup").Rows[0]; row[1] != want {
			t.Errorf("%s: the speedup is %q, want %q", args, row[1], want)
		}
		if row := find(t, sections, "-instances").Rows[1]; (row[3] == none) != (args == `["random"]`) {
			t.Errorf("%s: T1 of the second seed is %q", args, row[3])
		}
	}
}

// A repeated run counts once, with its last result. A failed run is listed.
func TestLastLineCounts(t *testing.T) {
	r := sweep.Run{Instance: "a", Ranks: 2, Scheme: "rp", Seed: 1}
	text := measured(sweep.Run{Instance: "a", Ranks: 1, Seed: 1, Sequential: true}, 6, 9) + measured(r, 6, 9)
	again := measured(r, 4, 9)
	failed := strings.Replace(strings.Replace(measured(r, 4, 9), `"status":0`, `"status":1,"error":"exit status 1","stderr":"one\nno \u001b[31msuch file\n"`, 1), `"output"`, `"was"`, 1)
	if table := find(t, read(t, text+failed+again).BuildSections(), "-speedup"); table.Rows[0][1] != "1.500" {
		t.Errorf("%v", table.Rows)
	}
	results := read(t, text+failed)
	sections := results.BuildSections()
	if table := find(t, sections, "failures"); len(table.Rows) != 1 || table.Rows[0][3] != "no  [31msuch file" {
		t.Errorf("%q", table.Rows)
	}
	if table := find(t, sections, "-speedup"); len(table.Rows) != 0 {
		t.Errorf("a run that has failed is in %v", table.Rows)
	}
}

// For a known overhead the fit finds the overhead: with T_o = c·P^1.5 nodes, W for an efficiency E
// is c·P^1.5·E/(1−E). Reference: Kumar, Grama and Rao, section 3.
func TestIsoefficiency(t *testing.T) {
	const c, exponent, node = 100, 1.5, 1e-6
	var b strings.Builder
	for w := 200.0; w < 1e6; w *= 1.3 {
		w := math.Round(w)
		instance := fmt.Sprintf("w%.0f", w)
		b.WriteString(measured(sweep.Run{Instance: instance, Ranks: 1, Seed: 1, Sequential: true}, w*node, int64(w)))
		for _, p := range []int{2, 4, 8, 16} {
			overhead := c * math.Pow(float64(p), exponent)
			b.WriteString(measured(sweep.Run{Instance: instance, Ranks: p, Scheme: "rp", Seed: 1}, (w+overhead)*node/float64(p), int64(w)))
		}
	}
	table := find(t, read(t, b.String()).BuildSections(), "-isoefficiency")
	if len(table.Rows) != len(targets) {
		t.Fatalf("%v", table.Rows)
	}
	for _, row := range table.Rows {
		e, _ := strconv.ParseFloat(row[1], 64)
		for i, p := range []float64{2, 4, 8, 16} {
			want := c * math.Pow(p, exponent) * e / (1 - e)
			if got, err := strconv.ParseFloat(row[2+i], 64); err != nil || math.Abs(got/want-1) > 0.006 { // three digits
				t.Errorf("E = %v, P = %v: W = %s, want %.4g", e, p, row[2+i], want)
			}
		}
		if row[6] != "1.50" || row[7] != "1.000" {
			t.Errorf("E = %v: exponent %s, R² %s", e, row[6], row[7])
		}
	}
}

// An isoefficiency needs three problem sizes. More seeds of two sizes are not enough.
func TestIsoefficiencyNeedsSizes(t *testing.T) {
	for _, sizes := range []int{2, 3} {
		var b strings.Builder
		for i := range sizes {
			for seed := range uint64(2) {
				w := int64(1000 << i)
				r := sweep.Run{Instance: fmt.Sprint("i", i), Ranks: 1, Seed: seed, Sequential: true}
				b.WriteString(measured(r, float64(w), w))
				r.Ranks, r.Scheme, r.Sequential = 4, "rp", false
				b.WriteString(measured(r, float64(w+1000)/4, w)) // E = W/(W + 1000)
			}
		}
		tables := read(t, b.String()).BuildSections()[0].Tables
		there := slices.ContainsFunc(tables, func(table figure.Table) bool { return strings.HasSuffix(table.Name, "-isoefficiency") })
		if there != (sizes == 3) {
			t.Errorf("%d sizes with two seeds: an isoefficiency is there: %v", sizes, there)
		}
	}
}

// A run of 0 s, such as a solved board on a simulated machine, is in no speedup. Other instances are.
func TestRunsWithoutTime(t *testing.T) {
	r := sweep.Run{Instance: "solved", Ranks: 4, Scheme: "rp", Detector: "ring", Seed: 1}
	alone := sweep.Run{Instance: "solved", Ranks: 1, Seed: 1, Sequential: true}
	for _, lines := range []string{measured(r, 0, 1), measured(alone, 0, 1), measured(alone, 0, 1) + measured(r, 0, 1)} {
		sections := read(t, twoInstances()+lines).BuildSections()
		if row := find(t, sections, "-speedup").Rows[0]; row[1] != "4.000 (3.45–4.35) *" {
			t.Errorf("%q: the speedup is %q", lines, row)
		}
		if row := find(t, sections, "-instances").Rows[2]; row[0] != "solved" || row[2] != "1" || row[3] != none {
			t.Errorf("%q: the instance is %q", lines, row)
		}
		if text := strings.Join(sections[len(sections)-1].Text, "\n"); !strings.Contains(text, "runs took 0 s. They are in no speedup.") {
			t.Error(text)
		}
	}
	if row := find(t, read(t, measured(r, 0, 1)).BuildSections(), "-speedup").Rows[0]; row[1] != none {
		t.Errorf("the speedup of a run without time is %q", row)
	}
}

// A speedup without an instance whose runs have all failed has a star, and the CSV file counts that
// instance.
func TestFailedInstances(t *testing.T) {
	failed := strings.Replace(strings.Replace(measured(sweep.Run{Instance: "third", Ranks: 4, Scheme: "rp", Seed: 1}, 1, 9), `"status":0`, `"status":1,"error":"exit status 1"`, 1), `"output"`, `"was"`, 1)
	sections := read(t, twoInstances()+failed).BuildSections()
	table := find(t, sections, "-speedup")
	if got := table.Rows[0][1]; got != "4.000 (3.45–4.35) *" {
		t.Errorf("the speedup is %q", got)
	}
	if row := table.Long.Rows[0]; row[3] != "2" || row[4] != "3" {
		t.Errorf("cases and wanted: %q", row)
	}
	if row := find(t, sections, "-instances").Rows[2]; row[0] != "third" || row[2] != none || row[3] != none {
		t.Errorf("the instance is %q", row)
	}
	if sections := read(t, failed).BuildSections(); len(sections) != 1 {
		t.Errorf("%d sections of failed runs, want their list alone", len(sections))
	}
}

// A line that no sweep has written is refused, with its file and line number.
func TestBadResults(t *testing.T) {
	good := measured(sweep.Run{Instance: "a", Ranks: 2, Scheme: "rp", Seed: 1}, 4, 9)
	for old, says := range map[string]string{
		`"seconds":4`:     `"seconds":-1`,
		`"requests":40`:   `"requests":-1`,
		`"expanded":9`:    `"expanded":"many"`,
		`"scheme":"rp",`:  `"scheme":"<script>",`,
		`"instance":"a"`:  `"instance":"\u001b[2J"`,
		`"ranks":2`:       `"ranks":-2`,
		`"key":"t/a`:      `"key":"t\u0000/a`,
		`"output":{`:      `"output":[{`,
		`"seconds":4,"ex`: `"seconds":1e300,"ex`,
	} {
		bad := strings.Replace(good, old, says, 1)
		if bad == good {
			t.Fatalf("no %s in %s", old, good)
		}
		if err := newResults().ReadLines(strings.NewReader(good+bad), "r.jsonl"); err == nil || !strings.HasPrefix(err.Error(), "r.jsonl:2: ") {
			t.Errorf("%s: %v", says, err)
		}
	}
}

// The error of a file that may be a trace with another ending names the endings of traces.
func TestTraceWithAnotherEnding(t *testing.T) {
	for name, want := range map[string]bool{"a.txt": true, "a.jsonl": false} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n]}\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadFiles([]string{path}); err == nil || strings.Contains(err.Error(), "the name of a trace ends in .json") != want {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// An incomplete last line is left out and reported.
func TestTornLine(t *testing.T) {
	text := twoInstances()
	r := read(t, text+text[:40])
	if len(r.Torn) != 1 || len(r.runs) != len(read(t, text).runs) {
		t.Errorf("torn %v, %d runs", r.Torn, len(r.runs))
	}
}

// Every input is refused or can be shown.
func FuzzReport(f *testing.F) {
	f.Add([]byte(twoInstances()))
	f.Add([]byte(measured(sweep.Run{Instance: "a", Ranks: 1 << 20, Scheme: "x", Seed: 1}, 1e-300, 1<<62)))
	f.Add([]byte(strings.Replace(twoInstances(), `"seconds":4,`, `"seconds":1e-9,"sequentialSeconds":1e12,`, -1)))
	f.Fuzz(func(t *testing.T, text []byte) {
		r := newResults()
		if r.ReadLines(bytes.NewReader(text), "r.jsonl") != nil {
			return
		}
		sections := r.BuildSections()
		var page bytes.Buffer
		if err := (figure.Page{Title: "fuzz", Sections: sections}).Write(&page); err != nil {
			t.Fatal(err)
		}
		for _, s := range sections {
			s.PrintText(&page)
		}
		cells := r.CellsTable()
		if err := cells.WriteCSV(&page); err != nil {
			t.Fatal(err)
		}
		if bytes.ContainsAny(page.Bytes(), "\x00\x1b") {
			t.Error("the report has control characters")
		}
	})
}

// In the CSV of a report every cell is a number, except names and commands.
func TestReportNumbers(t *testing.T) {
	names := []string{"scheme", "detector", "instance", "run as", "sweep", "world"}
	r := read(t, twoInstances())
	tables := []figure.Table{r.CellsTable()}
	for _, s := range r.BuildSections() {
		if s.Name != "runs" { // which describes machines in words
			tables = append(tables, s.Tables...)
		}
	}
	for _, table := range tables {
		long := table.LongForm()
		for _, row := range long.Rows {
			for i, cell := range row {
				if _, err := strconv.ParseFloat(cell, 64); err != nil && cell != "" && !slices.Contains(names, long.Head[i]) {
					t.Errorf("%s: column %q has %q", table.Name, long.Head[i], cell)
				}
			}
		}
	}
}
