package worker

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// Valid lines are decoded, with null for absent values and any white space.
func TestAnswers(t *testing.T) {
	h := &Hello{Minimise: true}
	a, err := parseAnswer([]byte(` { "expanded" : 3 , "open":[ {"a": [1 , 2]}, null ], "sums":null,"maxima":{"d":-4},"found":"x","value":-7} `+"\r\n"), h, 4, 3)
	if err != nil || a.expanded != 3 || len(a.open) != 2 || string(a.open[0].node) != `{"a":[1,2]}` || string(a.open[1].node) != "null" || a.maxima["d"] != -4 || string(a.found) != `"x"` || a.value != -7 {
		t.Errorf("%+v, %v", a, err)
	}
	// Without minimise a solution counts, and its value is ignored.
	if a, err := parseAnswer([]byte(`{"expanded":3,"open":[],"found":1,"value":2}`), &Hello{}, 3, 5); err != nil || string(a.found) != "1" || a.hasValue {
		t.Errorf("%+v, %v: want a solution without a value", a, err)
	}
}

// Invalid answers are refused with a reason.
func TestBadAnswers(t *testing.T) {
	for line, want := range map[string]string{
		``:                                      "no JSON object",
		`null`:                                  "no JSON object",
		`{"expanded":1,"open":[]} {}`:           "no JSON object",
		`{"Expanded":1,"open":[]}`:              `the key "Expanded" is unknown`,
		`{"expanded":"1","open":[]}`:            `"expanded" is "\"1\"": expected an integer`,
		`{"expanded":1,"open":[],"expanded":1}`: "a key of the line is there twice",
		`{"expanded":3,"open":[],"sums":{"a":1,"a":0}}`:                            `a name in "sums" is there twice`,
		`{"expanded":1.0,"open":[]}`:                                               `expected an integer`,
		`{"expanded":1,"open":{}}`:                                                 `"open" is "{}": expected a list of nodes`,
		`{"expanded":1,"open":[]}`:                                                 `"open" has 0 nodes: expected at least 2, because 1 of 3`,
		`{"expanded":2,"open":[0]}`:                                                `"expanded" is 2 and 1 of "open" remain`,
		`{"expanded":2,"open":[0],"found":null}`:                                   `expected 5 expanded nodes`,
		`{"expanded":3,"open":[],"sums":[1]}`:                                      `"sums" is "[1]": expected an object of integers`,
		`{"expanded":3,"open":[],"found":1,"value":1e2}`:                           `"value" is "1e2"`,
		`{"expanded":3,"open":[],"maxima":{"` + strings.Repeat("x", 257) + `":1}}`: "a name of 257 bytes",
	} {
		if _, err := parseAnswer([]byte(line), &Hello{}, 3, 5); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", line, err, want)
		}
	}
}

// FuzzAnswer: any bytes are refused, or give an answer whose nodes are values on one line.
func FuzzAnswer(f *testing.F) {
	f.Add([]byte(`{"expanded":1,"open":[1,{"a":2}],"sums":{"x":1},"maxima":{"y":-2},"found":[0]}`), false)
	f.Add([]byte(`{"expanded":2,"open":[{"node":1,"depth":3}]}`), true)
	f.Fuzz(func(t *testing.T, line []byte, depth bool) {
		a, err := parseAnswer(line, &Hello{Depth: depth}, 2, 10)
		if err != nil {
			return
		}
		if a.expanded < 1 || a.expanded > 10 {
			t.Errorf("%d expanded nodes", a.expanded)
		}
		for _, n := range a.open {
			if !json.Valid(n.node) || bytes.ContainsAny(n.node, "\r\n") || n.depth < 0 {
				t.Errorf("the node %q of depth %d", n.node, n.depth)
			}
		}
	})
}

// FuzzHello: any bytes are refused, or give a name and a root on one line.
func FuzzHello(f *testing.F) {
	f.Add([]byte(`{"worker":1,"name":"x","root":{"a":[]},"minimise":true,"children":false,"depth":null}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		h, err := ParseHello(line)
		if err == nil && (h.Name == "" || !json.Valid(h.Root) || bytes.ContainsAny(h.Root, "\r\n")) {
			t.Errorf("%+v", h)
		}
	})
}

// FuzzAccept: any bytes are refused, or make a share that can be packed.
func FuzzAccept(f *testing.F) {
	w := newFake(false, false, true)
	s := w.share(true)
	s.Expand(20)
	piece, _ := s.Split(nil)
	f.Add(piece)
	f.Fuzz(func(t *testing.T, piece []byte) {
		s := w.share(false)
		if s.Accept(piece) != nil {
			if !s.Empty() {
				t.Fatal("a share that has refused a piece has work")
			}
			return
		}
		inner := s.(capable)
		if err := w.share(false).Accept(inner.Pack(nil)); err != nil {
			t.Fatal(err)
		}
	})
}

// A list with too many elements is refused. Commas inside of elements do not count.
func TestLongLists(t *testing.T) {
	for text, want := range map[string]string{
		"[]": "", "[0,1,2]": "", " [ [1,2,3] , {\"a\":1,\"b\":2} ] ": "",
		"[0,1,2,3]": "at most 3 nodes", "[[1,2,3,4],0,0,0]": "at most 3 nodes",
		"0": "a list", `{"a":0,"b":0,"c":0,"d":0}`: "a list", "[0,0,0,0": "a", "[0,0,0,[,]]": "a list",
	} {
		list, err := splitList([]byte(text), 3)
		if want == "" && (err != nil || len(list) > 3) || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %d elements, %v, want %q", text, len(list), err, want)
		}
	}
}
