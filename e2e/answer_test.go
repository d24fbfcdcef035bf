package e2e

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// generate makes a formula by the program itself.
func generate(t testing.TB, args ...string) string {
	t.Helper()
	o := run(t, "", append([]string{treesplit(t, none), "gen"}, args...)...)
	if o.status != 0 {
		t.Fatalf("gen %v: %s", args, o.stderr)
	}
	return o.stdout
}

// numbers reads the numbers of the lines of a text that begin with the prefix, or all
// but those that begin with c or p.
func numbers(t testing.TB, text, prefix string) (all []int) {
	t.Helper()
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if len(words) == 0 || prefix == "" && (words[0] == "c" || words[0] == "p") || prefix != "" && words[0] != prefix {
			continue
		}
		for _, w := range words[min(len(words), len(prefix)):] {
			n, err := strconv.Atoi(w)
			if err != nil {
				t.Fatalf("line %q: %v", line, err)
			}
			all = append(all, n)
		}
	}
	return all
}

// checkModel checks that literals make every clause of a formula true and do not
// contradict one another, by reading the DIMACS text here.
func checkModel(t testing.TB, formula string, literals []int) {
	t.Helper()
	holds := map[int]bool{}
	for _, l := range literals {
		if holds[-l] {
			t.Fatalf("the model has both %d and %d", l, -l)
		}
		holds[l] = true
	}
	satisfied, clauses := false, 0
	for _, l := range numbers(t, formula, "") {
		switch {
		case l != 0:
			satisfied = satisfied || holds[l]
		case !satisfied:
			t.Fatalf("clause %d is false in the model", clauses+1)
		default:
			satisfied, clauses = false, clauses+1
		}
	}
	if clauses == 0 {
		t.Fatal("the formula has no clauses")
	}
}

// verdictStatus is the exit status of a verdict: launchers take anything but 0 for a
// crash.
func verdictStatus(l library, status int) int {
	if l == none {
		return status
	}
	return 0
}

func line(text, prefix string) string {
	for l := range strings.Lines(text) {
		if strings.HasPrefix(l, prefix) {
			return strings.TrimSpace(l)
		}
	}
	return ""
}

// The output of sat is that of the SAT competitions: s and v lines, status 10 or 20,
// from standard input, plain or compressed files, in every world.
func TestVerdicts(t *testing.T) {
	t.Parallel()
	sat, unsat := generate(t, "random", "--n", "40", "--ratio", "3.8", "--seed", "3"), generate(t, "php", "--n", "6")
	inEachWorld(t, worlds, func(t *testing.T, l library) {
		for name, data := range encodings(t, sat) {
			o := satOf(t, l, name, sat, data)
			if s := line(o.stdout, "s "); o.status != verdictStatus(l, 10) || s != "s SATISFIABLE" {
				t.Fatalf("%s: status %d, %q: %s", name, o.status, s, o.stderr)
			}
			model := numbers(t, o.stdout, "v")
			if len(model) == 0 || model[len(model)-1] != 0 {
				t.Fatalf("%s: v lines are not ended by 0: %v", name, model)
			}
			checkModel(t, sat, model[:len(model)-1])
		}
		for name, data := range encodings(t, unsat) {
			o := satOf(t, l, name, unsat, data)
			if s := line(o.stdout, "s "); o.status != verdictStatus(l, 20) || s != "s UNSATISFIABLE" || line(o.stdout, "v ") != "" {
				t.Fatalf("%s: status %d, %q: %s", name, o.status, s, o.stderr)
			}
		}
	})
}

// encodings are a text as files, by file name; "-" is standard input.
func encodings(t testing.TB, text string) map[string][]byte {
	var gz bytes.Buffer
	w := gzip.NewWriter(&gz)
	w.Write([]byte(text))
	w.Close()
	z, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return map[string][]byte{
		"f.cnf": []byte(text), "f.cnf.gz": gz.Bytes(), "f.cnf.zst": z.EncodeAll([]byte(text), nil), "-": nil,
	}
}

func satOf(t testing.TB, l library, name, text string, data []byte) outcome {
	if name == "-" {
		return runIn(t, l, 2, text, "sat", "-")
	}
	return runIn(t, l, 2, "", "sat", write(t, name, data))
}

// keys are what every search verb's JSON has, and each rank's part of it.
var (
	keys     = []string{"world", "ranks", "scheme", "termination", "seed", "expanded", "requests", "grants", "rejects", "messages", "seconds", "sequentialSeconds", "efficiency", "audit", "reason", "perRank"}
	rankKeys = []string{"rank", "expanded", "requests", "grants", "rejects", "messages"}
)

