package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"treesplit/run"
)

// Without a terminal a line is written every 10 s. With --progress on there is also a line at the
// beginning, and when a new bound or board begins. With off there is none.
func TestProgressLines(t *testing.T) {
	for mode, want := range map[string]int{"auto": 2, "on": 4, "off": 0} {
		var errs bytes.Buffer
		a := &app{stderr: &errs}
		p := a.startRunProgress(mode, "", false)
		for i := range 125 { // 25 s in steps of 0.2 s
			now := run.Progress{Seconds: float64(i+1) / 5, Expanded: int64(1000 * (i + 1))}
			if i >= 60 { // after 12 s
				p.setLabel("bound 52")
			}
			done := now.Seconds / 100
			now.Done, now.SecondsLeft = &done, nil
			if i > 5 {
				left := 100 - now.Seconds
				now.SecondsLeft = &left
			}
			p.recordProgress(now)
		}
		if got := strings.Count(errs.String(), "\n"); got != want {
			t.Errorf("%s: %d lines, want %d:\n%s", mode, got, want, &errs)
		}
		if mode == "auto" && !strings.Contains(errs.String(), "treesplit: 50,000 nodes, 0/s, 10.0 % done, 0 % idle, 0 open, 10.0 s elapsed, 90.0 s left\n") {
			t.Errorf("the first line is not as expected:\n%s", &errs)
		}
	}
}

