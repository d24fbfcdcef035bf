package sweep

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

const goodPlan = `name: good
worlds: [local, ncube2]
ranks: [2, 4]
schemes: [rp, grr-m, nn]
detectors: [ring, credit]
seeds: [1, 2]
repeats: 3
timeout: 10m
instances:
  - name: a
    verb: uts
    args: [-t, "1"]
  - name: b
    verb: sat
    args: [x.cnf]
    schemes: [sb]
batch:
  time: 2h
  directives: [--partition=short]
`

func parse(t *testing.T, text string) *Plan {
	t.Helper()
	p, err := ParsePlan([]byte(text), "p.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if err := p.SettleLauncher(""); err != nil {
		t.Fatal(err)
	}
	return p
}

// A wrong plan is refused with its file, the line and the expected value.
func TestBadPlans(t *testing.T) {
	for _, c := range []struct {
		old, new string // the change in the good plan
		line     int
		says     string
	}{
		{"repeats:", "repeat:", 7, "repeat"},
		{"    verb: uts\n", "    verb: uts\n    colour: red\n", 12, "colour"},
		{"repeats: 3", "repeats: many", 7, ""},
		{"repeats: 3", "repeats: -1", 7, "expected 1 to 1000"},
		{"ranks: [2, 4]", "ranks: [2,\n  0]", 4, "0 ranks: expected 1 to"},
		{"ranks: [2, 4]", "ranks: [2, 4, 2]", 3, "2 is there twice"},
		{"ranks: [2, 4]", "ranks: []", 3, "an empty list"},
		{"ranks: [2, 4]\n", "", 1, "no ranks"},
		{"grr-m", "grrm", 4, "grrm"},
		{"timeout: 10m", "args: [--quantum, '5',\n  --levels, '3']", 9, "--levels has no effect in any run: expected one of the schemes ml"},
		{"args: [x.cnf]", "args: [x.cnf,\n      --delay=1ms]", 16, "--delay has no effect"},
		{"credit", "debit", 5, "debit"},
		{"ncube2", "ncube3", 2, "expected local, mpi, or a machine"},
		{"name: good", "name: a/b", 1, "expected up to 64 letters"},
		{"name: b", "name: a", 13, "instance a is there twice"},
		{"verb: sat", "verb: sit", 14, "expected one of sat, puzzle"},
		{"args: [x.cnf]", "args: [x.cnf,\n      --scheme=rp]", 16, "--scheme is set by the sweep"},
		{"args: [x.cnf]", "args: [x.cnf, -n4]", 15, "is set by the sweep"},
		{"args: [x.cnf]", "args: [--,\n      -x.cnf]", 15, "--: expected it only before the command of verb run"},
		{"timeout: 10m", "args: [--quantum,\n  --]", 9, "--: expected it only before the command of verb run"},
		{"sat\n    args: [x.cnf]", "run\n    args: [python3, x.py]", 15, "no worker: expected flags, --, and the command"},
		{"sat\n    args: [x.cnf]", "run\n    args: [--quantum, '5', --]", 15, "no worker"},
		{"sat\n    args: [x.cnf]", "run\n    args: [--seed=1,\n      --, x.py]", 15, "--seed is set by the sweep"},
		{"schemes: [sb]", "schemes: [sbb]", 16, "sbb"},
		{"timeout: 10m", "timeout: 10", 8, ""},
		{"timeout: 10m", "timeout: -1s", 8, "expected a span above 0"},
		{"timeout: 10m", "timeout: 10m\nlauncher: ssh", 9, "expected local, mpirun, srun"},
		{"timeout: 10m", "timeout: 10m\nlauncher-args: [-x,\n  'a b']", 10, "without blanks"},
		{"timeout: 10m", "timeout: 10m\nsequential: twice", 9, "expected per-seed, once or never"},
		{"time: 2h", "time: 2s", 18, "a minute to 1000 days"},
		{"time: 2h", "time: 2h\n  warn: 3h", 19, "less than time"},
		{"--partition=short", "\"#SBATCH -p x\"", 19, "without its #SBATCH"},
		{"timeout: 10m", "timeout: 10m\ntimeout: 11m", 9, ""},
		{"seeds: [1, 2]", "seeds: &x [1, 2]", 6, "alias"},
		{"seeds: [1, 2]", "seeds: [1, -2]", 6, ""},
		{"seeds: [1, 2]", "seeds: [1, 2", 7, "must be specified"},
		{"seeds: [1, 2]", "seeds: [" + numbers(2_000) + "]", 1, "runs: expected at most 100000"},
		{"sat\n    args: [x.cnf]\n    schemes: [sb]", "ring\n    args: [tree, --steps]\n    schemes: [rp,\n      '<b>']", 17, "unknown scheme \"<b>\" of ring: expected one of ks-bf, ks-load"},
		{"sat\n    args: [x.cnf]\n    schemes: [sb]", "ring\n    args: [tree]\n    schemes: [ks-bf,\n      nn]", 17, "scheme nn exists only in a simulation: expected --steps"},
		{"time: 2h", "time: 2h\n  requeue: true", 19, "batch.requeue: expected checkpoint-every too"},
		{"sat\n    args: [x.cnf]\n    schemes: [sb]\nbatch:", "ring\n    args: [tree]\ncheckpoint-every: 5m\nbatch:\n  requeue: true", 13, "instance b saves no checkpoints"},
		{"sat\n    args: [x.cnf]\n    schemes: [sb]\nbatch:", "sat\n    args: [x.cnf, --rule=CDCL]\ncheckpoint-every: 5m\nbatch:\n  requeue: true", 13, "instance b has rule cdcl, whose attempts begin again in each job"},
		{"name: good", "name: 1.50", 1, `name: YAML reads 1.50 as "1.5": expected it in quotes, '1.50'`},
		{"name: a", "name: 010", 10, `name: YAML reads 010 as "8"`},
		{"args: [x.cnf]", "args: [x.cnf, --n,\n      0x10]", 16, `args: YAML reads 0x10 as "16"`},
		{"args: [x.cnf]", "args: [x.cnf, null]", 15, `args: YAML reads null as "": expected it in quotes`},
		{"timeout: 10m", "launcher-args: [-x,\n  1_000]", 9, `launcher-args: YAML reads 1_000 as "1000"`},
		{"--partition=short", "007", 19, `directives: YAML reads 007 as "7"`},
		{"ranks: [2, 4]", "\"ranks\": [2,\n  2.7]", 4, `ranks: "2.7": expected a whole number`},
		{"ranks: [2, 4]", "'ranks': [2.7]", 3, `ranks: "2.7": expected a whole number`},
		{"ranks: [2, 4]", "\"r\\x61nks\": [2.7]", 3, `ranks: "2.7": expected a whole number`},
		{"ranks: [2, 4]", "? ranks\n: [2.7]", 4, `ranks: "2.7": expected a whole number`},
		{"args: [x.cnf]", "\"args\": [010]", 15, `args: YAML reads 010 as "8"`},
		{"args: [x.cnf]", "args: [x.cnf,\n      --restart]", 16, "--restart is set by the sweep"},
		{"sat\n    args: [x.cnf]\n    schemes: [sb]", "ring\n    args: [random]\nsequential: once", 16, "instance b has another tree for each seed: expected sequential per-seed or never"},
	} {
		if !strings.Contains(goodPlan, c.old) {
			t.Fatalf("no %q in the plan", c.old)
		}
		_, err := ParsePlan([]byte(strings.Replace(goodPlan, c.old, c.new, 1)), "p.yaml")
		if err == nil || !strings.HasPrefix(err.Error(), fmt.Sprintf("p.yaml:%d: ", c.line)) || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%.40q: %v, want line %d and %q", c.new, err, c.line, c.says)
		}
	}
	for _, text := range []string{"", "- a", "12", "name: x\n---\nname: y\n", "\x00", "name: [", "? a\n: b\n"} {
		if _, err := ParsePlan([]byte(text), "p.yaml"); err == nil || !strings.HasPrefix(err.Error(), "p.yaml:") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func numbers(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%d,", i)
	}
	return strings.TrimSuffix(b.String(), ",")
}

