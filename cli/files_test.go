package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// hostileNumbers replace a number in a file.
var hostileNumbers = []string{
	"NaN", "Inf", "-Inf", ".inf", "-1", "0.5", "1e999", "9223372036854775808", "-9223372036854775809",
	"18446744073709551616", "99999999999999999999999",
}

// numberFiles are files that commands read. Each number between « and » is replaced by every
// hostile value, except values that are valid there. FILE stands for the file's name.
var numberFiles = []struct {
	what, name, command string
	taken               string // valid values, separated by blanks
	text                string
}{
	{"machine", "m.yaml", "uts -b 20 -n 2 --machine FILE", "",
		"base: ncube2\nheader-words: «4»\nquantum: «4»\nserve: «1»\nwork-bytes: «500»\ntogether: «2»\n"},
	{"machine with a factor", "m.yaml", "uts -b 20 -n 2 --machine FILE", "", "base: ncube2\nwork-bytes: «40»*sqrt\n"},
	{"machine's spans", "m.yaml", "uts -b 20 -n 2 --machine FILE", "0.5",
		"base: ncube2\nexpand: «50»us\npoll: «12»us\nstartup: «1»us\nreceive: «1»us\nper-word: «2»us\nper-hop: «2»us\n"},
	{"calibration", "m.yaml", "predict --nodes 10 FILE", "0.5",
		"base: ncube2\nexpand: «18»ns\nexpand-alone: «17»ns\nsplit: «1»us\naccept: «2»us\nrest: «20»us\nclosing: «50»us\n"},
	{"plan", "p.yaml", "sweep FILE --list", "",
		"name: x\nranks: [4, «2»]\nrepeats: «1»\nretries: «1»\ninstances: [{name: a, verb: uts}]\nbatch:\n  per-job: «1»\n  links: «1»\n"},
	{"seeds", "p.yaml", "sweep FILE --list", "9223372036854775808", "name: x\nranks: [2]\nseeds:\n  - 3\n  - «1»\ninstances: [{name: a, verb: uts}]\n"},
	{"plan's spans", "p.yaml", "sweep FILE --list", "0.5",
		"name: x\nranks: [2]\ntimeout: «1»m\ncheckpoint-every: «1»m\ninstances: [{name: a, verb: uts}]\nbatch:\n  time: «10»m\n  warn: «1»m\n"},
	{"formula", "f.cnf", "sat FILE", "", "c a comment\np cnf «2» «2»\n1 2 0\n-«1» 0\n"},
	{"literals", "f.cnf", "sat FILE", "-1", "p cnf 2 2\n1 «2» 0\n-1 0\n"},
	{"cubes", "f.icnf", "sat FILE", "-1", "p inccnf\n1 «2» 0\n-1 0\na «1» 0\na -«1» 0\n"},
	{"proof", "p.drat", "check ../testdata/php4.cnf FILE", "-1", "1 «2» 0\n"},
	{"deletions", "p.drat", "check ../testdata/php4.cnf FILE", "-1", "d «1» 2 0\n"},
	{"METIS", "g.graph", "map FILE -p 2 --strategy greedy", "", "«2» «1» «11»\n«1» «2» «3»\n1 1 3\n"},
	{"Scotch", "g.grf", "map FILE -p 2 --strategy greedy", "", "«0»\n«2» «2»\n«0» «11»\n«1» «1» «1» «1»\n1 1 1 0\n"},
	{"vt", "g.json", "map FILE -p 2 --strategy greedy", "", `{"type":"LBDatafile","phases":[{"id":«0»,"tasks":[
{"entity":{"id":1,"type":"object","migratable":true},"node":«0»,"resource":"cpu","time":1}],"communications":[
{"type":"SendRecv","from":{"id":1,"type":"object"},"to":{"id":2,"type":"object"},"messages":«2»,"bytes":1}]}]}
`},
	{"vt's objects", "g.json", "map FILE -p 2 --strategy greedy", "9223372036854775808", `{"type":"LBDatafile","phases":[{"id":0,"tasks":[
{"entity":{"id":«1»,"type":"object","migratable":true},"node":0,"resource":"cpu","time":1}]}]}
`},
	{"vt's decimals", "g.json", "map FILE -p 2 --strategy greedy", "0.5", `{"type":"LBDatafile","phases":[{"id":0,"tasks":[
{"entity":{"id":1,"type":"object","migratable":true},"node":0,"resource":"cpu","time":«1»}],"communications":[
{"type":"SendRecv","from":{"id":1,"type":"object"},"to":{"id":2,"type":"object"},"messages":1,"bytes":«9»}]}]}
`},
	{"part", "g.part", "map ../mapping/graphfile/testdata/ring.graph -p 2 --score FILE", "", "«0»\n1\n1\n0\n"},
	{"map", "g.map", "map ../mapping/graphfile/testdata/ring.grf -p 2 --score FILE", "", "«4»\n«7» «0»\n5 1\n3 0\n2 1\n"},
	{"boards", "b.csv", "puzzle --size 2x3 --batch FILE", "", "id,tiles\n1,«1» 2 0 3 4 5\n"},
	{"results", "r.jsonl", "report FILE", "",
		`{"key":"k","world":"local","instance":"a","verb":"uts","ranks":«1»,"seed":1,"repeat":«1»,"attempts":«1»,"sweep":"x","output":{"seconds":1,"expanded":«9»,"requests":«9»,"scheme":"rp"}}` + "\n"},
	{"seeds in results", "r.jsonl", "report FILE", "9223372036854775808", `{"key":"k","world":"local","instance":"a","ranks":1,"repeat":1,"seed":«1»,"output":{"seconds":1}}` + "\n"},
	{"status in results", "r.jsonl", "report FILE", "-1", `{"key":"k","world":"local","instance":"a","ranks":1,"repeat":1,"status":«0»,"output":{"seconds":1}}` + "\n"},
	{"seconds in results", "r.jsonl", "report FILE", "0.5 9223372036854775808 18446744073709551616",
		`{"key":"k","world":"local","instance":"a","ranks":1,"repeat":1,"wallSeconds":1,"output":{"seconds":1,"sequentialSeconds":1}}` + "\n"},
	{"seconds of processes", "r.jsonl", "report FILE", "0.5", `{"key":"k","world":"local","instance":"a","ranks":1,"repeat":1,"wallSeconds":«1»,"output":{"seconds":«1»,"sequentialSeconds":«1»}}` + "\n"},
	{"trace", "t.json", "report FILE", "", `{"traceEvents":[
{"ph":"X","name":"Busy","tid":«1»,"ts":0,"dur":5,"args":{"nodes":«1»,"overheadNs":«1»}},
{"ph":"s","name":"Grant","tid":1,"ts":1,"id":1,"args":{"bytes":«1»}}]}
`},
	{"times in traces", "t.json", "report FILE", "-1 0.5", `{"traceEvents":[
{"ph":"X","name":"Busy","tid":1,"ts":«0»,"dur":5,"args":{"nodes":1}}]}
`},
	{"spans in traces", "t.json", "report FILE", "0.5", `{"traceEvents":[
{"ph":"X","name":"Busy","tid":1,"ts":0,"dur":«5»,"args":{"nodes":1}}]}
`},
}

