package sdk

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const firstLine = `{"treesplit":1,"rank":0,"ranks":1,"seed":1,"problem":null}` + "\n"

// hostile are first lines and requests that no treesplit sends, and the error of a library.
var hostile = map[string]string{
	"":                               "no treesplit at the other end",
	`{"treesplit":1`:                 "no treesplit at the other end",
	"\n":                             "a line is",
	"x\n":                            "a line is no JSON",
	"[1]\n":                          "a line is no JSON object",
	`{"treesplit":2}` + "\n":         "the version of the protocol is",
	firstLine + "[]\n":               "a line is no JSON object",
	firstLine + "\n":                 "a line is",
	firstLine + "{\"a\":\x01}\n":     "a line is no JSON",
	firstLine + "{}\n":               "a request",
	firstLine + `{"steal":1}` + "\n": "a request",
	firstLine + `{"expand":7,"nodes":1}` + "\n":                     "expand",
	firstLine + `{"expand":[],"nodes":-1}` + "\n":                   "no number of nodes",
	firstLine + `{"expand":[],"nodes":1.5}` + "\n":                  "number",
	firstLine + `{"expand":[],"nodes":1,"best":1e400}` + "\n":       "integer of 64 bits",
	firstLine + `{"expand":[],"nodes":99999999999999999999}` + "\n": "number",
	firstLine + strings.Repeat("[", 100000) + "\n":                  "a line is no JSON",
}

// checkHostile gives a worker lines that are no lines of treesplit. Each ends it with status 2 and
// one line on standard error that begins with the name of the library.
func checkHostile(t *testing.T, library string, args ...string) {
	for input, want := range hostile {
		status, _, errs := runWorker(t, input, args...)
		if status != 2 || !strings.HasPrefix(errs, library+": ") || strings.Count(errs, "\n") != 1 || !strings.Contains(errs, want) {
			t.Errorf("%.120q: status %d: %q, want status 2 and %q", input, status, errs, want)
		}
	}
}

func TestPythonHostile(t *testing.T) {
	t.Parallel()
	need(t, "python3")
	checkHostile(t, "treesplit.py", "python3", "-S", "python/examples/queens.py", "6")
}

