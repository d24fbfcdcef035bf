package worker

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"treesplit/search"
)

// Session is a worker that a check has started.
type Session interface {
	Link
	// Stop asks the worker to exit. It returns an error if the worker does not, or if it writes a
	// line that no request asked for.
	Stop() error
}

// Checker checks whether a worker obeys the rules of the protocol. It compares answers with each
// other: to a request for many nodes and to requests for single nodes, of two processes, with and
// without a best value. It cannot know whether the tree is the tree that the user wants.
type Checker struct {
	// Start starts a worker. It calls hello for its first line.
	Start func(s Start, hello func(line []byte) error) (Session, error)
	Runs  int // number of random requests
	Seed  uint64
	// Problem is the problem of the first line; nil: null.
	Problem []byte
}

// Finding is the result of one check.
type Finding struct {
	Name    string // of the check
	Skipped bool   // the worker lacks the capability that the check is about
	Fault   error  // what was sent, got and expected, in one line; nil: none
}

// Check makes all checks and returns their findings in order. After a fault of the protocol itself
// it makes no more checks.
func (c Checker) Check() (all []Finding) {
	k := &checking{Checker: c, rng: rand.New(rand.NewPCG(c.Seed, 1))}
	for _, one := range []struct {
		name  string
		run   func() error
		about *bool // the capability; nil: of all workers
	}{
		{"first line", k.checkHello, nil},
		{"one request against single nodes", k.checkRequests, nil},
		{"the same request again", k.checkRepetition, nil},
		{"another process", k.checkOther, nil},
		{"children", k.checkChildren, &k.hello.Children},
		{"depths", k.checkDepths, &k.hello.Depth},
		{"best value", k.checkBest, &k.hello.Minimise},
		{"end", k.checkEnd, nil},
	} {
		if one.about != nil && !*one.about {
			all = append(all, Finding{Name: one.name, Skipped: true})
			continue
		}
		err := one.run()
		all = append(all, Finding{Name: one.name, Fault: err})
		var stop broken
		if errors.As(err, &stop) {
			break
		}
	}
	k.end()
	return all
}

// broken is a fault after which no other check makes sense.
type broken struct{ error }

// checking is a check in progress.
type checking struct {
	Checker
	rng          *rand.Rand
	hello        Hello
	first, other Session
	lists        []list // lists of open nodes that occurred
}

// list is a list of open nodes, and the number of nodes that were asked of it.
type list struct {
	nodes []open
	limit int
}

// reply is an answer with what was sent and received, for errors.
type reply struct {
	answer
	sent, got string
}

// end stops the workers that still run after a fault of the protocol.
func (k *checking) end() {
	for _, s := range []Session{k.first, k.other} {
		if s != nil {
			_ = s.Stop() // the fault is the finding
		}
	}
}

// checkHello starts two workers and compares their first lines.
func (k *checking) checkHello() (err error) {
	var second Hello
	read := func(to *Hello) func([]byte) error {
		return func(line []byte) (err error) {
			*to, err = ParseHello(line)
			return err
		}
	}
	start := Start{Rank: 0, Ranks: 3, Seed: 1, Problem: k.Problem}
	if k.first, err = k.Start(start, read(&k.hello)); err != nil {
		return broken{err}
	}
	start.Rank, start.Seed = 2, 7
	if k.other, err = k.Start(start, read(&second)); err != nil {
		return broken{err}
	}
	a, b := fmt.Sprintf("%+v", k.hello.printed()), fmt.Sprintf("%+v", second.printed())
	if a != b {
		return broken{fmt.Errorf("the first line has %s on rank 0 with seed 1, and %s on rank 2 with seed 7: expected the same", a, b)}
	}
	return nil
}

// printed returns, as a text, the values of the first line that all ranks must have in common.
func (h Hello) printed() string {
	return fmt.Sprintf("name %s, minimise %t, children %t, depth %t", quote(h.Name), h.Minimise, h.Children, h.Depth)
}

