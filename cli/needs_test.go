package cli

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// refuses runs the program with a command line, whose fields are separated by blanks. It checks
// that the program ends at once with status 2 and one line that contains a text.
func refuses(t *testing.T, line, text string) {
	t.Helper()
	refusesWords(t, strings.Fields(line), text)
}

func refusesWords(t *testing.T, line []string, text string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	status := Main(line, strings.NewReader(""), &stdout, &stderr)
	if status != statusInput || stdout.Len() > 0 || strings.Count(stderr.String(), "\n") != 1 || !strings.Contains(stderr.String(), text) {
		t.Errorf("%s: status %d, printed %q and %q; want status 2 and %q", line, status, &stdout, &stderr, text)
	}
}

// withoutEffect has command lines with a flag that has no effect, and parts of their errors.
var withoutEffect = map[string]string{
	"uts --levels 3":                                                "--levels: it has no effect under scheme rp: expected --scheme ml",
	"uts --levels 2":                                                "--levels: ", // the default has no effect either
	"uts --trace-events 5":                                          "--trace-events: it has no effect here: expected --trace with it",
	"uts --pace 1us --machine ncube2":                               "--pace: it has no effect here: expected no --machine",
	"uts --latency 1us --machine ncube2":                            "--latency: it has no effect here: expected no --machine",
	"uts --bandwidth 1e9 --machine ncube2":                          "--bandwidth: it has no effect here: expected no --machine",
	"uts --stall 5s --machine ncube2":                               "--stall: it has no effect here: expected no --machine",
	"uts --sequential --machine ncube2":                             "--sequential: it has no effect here: expected no --machine",
	"objects --sequential --machine ncube2":                         "--sequential: it has no effect here: expected no --machine",
	"run --quantum-time 1s --machine ncube2 -- cat":                 "--quantum-time: it has no effect here: expected no --machine",
	"run --quantum-time 1s --quantum 5 -- cat":                      "--quantum-time: it has no effect here: expected --quantum auto",
	"check x.cnf y.lrat --format lrat --mode backward":              "--mode: it has no effect here: expected a proof in DRAT format",
	"uts --pace-jitter 0.5":                                         "--pace-jitter: it has no effect here: expected --pace with it",
	"uts --pace-slow 0=2":                                           "--pace-slow: it has no effect here: expected --pace with it",
	"uts --pace-send 1us":                                           "--pace-send: it has no effect here: expected --pace with it",
	"uts --pace-receive 1us":                                        "--pace-receive: it has no effect here: expected --pace with it",
	"uts --pace-poll 1us":                                           "--pace-poll: it has no effect here: expected --pace with it",
	"uts --pace 1us --pace-poll -1us":                               "--pace-poll: -1µs: expected a time of 0 to 10s",
	"calibrate uts --pace 1us --pace-poll 1us":                      "--pace-poll: calibrate makes no run",
	"reproduce table3 --launcher mpirun":                            "--launcher: it has no effect here: expected --runtime mpi",
	"uts --pace 1us --sequential":                                   "--sequential: true: expected no --pace with it",
	"uts --pace -1us":                                               "--pace: -1µs: expected a time of a node above 0",
	"uts --pace 1us --pace-slow 2=2 -n 2":                           "--pace-slow: rank 2=2: expected a rank of 0 to 1",
	"uts --pace 1us --pace-slow 2":                                  "--pace-slow: \"2\": expected RANK=FACTOR",
	"uts --pace 1us --pace-jitter 2":                                "--pace-jitter: 2: expected a fraction of 0 to 1",
	"uts --latency -1us":                                            "--latency: ",
	"uts --bandwidth 0.5":                                           "--bandwidth: ",
	"calibrate uts --pace 1us --pace-slow 1=2":                      "--pace-slow: calibrate makes no run",
	"calibrate uts --pace 11s":                                      "--pace: 11s: expected a time of a node",
	"predict ncube2 uts --pace 1us":                                 "--pace: predict makes no run",
	"map ../testdata/random20.graph -p 4 --pace 1us":                "--pace: strategy auto makes no use of it",
	"uts --per-rank":                                                "--per-rank: it has no effect here: expected --json with it",
	"uts --delay 1ms":                                               "expected --scheme grr-m",
	"uts --topology ring":                                           "expected --scheme nn, shuffle, static+clustered",
	"uts --topology ring --scheme lifeline":                         "--topology: ",
	"uts --topology mesh --scheme nn --machine ncube2":              "--topology: it has no effect with --machine",
	"uts --phase 10us":                                              "expected --scheme shuffle",
	"uts --trigger always":                                          "expected --scheme shuffle",
	"uts --trigger-at 0.5":                                          "expected --scheme shuffle",
	"uts --permutation exact":                                       "expected --scheme shuffle",
	"uts --scheme shuffle --trigger always --trigger-at 0.5":        "--trigger-at: it has no effect under --trigger always",
	"uts --cluster 2 --scheme static+rp":                            "expected --scheme static+clustered",
	"uts --splits 4":                                                "expected --scheme static, static+rp, static+clustered",
	"uts --route-through-scheduler":                                 "expected --scheme sb",
	"uts --arity 3":                                                 "--arity: it has no effect under scheme rp: expected --scheme ml",
	"uts --scheme ml --arity 1":                                     "--arity: 1: expected 2 to ",
	"uts --equal-targets":                                           "expected --scheme arr",
	"uts --route-through-scheduler=false":                           "expected --scheme sb",
	"uts --cutoff 4 --scheme static":                                "--cutoff: ",
	"uts --damage 0.5 --scheme static":                              "--damage: ",
	"uts --damage 0.5 --scheme sl":                                  "--damage: ",
	"uts --split bottom --scheme ra":                                "--split: ",
	"uts --min-split 4 --scheme ml":                                 "--min-split: ",
	"uts -q 0.2":                                                    "--probability: it has no effect here: expected -t 0 (binomial) or 2 (hybrid)",
	"uts -m 3":                                                      "--children: ",
	"uts -t 3 -m 3":                                                 "--children: ",
	"uts -t 0 -d 3":                                                 "--depth: ",
	"uts -t 3 -a 2":                                                 "--shape: ",
	"uts -f 0.3":                                                    "--shift: ",
	"sat ../testdata/php4.cnf --proof-format binary":                "--proof-format: it has no effect here: expected --proof with it",
	"sat ../testdata/php4.cnf --proof p.lrat --proof-format binary": "--proof-format: binary: p.lrat is an LRAT proof by its name",
	"check ../testdata/php4.cnf ../testdata/php4.drat --lrat p --mode forward":       "--lrat: the proof must be checked backward",
	"check ../testdata/php4.cnf ../testdata/php4.drat --lrat ../testdata/php4.drat":  "--lrat: ../testdata/php4.drat is also the input",
	"sat ../testdata/php4.cnf --rule cubes --learn share":                            "--learn: unknown name",
	"sat ../testdata/php4.cnf --rule cdcl --gauss on":                                "--gauss: unknown value",
	"sat ../testdata/php4.cnf --rule plain --gauss off":                              "--gauss: it has no effect here: expected --rule cdcl, cubes or auto",
	"sat ../testdata/php4.cnf --rule plain --engine cdcl":                            "--engine: it has no effect here: expected --rule cdcl or auto",
	"sat ../testdata/php4.cnf --rule cubes --engine cadical":                         "--engine: it has no effect here: expected --rule cdcl or auto: cubes has a solver of its own",
	"map ../testdata/random20.graph -p 4 --vt-phase 1":                               "--vt-phase: ",
	"map ../testdata/random20.graph -p 4 --send-byte-ns 1":                           "--send-byte-ns: ",
	"map ../testdata/ring.json --unit 1us":                                           "--unit: ",
	"map ../testdata/mesh16.graph -p 8 --score ../testdata/mesh16.part --time 1s":    "--time: ",
	"map ../testdata/random20.graph -p 4 --strategy bb --levels 3":                   "--levels: it has no effect under scheme rp",
	"map ../testdata/random20.graph -p 4 --levels 3":                                 "--levels: strategy auto makes no use of it",
	"ring tree --levels 5 --steps --quantum 5":                                       "--quantum: ",
	"ring tree --levels 5 --compare --sequential":                                    "--sequential: ",
	"ring tree --levels 5 --compare --scheme rp":                                     "--scheme: it has no effect here: expected no --compare",
	"sweep ../testdata/sweep.yaml --launcher-args --oversubscribe --list":            "--launcher-args: it has no effect here: expected a --launcher other than local",
	"map ../testdata/mesh16.graph -p 8 --score ../testdata/mesh16.part --timeout 1s": "--timeout: it has no effect here: expected no --score",
	"objects --strategy stay --time 1s":                                              "--time: ",
	"predict --nodes 1000 --look 1s ncube2":                                          "--look: ",
	"predict --schemes rp ncube2 uts --levels 3":                                     "--levels: it has no effect under scheme rp",
	"predict ncube2 uts --scheme rp":                                                 "--scheme: predict makes no run",
	"predict ncube2 uts --topology mesh":                                             "--topology: predict makes no run",
	"calibrate uts --levels 3":                                                       "--levels: calibrate makes no run",
	"calibrate uts -q 0.2":                                                           "--probability: ",
	"sweep ../testdata/sweep.yaml --out jobs":                                        "--out: it has no effect here: expected --batch with it",
	"sweep ../testdata/sweep.yaml --list --retry":                                    "--retry: ",
	"sweep ../testdata/sweep.yaml --batch slurm --only-index 1":                      "--only-index: ",
	"chaos --json --verbose":                                                         "--verbose: ",
	"check ../testdata/php4.cnf ../testdata/php4.drat --mode backward --workers 2":   "--workers: it has no effect here: expected a proof that is checked forward",
	"check ../testdata/php4.cnf ../testdata/php4.drat --lrat p --workers 2":          "--workers: it has no effect here: ",
	"uts --live-control":                                                             "--live-control: it has no effect here: expected --live with it",
	"uts --live-speed 10":                                                            "--live-speed: it has no effect here: expected --live and --machine",
	"sat ../testdata/php4.cnf --cut free=5":                                          "--cut: it has no effect here: expected --rule cubes",
	"sat ../testdata/php4.cnf --budget 5":                                            "--budget: it has no effect here: ",
	"sat ../testdata/php4.cnf --learn rank":                                          "--learn: it has no effect here: ",
	"sat ../testdata/php4.cnf --cubes c.icnf":                                        "--cubes: it has no effect here: ",
	"map ../testdata/random20.graph -p 4 --send-message-ns 1":                        "--send-message-ns: it has no effect here: ",
	"map ../testdata/random20.graph -p 4 --receive-message-ns 1":                     "--receive-message-ns: it has no effect here: ",
	"map ../testdata/random20.graph -p 4 --receive-byte-ns 1":                        "--receive-byte-ns: it has no effect here: ",
	"ring tree --levels 5 --steps --serve 5":                                         "--serve: it has no effect here: ",
	"ring tree --levels 5 --steps --stall 5s":                                        "--stall: it has no effect here: ",
	"ring tree --levels 5 --steps --progress-file p":                                 "--progress-file: it has no effect here: ",
	"ring tree --levels 5 --steps --live :0":                                         "--live: it has no effect here: ",
	"reproduce table3 --ranks 4":                                                     "--ranks: it has no effect here: ",
	"reproduce table3 --pace 1ms":                                                    "--pace: it has no effect here: ",
	"reproduce table3 --schemes rp":                                                  "--schemes: it has no effect here: ",
	"reproduce table3 --formulas 1":                                                  "--formulas: it has no effect here: ",
	"reproduce table3 --variables 20":                                                "--variables: it has no effect here: ",
	"reproduce table3 --launcher-args x":                                             "--launcher-args: it has no effect here: ",
	"sweep ../testdata/sweep.yaml --list --results r":                                "--results: it has no effect here: ",
	"sweep ../testdata/sweep.yaml --list --stop-after 1s":                            "--stop-after: it has no effect here: ",
	"sweep ../testdata/sweep.yaml --list --grace 1s":                                 "--grace: it has no effect here: ",
	"sweep ../testdata/sweep.yaml --batch slurm --list":                              "--list: it has no effect here: ",
}

