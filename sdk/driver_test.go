// Package sdk tests the libraries for searches in other languages, and their examples, against a
// driver that plays treesplit: it cuts, moves and repeats requests as ranks do. It needs no MPI.
package sdk

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// answer is a line of a worker, of any kind.
type answer struct {
	Worker   int
	Name     string
	Root     json.RawMessage
	Minimise bool
	Depth    bool

	Expanded int64
	Open     []json.RawMessage
	Sums     map[string]int64
	Maxima   map[string]int64
	Found    json.RawMessage
	Value    *int64

	Children json.RawMessage // true in the first line, then a list
}

// child is a running worker.
type child struct {
	cmd   *exec.Cmd
	in    io.WriteCloser
	out   *bufio.Reader
	errs  bytes.Buffer
	hello answer
}

// program is a worker that can be started.
type program struct {
	args    []string
	problem string // JSON, or ""
}

// need skips a test if a program is not installed.
func need(t *testing.T, programs ...string) {
	t.Helper()
	for _, name := range programs {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("%s is not installed: run scripts/install", name)
		}
	}
}

// python returns an example of the Python library.
func python(t *testing.T, problem string, args ...string) program {
	t.Helper()
	need(t, "python3")
	return program{append([]string{"python3"}, args...), problem}
}

// startWorker starts a worker and exchanges the first lines.
func (p program) startWorker(t *testing.T, rank, ranks int) *child {
	t.Helper()
	c := &child{cmd: exec.Command(p.args[0], p.args[1:]...)}
	c.cmd.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1")
	c.cmd.Stderr = &c.errs
	var err error
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.kill() })
	c.out = bufio.NewReader(out)
	problem := p.problem
	if problem == "" {
		problem = "null"
	}
	c.hello = c.ask(t, fmt.Sprintf(`{"treesplit":1,"rank":%d,"ranks":%d,"seed":1,"problem":%s}`, rank, ranks, problem))
	if c.hello.Worker != 1 || c.hello.Name == "" || len(c.hello.Root) == 0 {
		t.Fatalf("%q: first line %+v", p.args, c.hello)
	}
	return c
}

// ask sends a line and returns the answer.
func (c *child) ask(t *testing.T, line string) (a answer) {
	t.Helper()
	io.WriteString(c.in, line+"\n") // a worker that has ended answers with the end of its output
	text, err := c.out.ReadBytes('\n')
	if err != nil {
		c.cmd.Wait()
		t.Fatalf("%q: %v after %.200q: %s", c.cmd.Args, err, line, &c.errs)
	}
	if err := json.Unmarshal(text, &a); err != nil {
		t.Fatalf("%q: %v: %.200q", c.cmd.Args, err, text)
	}
	return a
}

// kill ends a worker as kill -9 does.
func (c *child) kill() {
	if c.cmd.ProcessState == nil {
		c.cmd.Process.Kill()
		c.cmd.Wait()
	}
}

// stop ends a worker by the protocol. It must exit with status 0, without further output.
func (c *child) stop(t *testing.T) {
	t.Helper()
	io.WriteString(c.in, "{\"stop\":true}\n")
	c.in.Close()
	rest, err := io.ReadAll(c.out)
	if wait := c.cmd.Wait(); err != nil || wait != nil || len(rest) != 0 {
		t.Errorf("%q: %v, %v, output %.200q: %s", c.cmd.Args, err, wait, rest, &c.errs)
	}
}

// totals are the results of a whole search.
type totals struct {
	expanded     int64
	sums, maxima map[string]int64
	founds       []json.RawMessage // all solutions; in a search that minimises, the best one is the last
	best         *int64
}

// search is a search on several workers, in which everything is drawn from a seed.
type search struct {
	program program
	workers []*child
	stacks  [][]json.RawMessage
	draw    *rand.Rand
	kills   int // workers that are still killed
	totals  totals
}

// searchTree searches a whole tree on several workers: with random budgets, random parts of stacks
// as requests, random moves of nodes between workers, and with some workers that are killed before or
// after their answer and started again with the same request.
func searchTree(t *testing.T, p program, ranks int, seed uint64, kills int) totals {
	t.Helper()
	s := &search{program: p, draw: rand.New(rand.NewPCG(seed, 0)), kills: kills, stacks: make([][]json.RawMessage, ranks)}
	s.totals.sums, s.totals.maxima = map[string]int64{}, map[string]int64{}
	for rank := range ranks {
		c := p.startWorker(t, rank, ranks)
		s.workers = append(s.workers, c)
		if c.hello.Name != s.workers[0].hello.Name {
			t.Fatalf("names %q and %q", c.hello.Name, s.workers[0].hello.Name)
		}
	}
	s.stacks[0] = []json.RawMessage{s.workers[0].hello.Root}
	for s.moveNodes() {
		s.expandNodes(t)
	}
	for _, c := range s.workers {
		c.stop(t)
	}
	return s.totals
}

