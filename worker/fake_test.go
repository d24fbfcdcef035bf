package worker

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"treesplit/search"
)

// fakeNode is a node of the tree of fakeWorker: the choices on its path. It has up to three children.
type fakeNode []int

func (n fakeNode) children() (all []fakeNode) {
	const deepest = 7
	sum := 0
	for _, c := range n {
		sum = sum*3 + c + 1
	}
	for c := range (sum*7 + 2) % 4 {
		if len(n) < deepest {
			all = append(all, append(slices.Clone(n), c))
		}
	}
	if len(n) == 0 {
		return []fakeNode{{0}, {1}, {2}}
	}
	return all
}

// value is the value of a node as a solution; only leaves are solutions.
func (n fakeNode) value() int64 {
	v := int64(100)
	for i, c := range n {
		v -= int64((c*5+i*3)%7) - 2
	}
	return v
}

// least is a lower bound of the values below a node, and a bound of the node's own value.
func (n fakeNode) least() int64 { return n.value() - 4*int64(8-len(n)) }

// fakeTree counts the nodes, the leaves and the depth of the tree, and its least value, by plain
// recursion.
func fakeTree(n fakeNode, nodes, leaves, depth, least *int64) {
	*nodes++
	*depth = max(*depth, int64(len(n)))
	children := n.children()
	if len(children) == 0 {
		*leaves++
		*least = min(*least, n.value())
	}
	for _, c := range children {
		fakeTree(c, nodes, leaves, depth, least)
	}
}

// fakeWorker is a worker without a process: it answers lines by lines. The zero value obeys the
// protocol.
type fakeWorker struct {
	hello  Hello
	prunes bool
	slack  int64 // by which it prunes too much
	// mistake changes a request or its answer; nil: no mistake.
	mistake func(w *fakeWorker, request *fakeRequest, answer map[string]any)
	before  func(w *fakeWorker, request *fakeRequest)
	asked   int
	rank    int
	failed  error
	stop    error
}

type fakeRequest struct {
	Expand   []fakeNode `json:"expand"`
	Nodes    int        `json:"nodes"`
	Best     *int64     `json:"best"`
	Children *fakeNode  `json:"children"`
}

func (w *fakeWorker) Err() error  { return w.failed }
func (w *fakeWorker) Stop() error { return w.stop }

// Ask answers a request.
func (w *fakeWorker) Ask(request []byte, read func([]byte) error) error {
	if w.failed != nil {
		return w.failed
	}
	w.asked++
	var r fakeRequest
	if err := json.Unmarshal(request, &r); err != nil {
		return fmt.Errorf("the request %s is invalid: %w", request, err)
	}
	if w.before != nil {
		w.before(w, &r)
	}
	answer := map[string]any{}
	if r.Children != nil {
		answer["children"] = nonNil(r.Children.children())
	} else {
		w.expand(r, answer)
	}
	if w.mistake != nil {
		w.mistake(w, &r, answer)
	}
	line, err := json.Marshal(answer)
	if err != nil {
		return err
	}
	return read(append(line, '\n'))
}

func nonNil(nodes []fakeNode) []fakeNode {
	if nodes == nil {
		return []fakeNode{}
	}
	return nodes
}

// expand answers a request to expand.
func (w *fakeWorker) expand(r fakeRequest, answer map[string]any) {
	stack, expanded, leaves, depth := r.Expand, 0, 0, 0
	var found fakeNode
	for ; expanded < r.Nodes && len(stack) > 0; expanded++ {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		depth = max(depth, len(n))
		if w.prunes && r.Best != nil && n.least()+w.slack >= *r.Best {
			continue
		}
		children := n.children()
		stack = append(stack, children...)
		if len(children) > 0 {
			continue
		}
		leaves++
		if w.hello.Minimise && (r.Best == nil || n.value() < *r.Best) {
			v := n.value()
			found, r.Best = n, &v
		}
	}
	answer["expanded"], answer["maxima"] = expanded, map[string]int{"depth": depth}
	if !w.prunes {
		answer["sums"] = map[string]int{"leaves": leaves}
	}
	if found != nil {
		answer["found"], answer["value"] = found, *r.Best
	}
	answer["open"] = w.listOpen(stack)
}

func (w *fakeWorker) listOpen(stack []fakeNode) any {
	if !w.hello.Depth {
		return nonNil(stack)
	}
	all := []map[string]any{}
	for _, n := range stack {
		all = append(all, map[string]any{"node": n, "depth": len(n)})
	}
	return all
}

// newFake returns a worker with all capabilities that are given.
func newFake(minimise, children, depth bool) *fakeWorker {
	return &fakeWorker{hello: Hello{Name: "fake", Root: json.RawMessage("[]"), Minimise: minimise, Children: children, Depth: depth}, prunes: minimise}
}

// share returns a share of the worker.
func (w *fakeWorker) share(root bool) search.Work {
	return New(w, &w.hello, Options{Splitting: search.Splitting{MinOpen: 2}}, root)
}

var errFake = errors.New("the fake worker has failed")