var marked = regexp.MustCompile(`«(.*?)»`)

// A number in a file that is invalid, negative, infinite or too large is refused with one line that
// names file and line.
func TestHostileFiles(t *testing.T) {
	for _, f := range numberFiles {
		t.Run(f.what, func(t *testing.T) {
			t.Parallel()
			name := filepath.Join(t.TempDir(), f.name)
			line := strings.Fields(f.command)
			line[slices.Index(line, "FILE")] = name
			for k, at := range marked.FindAllStringIndex(f.text, -1) {
				for _, value := range hostileNumbers {
					if slices.Contains(strings.Fields(f.taken), value) {
						continue
					}
					text := marked.ReplaceAllString(f.text[:at[0]], "$1") + value + marked.ReplaceAllString(f.text[at[1]:], "$1")
					number := 1 + strings.Count(f.text[:at[0]], "\n")
					write(t, name, text)
					refusesAt(t, line, fmt.Sprintf("number %d = %s", k+1, value), name, number)
				}
			}
		})
	}
}

// Numbers that fit their type are refused if they are too large for other values of the file.
func TestNumbersThatDisagree(t *testing.T) {
	for text, file := range map[string]struct {
		name, command string
		line          int
	}{
		`{"traceEvents":[` + "\n" + `{"ph":"X","name":"Busy","tid":1,"ts":0,"dur":5,"args":{"nodes":1,"overheadNs":5001}}]}`: {"t.json", "report FILE", 2},
		"4\n8 0\n5 1\n3 0\n2 1\n":              {"g.map", "map ../mapping/graphfile/testdata/ring.grf -p 2 --score FILE", 2},
		"base: ncube2\nexpand-alone: -0.5ns\n": {"m.yaml", "uts -b 20 -n 2 --machine FILE", 2},
	} {
		name := filepath.Join(t.TempDir(), file.name)
		write(t, name, text)
		refusesAt(t, strings.Fields(strings.Replace(file.command, "FILE", name, 1)), text, name, file.line)
	}
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// refusesAt checks that a file is refused because of the given line.
func refusesAt(t *testing.T, line []string, what, name string, number int) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	status := Main(line, strings.NewReader(""), &stdout, &stderr)
	said := stderr.String()
	named := strings.Contains(said, fmt.Sprintf("%s:%d:", name, number)) || strings.Contains(said, fmt.Sprintf("%s: line %d:", name, number))
	if status != statusInput || strings.Count(said, "\n") != 1 || !named || stdout.Len() > 0 {
		t.Errorf("%s: status %d, printed %q and %q; want status 2 and one line that names line %d", what, status, &stdout, said, number)
	}
}

// A report loses no digit of the counters of a search, however large they are.
func TestReportKeepsDigits(t *testing.T) {
	const large = "9007199254740993" // 2^53 + 1, which float64 cannot represent
	dir := t.TempDir()
	name := filepath.Join(dir, "r.jsonl")
	line := `{"key":"%s","world":"local","instance":"a","verb":"uts","ranks":%d,"scheme":"rp","seed":` + large + `,"repeat":1,"sequential":%t,"sweep":"x","output":{"seconds":1,"expanded":` + large + `,"requests":` + large + `,"scheme":"rp"}}` + "\n"
	write(t, name, fmt.Sprintf(line, "k1", 1, true)+fmt.Sprintf(line, "k2", 2, false))
	var stdout, stderr bytes.Buffer
	if status := Main([]string{"report", name, "--out", filepath.Join(dir, "out")}, strings.NewReader(""), &stdout, &stderr); status != statusDone {
		t.Fatal(&stderr)
	}
	cells, err := os.ReadFile(filepath.Join(dir, "out", "cells.csv"))
	if n := strings.Count(stdout.String(), large); err != nil || n < 3 || !bytes.Contains(cells, []byte(large)) {
		t.Errorf("%d times %s in\n%s\n%s (%v), want it as seed, W and requests", n, large, &stdout, cells, err)
	}
}