// A flag that has no effect in a run is refused, and the error names what it needs.
func TestFlagsWithoutEffect(t *testing.T) {
	for line, text := range withoutEffect {
		refuses(t, line, text)
	}
}

// Every entry of the table has a command line above.
func TestNeedsAreTested(t *testing.T) {
	for _, n := range needs {
		tested := false
		for line, text := range withoutEffect {
			tested = tested || strings.HasPrefix(line, n.command) && strings.HasPrefix(text, "--"+n.flag+": ")
		}
		if !tested {
			t.Errorf("no command line %q with --%s", n.command, n.flag)
		}
	}
}

// The same flags are accepted together with the flags that they need.
func TestFlagsWithEffect(t *testing.T) {
	trace := filepath.Join(t.TempDir(), "trace.json")
	for _, line := range []string{
		"uts -n 2 --scheme ml --levels 3 --cutoff 2",
		"uts -n 2 --scheme grr-m --delay 1us --split bottom",
		"uts -n 2 --scheme static+grr-m --delay 1us --splits 4",
		"uts -n 2 --scheme nn --topology ring --damage 0.5",
		"uts -n 2 --scheme shuffle --phase 50 --trigger notify --trigger-at 0.1 --permutation exact --topology mesh",
		"uts -n 2 --scheme static+clustered --cluster 2 --splits 3 --min-split 3",
		"uts -n 2 --pace 1us --pace-jitter 0.5 --pace-slow 1=2,0=0.5 --pace-send 1us --pace-receive 1us --latency 1us --bandwidth 1e9",
		"uts -n 2 --scheme sb --route-through-scheduler",
		"uts -n 2 --scheme arr --equal-targets",
		"uts -n 4 --scheme ml --arity 3",
		"uts -n 2 --json --per-rank --trace " + trace + " --trace-events 10",
		"uts -t 0 -b 10 -q 0.1 -m 2 -n 1",
		"uts -t 2 -b 3 -q 0.1 -m 2 -f 0.5 -a 0 -d 4 -n 1",
	} {
		var stdout, stderr bytes.Buffer
		if status := Main(strings.Fields(line), strings.NewReader(""), &stdout, &stderr); status != statusDone {
			t.Errorf("%s: status %d: %s", line, status, &stderr)
		}
	}
}

