package e2e

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// A calibration in each world leaves a machine file that runs are predicted from: of the
// same search, of another, and of a model.
func TestCalibrateAndPredict(t *testing.T) {
	t.Parallel()
	inEachWorld(t, worlds, func(t *testing.T, l library) {
		file := filepath.Join(t.TempDir(), "here.yaml")
		c := object(t, runIn(t, l, 2, "", "calibrate", "--time", "200ms", "--out", file, "--json", "uts", "--tree", "T1"), 0)
		if w := map[bool]string{true: "local", false: "mpi"}[l == none]; c["world"] != w || c["ranks"] != 2.0 || c["search"] != "uts --tree T1" && l != none {
			t.Errorf("calibrated %v", c)
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, field := range []string{"expand", "expand-alone", "poll", "startup", "receive", "per-hop", "closing", "split"} {
			if !regexp.MustCompile(`(?m)^` + field + `: [0-9.]+[nµm]?s +# .*quartiles .* samples$`).Match(text) {
				t.Errorf("the file says nothing of %s:\n%s", field, text)
			}
		}
		program := treesplit(t, none)
		p := object(t, run(t, "", program, "predict", "--ranks", "1,4", "--schemes", "rp,nn", "--efficiency", "0", "--json", file, "uts"), 0)
		cells := p["predictions"].([]any)
		for _, cell := range cells {
			if e := cell.(map[string]any)["efficiency"].(float64); e <= 0 || e > 1.2 { // a rank alone may have been slower in passing
				t.Errorf("predicted %v", cell)
			}
		}
		if len(cells) != 4 || !slices.Contains([]any{"rp", "nn"}, p["recommended"]) || p["tree"].(map[string]any)["kind"] != "recorded" {
			t.Errorf("predicted %v", p)
		}
		r := object(t, run(t, "", program, "uts", "--machine", file, "-n", "64", "--json"), 0)
		if r["world"] != "sim" || r["machine"] != file || r["seconds"].(float64) <= 0 {
			t.Errorf("simulated %v", r)
		}
	})
}

// Any search can be calibrated with and predicted, and a model without one.
func TestPredictSearches(t *testing.T) {
	t.Parallel()
	program := treesplit(t, none)
	for _, c := range []struct {
		kind string
		args []string
	}{
		{"recorded", []string{"sat", testdata("php6.cnf"), "--rule", "paper"}},
		{"timed", []string{"sat", testdata("php6.cnf")}},
		{"timed", []string{"sat", testdata("php6.cnf"), "--rule", "cubes"}},
		{"live", []string{"sat", testdata("php6.cnf"), "--rule", "plain"}},
		{"live", []string{"puzzle", "14 1 9 6 4 8 12 5 7 2 3 0 10 11 13 15", "--heuristic", "md"}},
		{"model", nil},
	} {
		args := []string{program, "predict", "--ranks", "2,5", "--efficiency", "0", "--json"}
		if c.kind == "model" {
			args = append(args, "--nodes", "50000")
		}
		p := object(t, run(t, "", slices.Concat(args, []string{"sharedmemory"}, c.args)...), 0)
		if p["tree"].(map[string]any)["kind"] != c.kind || p["recommended"] == "" {
			t.Errorf("%v: %v", c.args, p)
		}
		if len(c.args) > 0 {
			object(t, run(t, "", slices.Concat([]string{program, "calibrate", "-n", "2", "--time", "50ms", "--json"}, c.args)...), 0)
		}
	}
}

func testdata(name string) string { return filepath.Join("..", "testdata", name) }

// Ctrl-C ends a calibration on all ranks, and no file is left that says half.
func TestCalibrateInterrupted(t *testing.T) {
	t.Parallel()
	inEachWorld(t, worlds, func(t *testing.T, l library) {
		file := filepath.Join(t.TempDir(), "here.yaml")
		b := beginUntil(t, l, 2, regexp.MustCompile("(nodes|messages|pieces), "), "", "calibrate", "--time", "1h", "--out", file, "uts", "--tree", "T1")
		status := b.signalled(t, l, 1, os.Interrupt)
		if _, err := os.Stat(file); status != 3 || err == nil || b.out.String() != "" {
			t.Errorf("status %d, file %v:\n%s%s", status, err, &b.out, &b.err)
		}
	})
}

func TestPredictInterrupted(t *testing.T) {
	t.Parallel()
	file := write(t, "slow.yaml", []byte("base: ncube2\nquantum: 1\n"))
	for name, args := range map[string][]string{
		"while it looks":            {"predict", file, "uts", "--tree", "T1L"},
		"while it simulates":        {"predict", "--schemes", "rp", file, "uts", "--tree", "T1"},
		"while the model is fitted": {"predict", "--ranks", "512", "--schemes", "rp", file, "uts", "--tree", "T3"},
	} {
		t.Run(name, func(t *testing.T) {
			b := beginUntil(t, none, 64, regexp.MustCompile(`simulations`), "", args...)
			if err := b.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
			if status := b.ends(t, 20*time.Second); status != 3 || b.out.String() != "" {
				t.Errorf("status %d:\n%s%s", status, &b.out, &b.err)
			}
		})
	}
}

// What cannot be calibrated or predicted is refused in one line.
func TestBadPredictions(t *testing.T) {
	t.Parallel()
	program := treesplit(t, none)
	hostile := func(text string) string { return write(t, "m.yaml", []byte(text)) }
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"no search":              {[]string{"calibrate"}, "expected sat, puzzle, uts"},
		"no such search":         {[]string{"calibrate", "ring"}, `"ring": expected sat`},
		"one rank":               {[]string{"calibrate", "-n", "1", "uts"}, "2 or more"},
		"no ranks":               {[]string{"calibrate", "-n", "0", "uts"}, "--ranks: 0"},
		"no time":                {[]string{"calibrate", "--time", "0s", "uts"}, "--time: 0s"},
		"a run's flag":           {[]string{"calibrate", "uts", "--machine", "ncube2"}, "--machine: calibrate makes no run"},
		"no file":                {[]string{"calibrate", "sat", "no such file"}, "no such file"},
		"a file nowhere":         {[]string{"calibrate", "-n", "2", "--time", "1ms", "--out", "/no/such/place", "uts", "-d", "3"}, "/no/such/place"},
		"no machine":             {[]string{"predict"}, "no MACHINE"},
		"no such machine":        {[]string{"predict", "cm5", "uts"}, `"cm5"`},
		"no search to predict":   {[]string{"predict", "ncube2"}, "no search"},
		"a negative cost":        {[]string{"predict", hostile("poll: 1us\nstartup: -5us\n"), "uts"}, "m.yaml:2: startup: -5000"},
		"endless nodes":          {[]string{"predict", hostile("expand: 2000000h\n"), "uts"}, "m.yaml:1: expand"},
		"no number":              {[]string{"predict", hostile("closing: soon\n"), "uts"}, `m.yaml:1: closing: "soon"`},
		"ranks without bounds":   {[]string{"predict", hostile("together: 99999999999\n"), "uts"}, "m.yaml:1: together"},
		"an unknown cost":        {[]string{"predict", hostile("accepts: 1us\n"), "uts"}, `m.yaml:1: unknown field "accepts"`},
		"binary":                 {[]string{"predict", hostile("\x7fELF\x00\x01\xff"), "uts"}, "m.yaml:1: "},
		"words for ranks":        {[]string{"predict", "-n", "2,many", "ncube2", "uts"}, `--ranks: "many"`},
		"too many ranks":         {[]string{"predict", "-n", "99999999999", "ncube2", "uts"}, "--ranks:"},
		"no such scheme":         {[]string{"predict", "--schemes", "rp,xy", "ncube2", "uts"}, `--schemes: unknown scheme "xy"`},
		"all of the efficiency":  {[]string{"predict", "--efficiency", "1", "ncube2", "uts"}, "--efficiency: 1"},
		"a model and a search":   {[]string{"predict", "--nodes", "5", "ncube2", "uts"}, "--nodes: a model"},
		"a model of nothing":     {[]string{"predict", "--nodes", "-5", "ncube2"}, "--nodes: -5"},
		"a tree beyond its time": {[]string{"predict", "--look", "1ms", "ncube2", "uts", "--tree", "T1L"}, "expected --nodes"},
	} {
		t.Run(name, func(t *testing.T) { refused(t, run(t, "", append([]string{program}, c.args...)...), c.want) })
	}
	for _, l := range libraries {
		t.Run(l.String(), func(t *testing.T) {
			l.need(t)
			o := runIn(t, l, 2, "", "predict", "ncube2", "uts")
			if own := o.lines(); o.status == 0 || len(own) != 1 || !strings.Contains(own[0], "predict runs in one process") {
				t.Errorf("status %d:\n%s", o.status, o.stderr)
			}
		})
	}
}
