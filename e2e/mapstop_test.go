package e2e

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// mapped is a line that tells of a map.
var mapped = regexp.MustCompile(`treesplit: (\S+ \(\d+ of \d+\), )?makespan [\d,]+, bound [\d,]+, gap \d+\.\d+ %`)

// A signal ends a search for a map with the best one so far and status 3, on whichever
// rank it arrives: here on one in the middle.
func TestMapInterrupted(t *testing.T) {
	t.Parallel()
	graph := objects(300, 900, 6)
	file := write(t, "objects.graph", []byte(graph))
	inEachWorld(t, worlds, func(t *testing.T, l library) {
		for _, strategy := range []string{"bb", "pair-bb", "auto", "compare"} {
			if strategy == "compare" && l != none {
				continue
			}
			t.Run(strategy, func(t *testing.T) {
				b := beginUntil(t, l, 3, mapped, "", "map", file, "-p", "40", "--strategy", strategy, "--time", "0", "--json")
				rank := 1
				if strategy == "auto" { // which works on rank 0 alone
					rank = 0
				}
				status := b.signalled(t, l, rank, os.Interrupt)
				r := object(t, outcome{status: status, stdout: b.out.String(), stderr: b.err.String()}, 3)
				checkMap(t, graph, 40, r)
				if r["reason"] != "interrupted" {
					t.Errorf("reason %v", r["reason"])
				}
			})
		}
	})
}

// --time ends a search as planned; --timeout ends it early, with status 3. Text says so
// too.
func TestMapTimes(t *testing.T) {
	t.Parallel()
	graph := objects(1500, 4500, 7)
	file := write(t, "objects.graph", []byte(graph))
	for _, strategy := range []string{"bb", "best-first", "pair-bb", "auto", "anneal", "compare"} {
		args := []string{"map", file, "-p", "40", "--strategy", strategy}
		if strategy != "compare" {
			r := object(t, runIn(t, none, 2, "", append(args, "--time", "100ms", "--timeout", "1m", "--json")...), 0)
			checkMap(t, graph, 40, r)
			if r["reason"] != "time" {
				t.Errorf("%s: reason %v", strategy, r["reason"])
			}
		}
		r := object(t, runIn(t, none, 2, "", append(args, "--time", "1m", "--timeout", "200ms", "--json")...), 3)
		checkMap(t, graph, 40, r)
		if r["reason"] != "timeout" {
			t.Errorf("%s: reason %v", strategy, r["reason"])
		}
		o := runIn(t, none, 2, "", append(args, "--time", "1m", "--timeout", "200ms")...)
		if o.status != 3 || !strings.Contains(o.stdout, "ended: timeout\n") || o.stderr != "" {
			t.Errorf("%s: status %d:\n%s%s", strategy, o.status, o.stdout, o.stderr)
		}
	}
}

// Arcs to objects that a file does not have are left out, counted and told of.
func TestMapUnknownArcs(t *testing.T) {
	t.Parallel()
	task := `{"entity":{"home":0,"id":ID,"type":"object","migratable":true},"node":0,"resource":"cpu","time":0.001}`
	arc := `{"type":"SendRecv","from":{"home":0,"id":0,"type":"object","migratable":true},"to":{"home":0,"id":ID,"type":"object","migratable":true},"messages":1,"bytes":100}`
	tasks, arcs := strings.Replace(task, "ID", "0", 1)+","+strings.Replace(task, "ID", "1", 1), strings.Replace(arc, "ID", "1", 1)
	for _, id := range []string{"7", "8"} {
		arcs += "," + strings.Replace(arc, "ID", id, 1)
	}
	file := write(t, "data.json", []byte(`{"type":"LBDatafile","phases":[{"id":0,"tasks":[`+tasks+`],"communications":[`+arcs+`]}]}`))
	for _, strategy := range []string{"auto", "bb", "pair-bb"} {
		o := runIn(t, none, 2, "", "map", file, "-p", "2", "--strategy", strategy, "--json")
		r := object(t, o, 0)
		if r["unknownArcs"] != 2.0 || r["arcs"] != 1.0 || r["makespan"] != 1001010.0 {
			t.Errorf("%s: %v", strategy, r)
		}
		if own := o.lines(); len(own) != 1 || !strings.Contains(own[0], "warning: "+file+": the program ignores 2 arcs") {
			t.Errorf("%s: %q", strategy, own)
		}
	}
}