// --json prints exactly one object, with all its keys.
func TestJSON(t *testing.T) {
	t.Parallel()
	unsat := generate(t, "php", "--n", "6")
	sat := generate(t, "random", "--n", "40", "--ratio", "3.8", "--seed", "3")
	inEachWorld(t, worlds, func(t *testing.T, l library) {
		common := []string{"--json", "--sequential", "--scheme", "grr-m", "--termination", "credit", "--seed", "7"}
		r := object(t, runIn(t, l, 3, "", append([]string{"uts", "-t", "2", "-d", "8", "-b", "4"}, common...)...), 0)
		checkCommon(t, l, r)
		if r["size"] != 8961.0 || r["depth"] != 68.0 || r["leaves"] != 6721.0 || r["expanded"] != 8961.0 {
			t.Errorf("uts: %v", r)
		}
		r = object(t, runIn(t, l, 3, unsat, append([]string{"sat", "-", "--rule", "paper"}, common...)...), verdictStatus(l, 20))
		checkCommon(t, l, r)
		if r["result"] != "UNSATISFIABLE" || r["expanded"] != 23485.0 || r["model"] != nil || r["reason"] != "exhausted" {
			t.Errorf("sat: %v", r)
		}
		r = object(t, runIn(t, l, 3, sat, append([]string{"sat", "-"}, common...)...), verdictStatus(l, 10))
		checkCommon(t, l, r)
		var model []int
		for _, v := range r["model"].([]any) {
			model = append(model, int(v.(float64)))
		}
		checkModel(t, sat, model)
		if r["result"] != "SATISFIABLE" || len(model) != 40 || r["reason"] != "decided" {
			t.Errorf("sat: %v", r)
		}
	})
}

// object decodes the one object on standard output.
func object(t testing.TB, o outcome, status int) map[string]any {
	t.Helper()
	if o.status != status {
		t.Fatalf("status %d, want %d: %s", o.status, status, o.stderr)
	}
	d := json.NewDecoder(strings.NewReader(o.stdout))
	var r map[string]any
	if err := d.Decode(&r); err != nil || d.More() {
		t.Fatalf("%v, more %v: %s", err, d.More(), o.stdout)
	}
	return r
}

// checkCommon checks what the JSON of every search has.
func checkCommon(t testing.TB, l library, r map[string]any) {
	t.Helper()
	for _, k := range keys {
		if _, ok := r[k]; !ok {
			t.Errorf("no %q", k)
		}
	}
	world := "mpi"
	if l == none {
		world = "local"
	}
	if r["world"] != world || r["ranks"] != 3.0 || r["scheme"] != "grr-m" || r["termination"] != "credit" || r["seed"] != 7.0 || r["audit"] != "ok" {
		t.Errorf("%v", r)
	}
	ranks, _ := r["perRank"].([]any)
	if len(ranks) != 3 {
		t.Fatalf("%d ranks in perRank", len(ranks))
	}
	sums := map[string]float64{}
	for i, q := range ranks {
		for _, k := range rankKeys {
			n, ok := q.(map[string]any)[k].(float64)
			if !ok || k == "rank" && n != float64(i) {
				t.Errorf("rank %d: %s: %v", i, k, q)
			}
			sums[k] += n
		}
	}
	for _, k := range rankKeys[1:] {
		if sums[k] != r[k] {
			t.Errorf("%s: %v, but %v over all ranks", k, r[k], sums[k])
		}
	}
}

// uts prints what it has counted, and tests a published tree against its numbers.
func TestTree(t *testing.T) {
	t.Parallel()
	inEachWorld(t, worlds, func(t *testing.T, l library) {
		o := runIn(t, l, 2, "", "uts", "--tree", "T3")
		for _, want := range []string{"size   4,112,897\n", "depth  1572\n", "leaves 3,599,034\n"} {
			if o.status != 0 || !strings.Contains(o.stdout, want) {
				t.Errorf("status %d, no %q: %s%s", o.status, want, o.stdout, o.stderr)
			}
		}
	})
}

// A formula in disjunctive normal form is a tautology where its negation has no model.
func TestTautology(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct {
		status    int
		tautology bool
	}{
		"p dnf 2 3\n1 0\n-1 2 0\n-2 0\n": {20, true},
		"p dnf 2 2\n1 0\n-1 2 0\n":       {10, false},
	} {
		r := object(t, run(t, text, treesplit(t, none), "sat", "-", "--json"), want.status)
		if r["tautology"] != want.tautology {
			t.Errorf("%q: %v", text, fmt.Sprint(r["tautology"]))
		}
	}
}