// An estimated fraction is marked as an estimate.
func TestProgressText(t *testing.T) {
	done, left := 0.286, 90.0
	for estimate, want := range map[bool]string{
		false: "7 nodes, 2.00/s, 28.6 % done, 0 % idle, 0 open, 5.0 s elapsed, 90.0 s left",
		true:  "7 nodes, 2.00/s, about 28.6 % done, 0 % idle, 0 open, 5.0 s elapsed, about 90.0 s left",
	} {
		p := runProgress{progress: new(progress)}
		p.last.Store(&run.Progress{Seconds: 5, Expanded: 7, NodesPerSecond: 2, Done: &done, Estimate: estimate, SecondsLeft: &left})
		if got := p.formatText(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	silent := runProgress{progress: new(progress)}
	silent.last.Store(&run.Progress{Seconds: 75, Expanded: 7, NodesPerSecond: 2, Silent: []run.Silence{{Rank: 3, Seconds: 61}}})
	if got, want := silent.formatText(), "7 nodes, 2.00/s, 0 % idle, 75.0 s elapsed, rank 3 silent for 61.0 s"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	p := runProgress{progress: new(progress)}
	p.last.Store(&run.Progress{Seconds: 5, Expanded: 7, NodesPerSecond: 2}) // ranks do not know their open nodes
	if got, want := p.formatText(), "7 nodes, 2.00/s, 0 % idle, 5.0 s elapsed"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// After --resume all speeds count only the nodes of this run.
func TestSpeedAfterResume(t *testing.T) {
	dir := t.TempDir()
	saved, progress := filepath.Join(dir, "saved"), filepath.Join(dir, "progress")
	var out, errs bytes.Buffer
	search := []string{"uts", "--tree", "T1L", "-n", "2", "--timeout", "300ms"}
	if status := Main(append(search, "--checkpoint", saved), nil, &out, &errs); status != 3 {
		t.Fatalf("status %d: %s", status, &errs)
	}
	search = append(search, "--resume", saved, "--progress-file", progress)
	out.Reset()
	if status := Main(append(search, "--json"), nil, &out, &errs); status != 3 {
		t.Fatalf("status %d: %s", status, &errs)
	}
	var r struct {
		Expanded                int64
		Seconds, NodesPerSecond float64
		Resumed                 struct{ Expanded int64 }
	}
	if err := json.Unmarshal(out.Bytes(), &r); err != nil {
		t.Fatal(err)
	}
	if own := float64(r.Expanded - r.Resumed.Expanded); r.Resumed.Expanded == 0 || r.NodesPerSecond != own/r.Seconds {
		t.Errorf("%+v", r)
	}
	for _, p := range progressOf(t, progress) {
		if p.Estimate || p.NodesPerSecond*p.Seconds > 2.001*float64(p.Expanded-r.Resumed.Expanded) {
			t.Errorf("%+v after %d nodes", p, r.Resumed.Expanded)
		}
	}
	out.Reset()
	if status := Main(search, nil, &out, &errs); status != 3 {
		t.Fatalf("status %d: %s", status, &errs)
	}
	last := out.String()[strings.Index(out.String(), "\nleaves"):]
	last = last[strings.Index(last[1:], "\n")+2:]
	all, own, seconds, speed := parseSummary(t, last)
	if own != all-float64(r.Resumed.Expanded) || speed*seconds > 1.1*own+1000 {
		t.Errorf("%v nodes per second, %v nodes of %v in %v s", speed, own, all, seconds)
	}
}

// parseSummary reads the nodes of all runs and of this run, the seconds and the nodes per second of
// the summary of a resumed run.
func parseSummary(t *testing.T, line string) (all, own, seconds, speed float64) {
	t.Helper()
	found := regexp.MustCompile(`^([\d,]+) nodes in all, ([\d,]+) of this run in ([\d.]+) (ms|s) \(([\d.]+) ?([kM]?)/s\)`).FindStringSubmatch(line)
	if found == nil {
		t.Fatalf("no summary: %s", line)
	}
	number := func(s string) float64 {
		v, err := strconv.ParseFloat(strings.ReplaceAll(s, ",", ""), 64)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	scale := map[string]float64{"ms": 1e-3, "s": 1, "": 1, "k": 1e3, "M": 1e6}
	return number(found[1]), number(found[2]), number(found[3]) * scale[found[4]], number(found[5]) * scale[found[6]]
}

func TestPortion(t *testing.T) {
	for _, c := range []struct {
		share float64
		want  string
	}{{0, "0.000 %"}, {0.00042, "0.042 %"}, {0.5, "50.0 %"}, {0.98996, "98.9 %"}, {0.999996, "99.999 %"}, {1 - 1e-9, "99.999 %"}, {1, "100.0 %"}} {
		if got := formatPortion(c.share); got != c.want {
			t.Errorf("%v is written %q, want %q", c.share, got, c.want)
		}
	}
}

// progressOf reads a file of progress.
func progressOf(t *testing.T, file string) (all []progressLine) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		var p progressLine
		d := json.NewDecoder(strings.NewReader(line))
		d.DisallowUnknownFields()
		if err := d.Decode(&p); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		all = append(all, p)
	}
	return all
}

// --progress-file has a line for each report. The last line describes the end, also of runs that
// end before the first report, of several searches, and of simulated or stopped runs.
func TestProgressFile(t *testing.T) {
	for _, c := range []struct {
		name   string
		args   []string
		status int
		reason string
		virtual,
		whole bool
	}{
		{"at once", []string{"uts"}, 0, "exhausted", false, true},
		{"for a while", []string{"uts", "--tree", "T1"}, 0, "exhausted", false, true},
		{"decided", []string{"sat", "../testdata/random50-sat.cnf"}, 10, "decided", false, true},
		{"iterations", []string{"puzzle", "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3", "--heuristic", "md"}, 0, "decided", false, true},
		{"simulated", []string{"uts", "--tree", "T1", "--machine", "ncube2"}, 0, "exhausted", true, true},
		{"stopped", []string{"uts", "--tree", "T1WL", "--timeout", "500ms"}, 3, "timeout", false, false},
		{"a ring", []string{"ring", "tree", "--levels", "12"}, 0, "exhausted", false, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if testing.Short() && (c.virtual || c.name == "iterations") {
				t.Skip("many nodes")
			}
			file := filepath.Join(t.TempDir(), "progress.jsonl")
			var out, errs bytes.Buffer
			if status := Main(append(c.args, "-n", "2", "--progress", "off", "--progress-file", file), nil, &out, &errs); status != c.status || errs.Len() > 0 {
				t.Fatalf("status %d: %s", status, &errs)
			}
			all := progressOf(t, file)
			if len(all) == 0 {
				t.Fatal("no line")
			}
			for i, p := range all[1:] {
				before := all[i]
				falls := p.Search == before.Search && p.Done != nil && before.Done != nil && *p.Done < *before.Done
				if falls || p.Search < before.Search || p.Seconds < before.Seconds || p.Expanded < before.Expanded || before.Reason != "" {
					t.Errorf("%+v after %+v", p, before)
				}
			}
			last := all[len(all)-1]
			if last.Reason != c.reason || last.Done == nil || (*last.Done == 1) != c.whole || last.Expanded == 0 || (last.VirtualSeconds > 0) != c.virtual {
				t.Errorf("the last line is %+v", last)
			}
			if c.name == "iterations" && (!strings.HasPrefix(last.At, "bound ") || last.Search < 2) {
				t.Errorf("the last line is at %q, search %d", last.At, last.Search)
			}
		})
	}
	var out, errs bytes.Buffer
	missing := filepath.Join(t.TempDir(), "no", "such", "folder")
	if status := Main([]string{"uts", "--progress-file", missing}, nil, &out, &errs); status != 2 || !strings.HasPrefix(errs.String(), "treesplit: --progress-file: ") || out.Len() > 0 {
		t.Errorf("status %d: %s", status, &errs)
	}
}