// ask sends a request to expand to a session.
func (k *checking) ask(s Session, nodes []open, limit int, best int64) (r reply, err error) {
	request := appendExpand(nil, nodes, limit, best)
	r.sent = shorten(request)
	err = s.Ask(request, func(line []byte) (err error) {
		r.got = shorten(line)
		r.answer, err = parseAnswer(line, &k.hello, len(nodes), limit)
		return err
	})
	if err != nil {
		err = broken{err}
	}
	return r, err
}

// shorten returns the beginning of a line.
func shorten(line []byte) string {
	const most = 300
	text := strings.TrimSpace(string(line))
	if len(text) > most {
		return strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}

// unlike returns an error that compares two replies.
func (r reply) unlike(expected, why string) error {
	return fmt.Errorf("sent %s, got %s: expected %s, %s", r.sent, r.got, expected, why)
}

// describe returns an answer in the form of the protocol.
func (a answer) describe() string {
	var b strings.Builder
	fmt.Fprintf(&b, `{"expanded":%d,"open":[`, a.expanded)
	for i, n := range a.open {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(n.node)
	}
	fmt.Fprintf(&b, `],"sums":%s,"maxima":%s`, describeCounters(a.sums), describeCounters(a.maxima))
	if a.found != nil {
		fmt.Fprintf(&b, `,"found":%s`, a.found)
	}
	if a.hasValue {
		fmt.Fprintf(&b, `,"value":%d`, a.value)
	}
	return shorten([]byte(b.String() + "}"))
}

func describeCounters(counters map[string]int64) string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(counters)) {
		all = append(all, fmt.Sprintf("%q:%d", name, counters[name]))
	}
	return "{" + strings.Join(all, ",") + "}"
}

// equal reports whether two answers agree. Solutions may differ if their values agree.
func (a answer) equal(b answer) bool {
	return a.expanded == b.expanded && slices.EqualFunc(a.open, b.open, func(m, n listed) bool { return bytes.Equal(m.node, n.node) }) &&
		maps.Equal(withoutZeros(a.sums), withoutZeros(b.sums)) && maps.Equal(a.maxima, b.maxima) &&
		(a.found == nil) == (b.found == nil) && a.hasValue == b.hasValue && a.value == b.value
}

// withoutZeros returns sums without zeros, which count as absent.
func withoutZeros(sums map[string]int64) map[string]int64 {
	sums = maps.Clone(sums)
	maps.DeleteFunc(sums, func(_ string, n int64) bool { return n == 0 })
	return sums
}

// asOpen returns the open nodes of an answer for the next request.
func asOpen(nodes []listed) (all []open) {
	for _, n := range nodes {
		all = append(all, open{node: n.node, depth: n.depth})
	}
	return all
}

// root returns the list with which a search begins.
func (k *checking) root() []open { return []open{{node: k.hello.Root}} }

// checkEnd stops both workers.
func (k *checking) checkEnd() error {
	first, other := k.first, k.other
	k.first, k.other = nil, nil
	return cmp.Or(first.Stop(), other.Stop())
}

// checkRepetition repeats requests.
func (k *checking) checkRepetition() error {
	return k.compareAgain(k.first, "as before for the same request: a worker keeps no state between requests")
}

// checkOther sends the requests to another process.
func (k *checking) checkOther() error {
	return k.compareAgain(k.other, "as from the worker of rank 0: all ranks have the same tree")
}

// compareAgain sends requests to a session and to the first worker, in another order.
func (k *checking) compareAgain(s Session, why string) error {
	for range min(k.Runs, len(k.lists)) {
		one := k.lists[k.rng.IntN(len(k.lists))]
		a, err := k.ask(k.first, one.nodes, one.limit, search.NoBound)
		if err != nil {
			return err
		}
		b, err := k.ask(s, one.nodes, one.limit, search.NoBound)
		if err := cmp.Or(err, differ(b, a, why)); err != nil {
			return err
		}
	}
	return nil
}

// differ returns an error if a reply differs from the expected one.
func differ(got, want reply, why string) error {
	if got.equal(want.answer) {
		return nil
	}
	return got.unlike(want.describe(), why)
}
