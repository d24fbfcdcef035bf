package worker

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
)

// startFake returns a Start for fake workers. change changes each of them.
func startFake(change func(w *fakeWorker)) func(Start, func([]byte) error) (Session, error) {
	return func(s Start, hello func([]byte) error) (Session, error) {
		w := newFake(true, true, true)
		w.rank = s.Rank
		change(w)
		line, err := json.Marshal(map[string]any{
			"worker": 1, "name": w.hello.Name, "root": w.hello.Root, "minimise": w.hello.Minimise,
			"children": w.hello.Children, "depth": w.hello.Depth,
		})
		if err != nil {
			return nil, err
		}
		return w, hello(line)
	}
}

// A worker without a mistake passes, with and without capabilities.
func TestCheckPasses(t *testing.T) {
	for _, capabilities := range [][3]bool{{}, {true, true, true}, {false, true, false}, {true, false, true}} {
		for seed := range uint64(5) {
			c := Checker{Runs: 40, Seed: seed, Start: startFake(func(w *fakeWorker) { *w = *newFake(capabilities[0], capabilities[1], capabilities[2]) })}
			for _, f := range c.Check() {
				if f.Fault != nil {
					t.Errorf("%v, seed %d: %s: %v", capabilities, seed, f.Name, f.Fault)
				}
			}
		}
	}
}

// openOf returns the open nodes of an answer without depths.
func openOf(answer map[string]any) []fakeNode {
	nodes, _ := answer["open"].([]fakeNode)
	return nodes
}

// mistakes are workers that break one rule each, with the check that must find the mistake; "" is
// any check.
var mistakes = []struct {
	name, check string
	change      func(w *fakeWorker)
}{
	{"a node lost", "one request against single nodes", func(w *fakeWorker) {
		*w = *newFake(false, false, false)
		w.mistake = func(_ *fakeWorker, r *fakeRequest, answer map[string]any) {
			if open := openOf(answer); len(open) > len(r.Expand) && len(open) > 4 {
				answer["open"] = open[1:]
			}
		}
	}},
	{"a node expanded twice", "one request against single nodes", func(w *fakeWorker) {
		*w = *newFake(false, false, false)
		w.mistake = func(_ *fakeWorker, r *fakeRequest, answer map[string]any) {
			if r.Nodes > 10 && len(openOf(answer)) > 0 {
				answer["open"] = append(openOf(answer), r.Expand[0])
			}
		}
	}},
	{"a result that depends on B", "one request against single nodes", func(w *fakeWorker) {
		w.mistake = func(_ *fakeWorker, r *fakeRequest, answer map[string]any) {
			if r.Nodes > 5 {
				answer["sums"] = map[string]int{"requests": 1}
			}
		}
	}},
	{"a result that depends on the order", "one request against single nodes", func(w *fakeWorker) {
		*w = *newFake(false, false, false)
		w.before = func(_ *fakeWorker, r *fakeRequest) { // the first node of the list first
			if len(r.Expand) > 1 {
				r.Expand[0], r.Expand[len(r.Expand)-1] = r.Expand[len(r.Expand)-1], r.Expand[0]
			}
		}
	}},
	{"an order that is wrong from the first request on", "one request against single nodes", func(w *fakeWorker) {
		w.mistake = func(_ *fakeWorker, r *fakeRequest, answer map[string]any) {
			if all, ok := answer["open"].([]map[string]any); ok {
				slices.Reverse(all)
			}
		}
	}},
	{"a number of requests instead of nodes", "one request against single nodes", func(w *fakeWorker) {
		w.mistake = func(_ *fakeWorker, r *fakeRequest, answer map[string]any) {
			if r.Children == nil {
				answer["sums"] = map[string]int{"nodes": 1}
			}
		}
	}},
	{"a search that prunes too much by best", "best value", func(w *fakeWorker) { w.slack = 30 }},
	{"state between requests", "", func(w *fakeWorker) {
		w.mistake = func(w *fakeWorker, r *fakeRequest, answer map[string]any) {
			if r.Nodes > 3 && w.asked%7 == 0 {
				answer["sums"] = map[string]int{"seen": 1}
			}
		}
	}},
	{"another tree on another rank", "another process", func(w *fakeWorker) {
		w.mistake = func(w *fakeWorker, r *fakeRequest, answer map[string]any) {
			if w.rank > 0 && answer["sums"] == nil {
				answer["sums"] = map[string]int{"rank": w.rank}
			}
		}
	}},
	{"a name that depends on the rank", "first line", func(w *fakeWorker) { w.hello.Name += strings.Repeat("x", w.rank) }},
	{"children in another order", "children", func(w *fakeWorker) {
		w.mistake = func(_ *fakeWorker, _ *fakeRequest, answer map[string]any) {
			if all, ok := answer["children"].([]fakeNode); ok && len(all) > 1 {
				answer["children"] = append(all[1:], all[0])
			}
		}
	}},
	{"a wrong depth", "depths", func(w *fakeWorker) {
		w.mistake = func(_ *fakeWorker, _ *fakeRequest, answer map[string]any) {
			if all, ok := answer["open"].([]map[string]any); ok && len(all) > 0 {
				all[0]["depth"] = 9
			}
		}
	}},
	{"more nodes than asked", "one request against single nodes", func(w *fakeWorker) {
		w.before = func(_ *fakeWorker, r *fakeRequest) { r.Nodes++ }
	}},
	{"two solutions in one answer", "one request against single nodes", func(w *fakeWorker) {
		*w = *newFake(false, false, false)
		w.mistake = func(_ *fakeWorker, r *fakeRequest, answer map[string]any) {
			if sums, ok := answer["sums"].(map[string]int); ok && sums["leaves"] > 0 {
				answer["found"] = 1
			}
		}
	}},
	{"an answer that is no line of the protocol", "", func(w *fakeWorker) {
		w.mistake = func(w *fakeWorker, _ *fakeRequest, answer map[string]any) {
			if w.asked > 1500 {
				answer["note"] = "hello"
			}
		}
	}},
	{"a worker that ignores the end", "end", func(w *fakeWorker) { w.stop = errors.New("the worker did not exit") }},
	{"a worker of another rank that ignores the end", "end", func(w *fakeWorker) {
		if w.rank > 0 {
			w.stop = errors.New("the worker did not exit")
		}
	}},
}

// The root is used on rank 0 alone, so that other ranks may write another one.
func TestCheckIgnoresOtherRoots(t *testing.T) {
	c := Checker{Runs: 20, Seed: 1, Start: startFake(func(w *fakeWorker) {
		if w.rank > 0 {
			w.hello.Root = json.RawMessage("null")
		}
	})}
	for _, f := range c.Check() {
		if f.Fault != nil {
			t.Errorf("check %q reports %v", f.Name, f.Fault)
		}
	}
}

// Every seeded mistake is found, by the check that is about it.
func TestCheckFindsMistakes(t *testing.T) {
	for _, m := range mistakes {
		t.Run(m.name, func(t *testing.T) {
			c := Checker{Runs: 100, Seed: 1, Start: startFake(m.change)}
			for _, f := range c.Check() {
				if f.Fault == nil {
					continue
				}
				if m.check != "" && f.Name != m.check || strings.Contains(f.Fault.Error(), "\n") {
					t.Errorf("check %q reports %v; expected a report of check %q, in one line", f.Name, f.Fault, m.check)
				}
				return
			}
			t.Error("no check reports the mistake")
		})
	}
}