// script writes a Python script that uses the library.
func script(t *testing.T, text string) string {
	t.Helper()
	need(t, "python3")
	name := filepath.Join(t.TempDir(), "script.py")
	if err := os.WriteFile(name, []byte("import os, signal, subprocess, sys, time, treesplit\n"+text), 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

// binary is a search of a binary tree of 15 nodes, whose functions have a place for more.
const binary = `
print("before")
def children(node):
    %s
    return [node + (0,), node + (1,)] if len(node) < 3 else []
treesplit.run(root=(), children=children, name="binary")
print("after")
`

// What a script prints, and what the programs that it starts print, goes to standard error. Ctrl-C
// and the end of input leave no trace.
func TestPythonOutput(t *testing.T) {
	t.Parallel()
	name := script(t, fmt.Sprintf(binary, `print("inside"); os.system("echo program"); os.kill(os.getpid(), signal.SIGINT); assert not sys.stdin.read()`))
	for _, end := range []string{"", "{\"stop\":true}\n"} {
		status, out, errs := runWorker(t, firstLine+`{"expand":[[]],"nodes":2}`+"\n"+end, "python3", name)
		want := `{"worker":1,"name":"binary","root":[],"minimise":false,"children":true}` + "\n" + `{"expanded":2,"open":[[0],[1,0],[1,1]]}` + "\n"
		if status != 0 || out != want {
			t.Errorf("status %d: %q, want %q: %s", status, out, want, errs)
		}
		for _, word := range []string{"before", "inside", "program", "after"} {
			if !strings.Contains(errs, word+"\n") {
				t.Errorf("standard error %q lacks %q", errs, word)
			}
		}
	}
}

// An error of the user's functions ends the worker with a traceback and status 1, before it answers: an answer would be
// part of the result.
func TestPythonErrors(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"1 / 0":                                          "ZeroDivisionError: division by zero",
		`treesplit.add("x", 0.5)`:                        "ValueError: sums: 'x': 0.5 (expected",
		`treesplit.add("x", -1)`:                         "ValueError: sums: 'x': -1 (expected",
		`treesplit.maximum("x", 1 << 63)`:                "ValueError: maxima: 'x': 9223372036854775808 (expected",
		`treesplit.found(None)`:                          "ValueError: found: the solution is None",
		`treesplit.found(1, 2)`:                          "ValueError: found: there is a value",
		`treesplit.found(float("nan"))`:                  "ValueError: Out of range float values",
		`return [{1: 2}]`:                                "ValueError: the node {1: 2} is {'1': 2} after JSON",
		`return [{"a": [1]}]`:                            "ValueError: the node {'a': [1]} is {'a': (1,)} after JSON",
		`return [{1, 2}]`:                                "TypeError: Object of type set is not JSON serializable",
		`sys.exit("stopped")`:                            "stopped",
		`return ["x" * (1 << 22)] * 17`:                  "expected at most 67108864",
		`treesplit.run(root=1, children=len, bound=len)`: "ValueError: run: there is a bound",
	} {
		status, out, errs := runWorker(t, firstLine+`{"expand":[[]],"nodes":1}`+"\n", "python3", "-S", script(t, fmt.Sprintf(binary, text)))
		if status != 1 || strings.Count(out, "\n") != 1 || !strings.Contains(errs, want) {
			t.Errorf("%s: status %d, output %.200q: %s, want %q", text, status, out, errs, want)
		}
	}
}

// Every open node of the first answer, the last open node of every answer, and all listed children are compared with
// their copies after JSON.
func TestPythonChecksNodes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		children, requests string
		lines              int // that are written before the error
	}{
		{"[{1: 2}, (2,)]", `{"expand":[[]],"nodes":1}`, 1},
		{"[(1,)] if not node else [(2,), {1: 2}]", `{"expand":[[]],"nodes":1}` + "\n" + `{"expand":[[1]],"nodes":1}`, 2},
		{"[{1: 2}, (2,)]", `{"children":[]}`, 1},
	} {
		name := script(t, "treesplit.run(root=(), children=lambda node: "+c.children+")\n")
		status, out, errs := runWorker(t, firstLine+c.requests+"\n", "python3", "-S", name)
		if status != 1 || strings.Count(out, "\n") != c.lines || !strings.Contains(errs, "the node {1: 2} is {'1': 2} after JSON") {
			t.Errorf("%s: status %d, output %q: %s, want a refused node after %d lines", c.children, status, out, errs, c.lines)
		}
	}
}

// A script has one search. A second one is an error, and the result of the first one stays.
func TestPythonSecondSearch(t *testing.T) {
	t.Parallel()
	name := script(t, "for _ in range(2):\n    treesplit.run(root=[], children=lambda n: [])\n")
	status, out, errs := runWorker(t, firstLine+`{"expand":[[]],"nodes":1}`+"\n"+`{"stop":true}`+"\n", "python3", "-S", name)
	if status == 0 || strings.Count(out, "\n") != 2 || !strings.Contains(errs, "a second search in one script") {
		t.Errorf("status %d: %q, %q", status, out, errs)
	}
}

// The largest number of 64 bits is no value of a solution, which is ignored, as in the library for C.
func TestPythonLargestValue(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]bool{"2**63 - 1": false, "2**63 - 2": true} {
		name := script(t, "treesplit.run(root=[], minimise=True, children=lambda n: [], visit=lambda n: treesplit.found(n, "+value+"))\n")
		_, out, errs := runWorker(t, firstLine+`{"expand":[[]],"nodes":1}`+"\n", "python3", "-S", name)
		if strings.Contains(out, `"found"`) != want || errs != "" {
			t.Errorf("value %s: %q, %q; expected a solution: %v", value, out, errs, want)
		}
	}
}