// Numbers in args reach the program as they are written.
func TestNumbersInArgs(t *testing.T) {
	p := parse(t, "name: x\nranks: [2]\nargs: [--quantum, 5, '010', \"1.50\", 1e3, -5, 0.25, true, no]\ninstances: [{name: a, verb: uts, args: }]\n")
	if got := strings.Join(p.Args, " "); got != "--quantum 5 010 1.50 1e3 -5 0.25 true no" {
		t.Error(got)
	}
}

// Every combination is run once. The sequential runs are additional, per seed or once.
func TestExpansionCounts(t *testing.T) {
	const cells = 2 /* worlds */ * 2 /* seeds */ * 3 /* repeats */
	many := cells * 2 /* ranks */ * (3*2 /* a */ + 1*2 /* b */)
	for _, c := range []struct {
		sequential string
		want       int
	}{
		{"", many + cells*2},
		{"sequential: per-seed\n", many + cells*2},
		{"sequential: once\n", many + cells*2/2},
		{"sequential: never\n", many},
	} {
		runs := parse(t, goodPlan+c.sequential).ExpandRuns()
		if len(runs) != c.want {
			t.Errorf("%q: %d runs, want %d", c.sequential, len(runs), c.want)
		}
		keys := map[string]bool{}
		for i, r := range runs {
			if r.Index != i || keys[r.Key] {
				t.Fatalf("run %d has index %d, key %s seen: %v", i, r.Index, r.Key, keys[r.Key])
			}
			keys[r.Key] = true
		}
	}
}