// A file with cubes is searched by rule cubes, and refuses any solver that the user names.
func TestEngineOfCubesInFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "f.icnf")
	write(t, name, "p inccnf\n1 2 0\n-1 0\na 1 0\na -1 0\n")
	var stdout, stderr bytes.Buffer
	if status := Main([]string{"sat", name}, strings.NewReader(""), &stdout, &stderr); status != statusSatisfiable {
		t.Errorf("status %d, %s", status, &stderr)
	}
	for _, rule := range []string{"auto", "cubes"} {
		refuses(t, "sat "+name+" --engine cdcl --rule "+rule, "--engine: it has no effect ")
	}
}

// Every flag in the table exists in every command to which the entry applies.
func TestNeedsNameFlags(t *testing.T) {
	for _, n := range needs {
		found := false
		eachCommand(func(cmd *cobra.Command) {
			c := &call{Command: cmd}
			found = found || c.isCommand(n.command) && cmd.Flags().Lookup(n.flag) != nil
		})
		if !found {
			t.Errorf("no command %q with a flag --%s", n.command, n.flag)
		}
	}
}

// eachCommand calls f with every command of the program.
func eachCommand(f func(*cobra.Command)) {
	var visit func(*cobra.Command)
	visit = func(cmd *cobra.Command) {
		f(cmd)
		for _, sub := range cmd.Commands() {
			visit(sub)
		}
	}
	visit(Command())
}

