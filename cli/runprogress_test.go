package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"treesplit/experiment"
)

// Where there is no terminal a line is written every 10 s; with --progress on one at the
// beginning too, and where something new begins. With off there is none.
func TestProgressLines(t *testing.T) {
	for mode, want := range map[string]int{"auto": 2, "on": 4, "off": 0} {
		var errs bytes.Buffer
		a := &app{stderr: &errs}
		p := a.runProgress(mode, "")
		for i := range 125 { // 25 s in steps of a fifth
			now := experiment.Progress{Seconds: float64(i+1) / 5, Expanded: int64(1000 * (i + 1))}
			if i >= 60 { // after 12 s
				p.say("bound 52, ")
			}
			done := now.Seconds / 100
			now.Done, now.SecondsLeft = &done, nil
			if i > 5 {
				left := 100 - now.Seconds
				now.SecondsLeft = &left
			}
			p.update(now)
		}
		if got := strings.Count(errs.String(), "\n"); got != want {
			t.Errorf("%s: %d lines, want %d:\n%s", mode, got, want, &errs)
		}
		if mode == "auto" && !strings.Contains(errs.String(), "treesplit: 50000 nodes, 0 a second, 10.0 % done, 0 % idle, 0 open, 10s, 1m30s left\n") {
			t.Errorf("the first line is not as expected:\n%s", &errs)
		}
	}
}

func TestPortion(t *testing.T) {
	for _, c := range []struct {
		share float64
		want  string
	}{{0, "0.000 %"}, {0.00042, "0.042 %"}, {0.5, "50.0 %"}, {0.98996, "98.9 %"}, {0.999996, "99.999 %"}, {1 - 1e-9, "99.999 %"}, {1, "100.0 %"}} {
		if got := portion(c.share); got != c.want {
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

// --progress-file has a line for each look, the last of the end, also of runs that are over
// before anybody looks, of several searches, simulated, or stopped.
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