// badMaps are command lines that are refused, and what the error must say. GRAPH is a graph of two
// objects, PART a map of it onto two processors, VT data of vt; other names are files whose text is
// given.
var badMaps = map[string]struct{ args, text, want string }{
	"no such strategy":   {"GRAPH -p 2 --strategy bogus", "", `strategy "bogus": expected one of home`},
	"no processors":      {"GRAPH", "", "objects.graph does not say how many processors there are: expected -p P"},
	"zero processors":    {"GRAPH -p 0", "", "--processors: 0: expected 1 to "},
	"negative time":      {"GRAPH -p 2 --time -1s", "", "--time: -1s: expected"},
	"switch of bb":       {"GRAPH -p 2 --sort given", "", "--sort: strategy auto makes no use of it: expected --strategy bb"},
	"scheme of one rank": {"GRAPH -p 2 --scheme nn", "", "--scheme: strategy auto makes no use of it: expected --strategy bb"},
	"quantum of pairs":   {"GRAPH -p 2 --strategy pair-bb --quantum 5", "", "--quantum: strategy pair-bb makes no use of it"},
	"switch of a score":  {"GRAPH -p 2 --score PART --narrow 1", "", "--narrow: strategy auto makes no use of it"},
	"first of anneal":    {"GRAPH -p 2 --strategy anneal --first-bound lpt", "", "--first-bound: strategy anneal makes no use of it"},
	"sort":               {"GRAPH -p 2 --strategy bb --sort bogus", "", `--sort: "bogus": expected one of heaviest`},
	"bound":              {"GRAPH -p 2 --strategy bb --bound bogus", "", `--bound: "bogus": expected one of admissible`},
	"narrow":             {"GRAPH -p 2 --strategy bb --narrow 100", "", "--narrow: 100: expected 0 to 99"},
	"first bound":        {"GRAPH -p 2 --strategy bb --first-bound anneal", "", `--first-bound: "anneal": expected one of home`},
	"pairs of nothing":   {"GRAPH -p 2 --strategy pair-bb --first-bound none", "", "--first-bound: pairs need a map"},
	"machine":            {"GRAPH -p 2 --machine ncube2", "", "--machine: branch and bound alone is simulated"},
	"scheme":             {"GRAPH -p 2 --strategy bb --scheme bogus", "", `unknown scheme "bogus"`},
	"score of nothing":   {"GRAPH -p 2 --score PART --strategy bb", "", "--score: a map is scored as it is"},
	"out format":         {"GRAPH -p 2 --out map.txt", "", "--out: map.txt: the format is unknown from the name"},
	"out nowhere":        {"GRAPH -p 2 --out nowhere/map.part", "", "--out: nowhere/map.part: no such file"},
	"format":             {"GRAPH -p 2 --format bogus", "", `--format: "bogus": expected auto, metis`},
	"unnamed stdin":      {"- -p 2", "", "--format: standard input has no name"},
	"unit":               {"GRAPH -p 2 --unit 0s", "", "--unit: 0s: expected"},
	"cost of a byte":     {"VT --send-byte-ns -1", "", "--send-byte-ns: -1: expected"},
	"missing file":       {"missing.graph -p 2", "", "missing.graph: no such file"},
	"missing ranks":      {"missing.%p.json", "", "missing.0.json: no such file"},
	"unknown ending":     {"PART -p 2", "", "the format is unknown from the name"},
	"missing start":      {"GRAPH -p 2 --start missing.part", "", "missing.part: no such file"},
	"start too short":    {"GRAPH -p 2 --start bad.part", "0\n", "bad.part:1: the file ends"},
	"start out of range": {"GRAPH -p 2 --start bad.part", "0\n2\n", "bad.part:2: "},
	"score out of range": {"GRAPH -p 2 --score bad.part", "0\nx\n", "bad.part:2: "},
	"metis header":       {"bad.graph -p 2", "two 1\n", "bad.graph:1: "},
	"metis neighbour":    {"bad.graph -p 2", "2 1 011\n5 3 1\n5 1 1\n", "bad.graph:2: "},
	"metis cut short":    {"bad.graph -p 2", "2 1 011\n5 2 1\n", "bad.graph:3: "},
	"scotch version":     {"bad.grf -p 2", "7\n", "bad.grf:1: "},
	"vt no JSON":         {"bad.json -p 2", "{\n  \"phases\": [ 5 ]\n}\n", "bad.json:2:"},
	"empty":              {"bad.graph -p 2", "", "bad.graph:1: "},
}

// Invalid input is refused in every world, with the file, the line and what was expected.
func TestBadMaps(t *testing.T) {
	t.Parallel()
	graph := write(t, "objects.graph", []byte("2 1 011\n5 2 1\n6 1 1\n"))
	part := write(t, "objects.part", []byte("0\n1\n"))
	inEachWorld(t, worlds, func(t *testing.T, l library) {
		for _, name := range someUnder(l, badMaps) {
			c := badMaps[name]
			t.Run(name, func(t *testing.T) {
				args := []string{"map"}
				for _, word := range strings.Fields(c.args) {
					switch {
					case word == "GRAPH":
						word = graph
					case word == "PART":
						word = part
					case word == "VT":
						word = testdata("ring.json")
					case strings.HasPrefix(word, "bad."):
						word = write(t, word, []byte(c.text))
					}
					args = append(args, word)
				}
				refused(t, runIn(t, l, 2, "", args...), c.want)
			})
		}
	})
	// With all strategies that bring a graph to the ranks in ways of their own.
	bad := write(t, "bad.graph", []byte("2 1 011\n5 3 1\n5 1 1\n"))
	inEachWorld(t, worlds, func(t *testing.T, l library) {
		for _, strategy := range []string{"bb", "pair-bb", "auto", "compare"} {
			refused(t, runIn(t, l, 2, "", "map", bad, "-p", "2", "--strategy", strategy), "bad.graph:2: ")
		}
	})
}