// moveNodes moves a random part of a stack to another worker. It reports whether there are nodes.
func (s *search) moveNodes() bool {
	from, to := s.draw.IntN(len(s.stacks)), s.draw.IntN(len(s.stacks))
	if n := len(s.stacks[from]); n > 1 && from != to {
		a := s.draw.IntN(n)
		b := a + s.draw.IntN(n-a)
		s.stacks[to] = append(s.stacks[to], s.stacks[from][a:b]...)
		s.stacks[from] = append(s.stacks[from][:a:a], s.stacks[from][b:]...)
	}
	for _, stack := range s.stacks {
		if len(stack) > 0 {
			return true
		}
	}
	return false
}

// expandNodes makes one request of the top of a random stack that is not empty.
func (s *search) expandNodes(t *testing.T) {
	t.Helper()
	rank := s.draw.IntN(len(s.stacks))
	for len(s.stacks[rank]) == 0 {
		rank = (rank + 1) % len(s.stacks)
	}
	stack := s.stacks[rank]
	kept := s.draw.IntN(len(stack))
	budget := int64(1 + s.draw.IntN(1<<s.draw.IntN(12)))
	var best *int64
	if s.draw.IntN(4) > 0 { // sometimes a worker is informed late
		best = s.totals.best
	}
	request := expandRequest(stack[kept:], budget, best)
	if s.kills > 0 && s.draw.IntN(10) == 0 {
		s.kills--
		s.killWorker(t, rank, request)
	}
	if s.draw.IntN(8) == 0 && string(s.workers[rank].hello.Children) == "true" {
		s.workers[rank].ask(t, fmt.Sprintf(`{"children":%s}`, stack[kept])) // without effect on the totals
	}
	a := s.workers[rank].ask(t, request)
	if a.Expanded < 1 || a.Expanded > budget || a.Expanded < budget && len(a.Open) > 0 && a.Found == nil {
		t.Fatalf("%d nodes of %d, %d open", a.Expanded, budget, len(a.Open))
	}
	if s.workers[rank].hello.Depth {
		a.Open = nodesOf(t, a.Open)
	}
	s.stacks[rank] = append(stack[:kept:kept], a.Open...)
	s.addAnswer(t, a)
}

// killWorker kills a worker in a request, and starts it again.
func (s *search) killWorker(t *testing.T, rank int, request string) {
	t.Helper()
	if s.draw.IntN(2) == 0 {
		s.workers[rank].ask(t, request) // the answer is lost
	} else {
		io.WriteString(s.workers[rank].in, request+"\n")
	}
	s.workers[rank].kill()
	s.workers[rank] = s.program.startWorker(t, rank, len(s.stacks))
}

// nodesOf returns the nodes of an open list with depths.
func nodesOf(t *testing.T, open []json.RawMessage) (nodes []json.RawMessage) {
	t.Helper()
	for _, text := range open {
		var n struct {
			Node  json.RawMessage
			Depth *int64
		}
		if err := json.Unmarshal(text, &n); err != nil || n.Depth == nil || *n.Depth < 0 {
			t.Fatalf("%v: open node %s (expected a node and a depth)", err, text)
		}
		nodes = append(nodes, n.Node)
	}
	return nodes
}

// addAnswer adds an answer to the totals.
func (s *search) addAnswer(t *testing.T, a answer) {
	t.Helper()
	s.totals.expanded += a.Expanded
	for name, n := range a.Sums {
		s.totals.sums[name] += n
	}
	for name, n := range a.Maxima {
		if old, ok := s.totals.maxima[name]; !ok || n > old {
			s.totals.maxima[name] = n
		}
	}
	switch {
	case (a.Value != nil) != (s.workers[0].hello.Minimise && a.Found != nil):
		t.Fatalf("solution %s with value %v", a.Found, a.Value)
	case a.Value != nil && s.totals.best != nil && *a.Value >= *s.totals.best:
	case a.Found != nil:
		s.totals.founds, s.totals.best = append(s.totals.founds, a.Found), a.Value
	}
}

// expandRequest returns a request, with its keys in the order of treesplit.
func expandRequest(nodes []json.RawMessage, budget int64, best *int64) string {
	var list []string
	for _, n := range nodes {
		list = append(list, string(n))
	}
	request := fmt.Sprintf(`{"expand":[%s],"nodes":%d`, strings.Join(list, ","), budget)
	if best != nil {
		request += fmt.Sprintf(`,"best":%d`, *best)
	}
	return request + "}"
}