// A key stays the same when the lists of the plan grow or change order, and changes with every
// property of the run.
func TestKeysAreStable(t *testing.T) {
	keys := func(text string) (all []string) {
		for _, r := range parse(t, text).ExpandRuns() {
			all = append(all, r.Key)
		}
		slices.Sort(all)
		return all
	}
	before := keys(goodPlan)
	grown := strings.NewReplacer("[rp, grr-m, nn]", "[nn, arr, rp, grr-m]", "[1, 2]", "[2, 3, 1]", "ranks: [2, 4]", "ranks: [8, 4, 2]", "repeats: 3", "repeats: 4", "timeout: 10m", "timeout: 11m").Replace(goodPlan)
	after := keys(grown)
	for _, k := range before {
		if !slices.Contains(after, k) {
			t.Errorf("%s is gone", k)
		}
	}
	for _, k := range keys(strings.Replace(goodPlan, "x.cnf", "y.cnf", 1)) {
		if strings.HasPrefix(k, "good/b/") && slices.Contains(before, k) {
			t.Errorf("%s stands for another formula too", k)
		}
	}
}

// A run has the expected command line.
func TestCommands(t *testing.T) {
	p := parse(t, "name: x\nranks: [4]\nschemes: [rp]\ndetectors: [tree]\nseeds: [7]\ninstances: [{name: a, verb: uts, args: [-d, '6']}, {name: r, verb: ring, args: [tree]}, {name: w, verb: run, args: [--quantum, '5', --, worker, --seed, -n9, --levels, '3']}]\n")
	runs := p.ExpandRuns()
	for _, c := range []struct {
		world string
		l     Launch
		run   int
		want  string
	}{
		{WorldLocal, Launch{Binary: "ts"}, 0, "ts uts -d 6 -n 1 --seed 7 --json --progress off"},
		{WorldLocal, Launch{Binary: "ts"}, 3, "ts uts -d 6 -n 4 --scheme rp --termination tree --seed 7 --json --progress off"},
		{WorldLocal, Launch{Binary: "ts"}, 4, "ts ring tree -n 4 --seed 7 --json --progress off"},
		{WorldLocal, Launch{Binary: "ts"}, 5, "ts run --quantum 5 -n 4 --scheme rp --termination tree --seed 7 --json --progress off -- worker --seed -n9 --levels 3"},
		{"ncube2", Launch{Binary: "ts"}, 3, "ts uts -d 6 -n 4 --machine ncube2 --scheme rp --termination tree --seed 7 --json --progress off"},
		{WorldMPI, Launch{Binary: "ts", Launcher: "mpirun.mpich", Args: []string{"-bind-to", "core"}}, 3, "mpirun.mpich -n 4 -bind-to core ts uts -d 6 --scheme rp --termination tree --seed 7 --json --progress off"},
		{WorldMPI, Launch{Binary: "ts", Launcher: "srun"}, 3, "srun -n 4 --mpi=pmi2 ts uts -d 6 --scheme rp --termination tree --seed 7 --json --progress off"},
		{WorldMPI, Launch{Binary: "ts", Launcher: "srun", Args: []string{"--mpi=pmix"}}, 3, "srun -n 4 --mpi=pmix ts uts -d 6 --scheme rp --termination tree --seed 7 --json --progress off"},
	} {
		r := runs[c.run]
		r.World = c.world
		if got := strings.Join(c.l.CommandFor(r), " "); got != c.want {
			t.Errorf("%s\nwant %s", got, c.want)
		}
	}
	want := "ts run --quantum 5 -n 4 --scheme rp --termination tree --seed 7 --json --progress off --checkpoint c -- worker --seed -n9 --levels 3"
	if got := strings.Join((Launch{Binary: "ts"}).CommandFor(runs[5], "--checkpoint", "c"), " "); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

// An option of some schemes is passed only to runs under these schemes.
func TestOptionsOfSchemes(t *testing.T) {
	p := parse(t, `name: x
worlds: [local, ncube2]
ranks: [2]
schemes: [rp, ml, sb, nn]
args: [--levels, "3", --cutoff=4, --route-through-scheduler, --topology, ring, --quantum, "5"]
sequential: once
instances: [{name: a, verb: uts, args: [-d, "6"]}, {name: r, verb: ring, args: [tree, --levels, "9"], schemes: [""]}]
`)
	got := map[string]string{}
	for _, r := range p.ExpandRuns() {
		scheme := r.Scheme
		if r.Sequential {
			scheme = "alone"
		}
		got[r.World+" "+r.Verb+" "+scheme] = strings.Join(r.effective(), " ")
	}
	for run, want := range map[string]string{
		"local uts alone":  "--cutoff=4 --quantum 5 -d 6",
		"local uts rp":     "--cutoff=4 --quantum 5 -d 6",
		"local uts ml":     "--levels 3 --cutoff=4 --quantum 5 -d 6",
		"local uts sb":     "--cutoff=4 --route-through-scheduler --quantum 5 -d 6",
		"local uts nn":     "--cutoff=4 --topology ring --quantum 5 -d 6",
		"ncube2 uts nn":    "--cutoff=4 --quantum 5 -d 6",
		"local ring alone": "--levels 3 --cutoff=4 --route-through-scheduler --topology ring --quantum 5 tree --levels 9",
	} {
		if got[run] != want {
			t.Errorf("%s: %q, want %q", run, got[run], want)
		}
	}
}

// A plan may have the syntax of JSON.
func TestJSONPlan(t *testing.T) {
	const plan = `{"name": "x", "ranks": [2, 4], "args": ["010", "1.50"], "timeout": "10m", "instances": [{"name": "a", "verb": "uts"}]}`
	if p := parse(t, plan); fmt.Sprint(p.Ranks, p.Args) != "[2 4] [010 1.50]" {
		t.Errorf("%v %q", p.Ranks, p.Args)
	}
	for old, says := range map[string][2]string{
		"[2, 4]":  {"[2.7]", `p.yaml:1: ranks: "2.7"`},
		`"010"`:   {"010", `p.yaml:1: args: YAML reads 010 as "8"`},
		`"10m"`:   {"10", `p.yaml:1: timeout: "10"`},
		`"uts"}]`: {`"uts"}], "seeds": [1e3]`, `p.yaml:1: seeds: "1e3"`},
	} {
		if _, err := ParsePlan([]byte(strings.Replace(plan, old, says[0], 1)), "p.yaml"); err == nil || !strings.HasPrefix(err.Error(), says[1]) {
			t.Errorf("%s: %v, want %s", says[0], err, says[1])
		}
	}
}

// The schemes and detectors of a plan, and options of schemes, apply to map only if it searches by branch and bound.
func TestSchemesOfMap(t *testing.T) {
	p := parse(t, `name: x
ranks: [2]
schemes: [rp, ml]
detectors: [ring, credit]
args: [--cutoff=4]
sequential: never
instances:
  - {name: auto, verb: map, args: [g.graph]}
  - {name: pairs, verb: map, args: [g.graph, --strategy, pair-bb]}
  - {name: bb, verb: map, args: [g.graph, --strategy, bb]}
  - {name: own, verb: map, args: [g.graph], schemes: [rp]}
`)
	got := map[string][]string{}
	for _, r := range p.ExpandRuns() {
		got[r.Instance] = append(got[r.Instance], r.Scheme+","+r.Detector+" "+strings.Join(r.effective(), " "))
	}
	for instance, want := range map[string]string{
		"auto":  `[, g.graph]`,
		"pairs": `[, g.graph --strategy pair-bb]`,
		"bb":    `[rp,ring --cutoff=4 g.graph --strategy bb rp,credit --cutoff=4 g.graph --strategy bb ml,ring --cutoff=4 g.graph --strategy bb ml,credit --cutoff=4 g.graph --strategy bb]`,
		"own":   `[rp, g.graph]`,
	} {
		if fmt.Sprint(got[instance]) != want {
			t.Errorf("%s: %q, want %s", instance, got[instance], want)
		}
	}
	_, err := ParsePlan([]byte("name: x\nranks: [2]\ninstances: [{name: a, verb: map, args: [g.graph, --levels, '3'], schemes: [ml]}]\n"), "p.yaml")
	if err == nil || !strings.HasPrefix(err.Error(), "p.yaml:3: --levels has no effect in any run") {
		t.Error(err)
	}
}

// Seeds of a random tree of ring are different trees, each of which needs its own run on one rank.
func TestTreeOfSeed(t *testing.T) {
	const plan = "name: x\nranks: [2]\nsequential: once\n"
	for more, ok := range map[string]bool{
		"seeds: [1, 2]\ninstances: [{name: a, verb: ring, args: [random]}]\n":                      false,
		"seeds: [1, 2]\nargs: [--steps]\ninstances: [{name: a, verb: ring, args: [random]}]\n":     false,
		"seeds: [1]\ninstances: [{name: a, verb: ring, args: [random]}]\n":                         true,
		"instances: [{name: a, verb: ring, args: [random]}]\n":                                     true,
		"seeds: [1, 2]\ninstances: [{name: a, verb: ring, args: [tree]}]\n":                        true,
		"seeds: [1, 2]\ninstances: [{name: a, verb: uts}, {name: b, verb: sat, args: [random]}]\n": true,
	} {
		if _, err := ParsePlan([]byte(plan+more), "p.yaml"); (err == nil) != ok {
			t.Errorf("%s: %v", more, err)
		}
	}
}

// The launcher and the worlds must agree.
func TestSettle(t *testing.T) {
	plan := func(worlds string) *Plan {
		p, err := ParsePlan([]byte("name: x\nranks: [1]\n"+worlds+"instances: [{name: a, verb: uts}]\n"), "p.yaml")
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	for _, c := range []struct {
		worlds, launcher string
		want             string // "": an error is expected
	}{
		{"", "", "[local]"}, {"", "local", "[local]"}, {"", "mpirun", "[mpi]"}, {"", "srun", "[mpi]"}, {"", "/opt/mpi/bin/mpiexec.hydra", "[mpi]"},
		{"worlds: [local]\n", "mpirun", ""}, {"worlds: [mpi]\n", "", ""}, {"worlds: [mpi, local]\n", "mpirun", "[mpi local]"}, {"", "rsh", ""},
	} {
		p := plan(c.worlds)
		err := p.SettleLauncher(c.launcher)
		if got := fmt.Sprint(p.Worlds); (err == nil) != (c.want != "") || err == nil && got != c.want {
			t.Errorf("%+v: %s, %v", c, got, err)
		}
	}
}

// Every text of a plan is refused with one line, or gives a bounded number of runs.
func FuzzPlan(f *testing.F) {
	f.Add([]byte(goodPlan))
	f.Add([]byte("a: &a [*a]\n"))
	f.Add([]byte("name: !!binary x\nranks: [1e3]\ninstances: {}\n"))
	if text, err := os.ReadFile("../../testdata/sweep.yaml"); err == nil {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		p, err := ParsePlan(text, "p.yaml")
		if err != nil {
			if !strings.HasPrefix(err.Error(), "p.yaml:") || strings.Contains(err.Error(), "\n") {
				t.Errorf("%q", err)
			}
			return
		}
		if p.SettleLauncher("") != nil && p.SettleLauncher("mpirun") != nil {
			return
		}
		if n := len(p.ExpandRuns()); n < 1 || n > maxRuns+1 {
			t.Errorf("%d runs", n)
		}
	})
}