// Nodes have the type of the root: tuples or lists, or what decode makes of them. Large nodes pass.
func TestPythonNodes(t *testing.T) {
	t.Parallel()
	for root, want := range map[string]string{
		"((), 1)": "<class 'tuple'> <class 'tuple'>",
		"[[], 1]": "<class 'list'> <class 'list'>",
	} {
		name := script(t, fmt.Sprintf("root = %s\ndef children(n):\n    treesplit.add(f'{type(n)} {type(n[0])}')\n    return [] if n[1] > 2 else [type(n)([n[0], n[1] + 1])]\ntreesplit.run(root=root, children=children)\n", root))
		got := searchTree(t, program{[]string{"env", "PYTHONPATH=python", "python3", name}, ""}, 2, 1, 0)
		if got.expanded != 3 || got.sums[want] != 3 {
			t.Errorf("root %s: %+v, want %q", root, got, want)
		}
	}
	large := script(t, `
def children(node):
    treesplit.maximum("size", len(node))
    return [frozenset(range(len(node) * 10))] * 2 if len(node) < 100000 else []
treesplit.run(root=frozenset([0]), children=children, decode=frozenset, encode=sorted, depth=lambda node: len(str(len(node))) - 1, name="large")
`)
	got := searchTree(t, program{[]string{"env", "PYTHONPATH=python", "python3", large}, ""}, 2, 1, 0)
	if got.expanded != 63 || got.maxima["size"] != 100000 {
		t.Errorf("%+v, want 63 nodes and 100000", got)
	}
}

// A request ends at a solution, so that each solution is reported once. The function that expands
// can be the user's, who has the problem and the ranks.
func TestPythonFound(t *testing.T) {
	t.Parallel()
	name := script(t, fmt.Sprintf(binary, "if len(node) == 3: treesplit.found(list(node))"))
	got := searchTree(t, program{[]string{"env", "PYTHONPATH=python", "python3", name}, ""}, 2, 1, 1)
	if got.expanded != 15 || len(got.founds) != 8 {
		t.Errorf("%+v, want 15 nodes and 8 solutions", got)
	}
	serve := script(t, `
levels = treesplit.start().problem["levels"]
assert treesplit.start().ranks == 2
def expand(nodes, budget, best):
    expanded = leaves = 0
    while nodes and expanded < budget:
        node, expanded = nodes.pop(), expanded + 1
        leaves += node == levels
        nodes += [node + 1] * 3 if node < levels else []
    return treesplit.Answer(expanded, nodes, sums={"leaves": leaves})
treesplit.serve(expand, root=0, children=lambda node: [node + 1] * 3 if node < levels else [])
`)
	got = searchTree(t, program{[]string{"env", "PYTHONPATH=python", "python3", serve}, `{"levels":5}`}, 2, 1, 1)
	if got.expanded != 364 || got.sums["leaves"] != 243 {
		t.Errorf("%+v, want 364 nodes and 243 leaves", got)
	}
}

// The default name has the script and its arguments, so that no other search resumes a checkpoint.
func TestPythonName(t *testing.T) {
	t.Parallel()
	_, out, _ := runWorker(t, firstLine, "python3", script(t, "treesplit.run(root=0, children=lambda node: [])\n"), "a", "b c")
	var a answer
	if err := json.Unmarshal([]byte(out), &a); err != nil || a.Name != "script.py a b c" {
		t.Errorf("%v: %q", err, out)
	}
}

// In a terminal a script searches alone and prints the totals.
func TestPythonAlone(t *testing.T) {
	t.Parallel()
	need(t, "python3")
	for example, want := range map[string]string{
		"queens.py 7": `"expanded":552,"sums":{"solutions":40}`,
		"knapsack.py": `"value":-`,
	} {
		spawn := fmt.Sprintf("import pty, sys; sys.exit(pty.spawn(['python3'] + 'python/examples/%s'.split()))", example)
		if status, out, errs := runWorker(t, "", "python3", "-c", spawn); status != 0 || !strings.Contains(out, want) {
			t.Errorf("%s: status %d: %q, want %q: %s", example, status, out, want, errs)
		}
	}
}

// The library and its examples are Python 3.9.
func TestPythonVersion(t *testing.T) {
	t.Parallel()
	need(t, "python3")
	parse := "import ast, sys\nfor name in sys.argv[1:]: ast.parse(open(name).read(), name, feature_version=(3, 9))"
	files, err := filepath.Glob("python/examples/*.py")
	if err != nil || len(files) == 0 {
		t.Fatalf("no examples: %v", err)
	}
	if status, _, errs := runWorker(t, "", append([]string{"python3", "-c", parse, "python/treesplit.py"}, files...)...); status != 0 {
		t.Error(errs)
	}
}
