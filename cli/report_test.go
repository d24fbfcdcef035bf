package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"treesplit/study/figure"
	"treesplit/study/report"
)

// writeTrace writes a trace of ranks, each of which is busy for the same number of microseconds.
func writeTrace(t *testing.T, path, title string, ranks int, microseconds string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	events := []string{fmt.Sprintf(`{"ph":"M","name":"process_name","args":{"name":%q}}`, title)}
	for rank := range ranks {
		events = append(events, fmt.Sprintf(`{"ph":"X","name":"Busy","tid":%d,"ts":0,"dur":%s}`, rank+1, microseconds))
	}
	write(t, path, `{"traceEvents":[`+strings.Join(events, ",\n")+"]}\n")
}

// reportOn runs report and returns its output.
func reportOn(t *testing.T, args ...string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if status := Main(append([]string{"report"}, args...), strings.NewReader(""), &stdout, &stderr); status != statusDone {
		t.Fatalf("status %d: %s", status, &stderr)
	}
	return stdout.String()
}

// Every trace has its own timeline, also if files have the same name, or a name that another file would
// get with a number.
func TestTimelinesHaveTheirOwnNames(t *testing.T) {
	dir := t.TempDir()
	var args []string
	for i, name := range []string{"a/x.json", "b/x.json", "x-2.json", "c/x.json"} {
		path := filepath.Join(dir, name)
		writeTrace(t, path, fmt.Sprintf("trace %d", i), 1, "5")
		args = append(args, path)
	}
	out := filepath.Join(dir, "out")
	reportOn(t, append(args, "--out", out)...)
	pages, err := filepath.Glob(filepath.Join(out, "timeline-*.html"))
	if err != nil || len(pages) != len(args) {
		t.Fatalf("pages %q, %v", pages, err)
	}
	all := ""
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		all += string(text)
	}
	for i := range args {
		if title := fmt.Sprintf("trace %d", i); !strings.Contains(all, title) {
			t.Errorf("no page of %s", title)
		}
	}
}

// A report on traces alone says nothing of runs and their machines.
func TestReportOnTracesAlone(t *testing.T) {
	dir := t.TempDir()
	path, out := filepath.Join(dir, "x.json"), filepath.Join(dir, "out")
	writeTrace(t, path, "title", 2, "5")
	if text := reportOn(t, path, "--out", out); strings.Contains(text, "runs") || !strings.Contains(text, "title") {
		t.Error(text)
	}
	if _, err := os.Stat(filepath.Join(out, "machines.csv")); !os.IsNotExist(err) {
		t.Errorf("machines.csv: %v", err)
	}
}

// The times of many ranks add up without overflow.
func TestReportOnLongTraces(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.json")
	writeTrace(t, path, "title", 12, "1100000000000000")
	text := reportOn(t, path)
	for line := range strings.Lines(text) {
		if cells := strings.Fields(line); len(cells) == 4 && cells[0] == "Busy" {
			if cells[1] != "1100000000.000000" || cells[2] != cells[1] || cells[3] != cells[1] {
				t.Errorf("%q", line)
			}
			return
		}
	}
	t.Errorf("no row Busy in\n%s", text)
}

// Two files of a report never have one name: checkPlaces refuses it before a file is written.
func TestReportRefusesDoubleNames(t *testing.T) {
	results, err := report.ReadFiles(nil)
	if err != nil {
		t.Fatal(err)
	}
	out := t.TempDir()
	for _, exists := range []bool{false, true} {
		if exists {
			write(t, filepath.Join(out, "a.csv"), "")
		}
		one := figure.Section{Tables: []figure.Table{{Name: "a"}}, Figures: []figure.Figure{{Name: "a"}}}
		if err := checkPlaces(reportPlaces(out, []figure.Section{one}, results, nil)...); err != nil {
			t.Error(err)
		}
		if err := checkPlaces(reportPlaces(out, []figure.Section{one, {Tables: one.Tables}}, results, nil)...); err == nil || !strings.Contains(err.Error(), "a.csv") {
			t.Errorf("a.csv twice: %v", err)
		}
	}
}