// Names are read in any case.
func TestNamesInAnyCase(t *testing.T) {
	for line, want := range map[string]string{
		"uts -n 2 --scheme RP --termination Credit --json":                                            `"scheme":"rp","termination":"credit"`,
		"uts -n 2 --scheme Static+GRR-M --json":                                                       `"scheme":"static+grr-m"`,
		"uts -n 2 --scheme nn --topology RING --split BOTTOM --log-level ERROR --progress Off --json": `"scheme":"nn"`,
		"sat ../testdata/php4.cnf --rule Paper --simplify PURE,XOR --json":                            `"rule":"paper"`,
		"uts --tree t5 --json -n 2":                                                                   `"tree":"T5"`,
		"uts --machine NCUBE2 -n 2 --json":                                                            `"world":"sim"`,
		"puzzle --size 2x2 --goal LAST --heuristic MD --json 1,2,3,0":                                 `"`,
	} {
		var stdout, stderr bytes.Buffer
		if Main(strings.Fields(line), strings.NewReader(""), &stdout, &stderr); !strings.Contains(stdout.String(), want) {
			t.Errorf("%s printed %q and %q, want %s", line, &stdout, &stderr, want)
		}
	}
}

// The error for a misspelt name suggests a correct name.
func TestDidYouMean(t *testing.T) {
	for line, text := range map[string]string{
		"utz":                                     `unknown command "utz" (did you mean uts?)`,
		"sta x.cnf":                               "did you mean sat?",
		"xyzzy":                                   "expected one of calibrate",
		"completion fsh":                          `unknown shell "fsh" (did you mean fish?)`,
		"uts --shceme rp":                         "did you mean --scheme?",
		"uts --xyzzy":                             "treesplit uts --help lists the flags",
		"uts --scheme gr-m":                       `--scheme: unknown name "gr-m": did you mean grr-m?`,
		"uts --scheme pr":                         "did you mean rp?",
		"uts --scheme static+r":                   "did you mean static+rp?",
		"uts --scheme bogus":                      "unknown scheme",
		"uts --termination credits":               "did you mean credit?",
		"uts --topology hypercub":                 "did you mean hypercube?",
		"uts --tree T1Z":                          "did you mean T1?",
		"uts --machine ncube":                     "did you mean ncube2?",
		"sat x.cnf --rule lookaheda":              "did you mean lookahead?",
		"sat x.cnf --simplify pure,xro":           "did you mean xor?",
		"map g.graph --strategy gredy":            "did you mean greedy?",
		"gen randon":                              `unknown family "randon" (did you mean random?)`,
		"gen mycielski -n 5":                      "expected one of --colours, --order, --output",
		"gen php --m 5":                           "--m",
		"ring tre":                                `unknown computation "tre" (did you mean tree?)`,
		"reproduce tabel3 --out /dev/null/x":      "did you mean table3?",
		"predict ncube2 utz":                      "did you mean uts?",
		"predict --schemes rp,lifelin ncube2 uts": "did you mean lifeline?",
	} {
		refuses(t, line, text)
	}
}

// gen FAMILY -n sets the family's n.
func TestGenShortParameters(t *testing.T) {
	var long, short, stderr bytes.Buffer
	if status := Main([]string{"gen", "random", "--n", "20", "--k", "2"}, nil, &long, &stderr); status != 0 {
		t.Fatal(&stderr)
	}
	if status := Main([]string{"gen", "random", "-n", "20", "-k", "2"}, nil, &short, &stderr); status != 0 || short.String() != long.String() {
		t.Errorf("status %d, %s: -n and --n differ", status, &stderr)
	}
}

// Words that contain names of flags with numbers and files are never corrected.
func TestWordFlagsAreStrings(t *testing.T) {
	words := flagWords()
	eachCommand(func(cmd *cobra.Command) {
		c := &call{Command: cmd}
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if names, ok := flagEntry(words, c.commandPath(), f.Name); ok && (f.Value.Type() != "string" || !slices.Contains(names, f.DefValue) && f.DefValue != "") {
				t.Errorf("%s --%s is a %s, %q by default: expected one of %v", cmd.CommandPath(), f.Name, f.Value.Type(), f.DefValue, names)
			}
		})
	})
}
