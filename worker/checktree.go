package worker

import (
	"bytes"
	"fmt"
	"slices"

	"treesplit/search"
)

// mostLimit bounds the number of nodes of a random request.
const mostLimit = 40

// checkRequests searches parts of the tree by random requests. Each answer must agree with the
// answers to requests for single nodes, each with one node in its list. So it finds lost nodes, nodes
// that are expanded twice, another order than depth first, and answers that depend on the number of
// nodes or on the other nodes of the list.
func (k *checking) checkRequests() error {
	stack := k.root()
	for range k.Runs {
		limit := 1 + k.rng.IntN(1+k.rng.IntN(mostLimit))
		r, err := k.ask(k.first, stack, limit, search.NoBound)
		if err != nil {
			return err
		}
		k.lists = append(k.lists, list{stack, limit}) // the checks after a fault need a list too
		if err := k.compareSteps(stack, r); err != nil {
			return err
		}
		if stack = k.cutRandomly(asOpen(r.open)); len(stack) == 0 {
			stack = k.root()
		}
	}
	return nil
}

// cutRandomly removes some nodes of a list, so that different parts of a large tree are searched.
func (k *checking) cutRandomly(nodes []open) []open {
	if len(nodes) == 0 || k.rng.IntN(3) > 0 {
		return nodes
	}
	return nodes[:1+k.rng.IntN(len(nodes))]
}

// compareSteps compares a reply with requests for single nodes. A worker that minimises may use a
// solution for the rest of its request, or for later requests only.
func (k *checking) compareSteps(stack []open, r reply) error {
	want, err := k.expandSingly(stack, r.expanded, false)
	if err != nil {
		return err
	}
	if !k.hello.Minimise && want.solutions > 1 {
		return r.unlike("a request that ends at its first solution", fmt.Sprintf("because requests for single nodes find %d solutions, of which this answer can tell one", want.solutions))
	}
	if r.equal(want.answer) {
		return nil
	}
	if k.hello.Minimise {
		if other, err := k.expandSingly(stack, r.expanded, true); err != nil || r.equal(other.answer) {
			return err
		}
	}
	return r.unlike(want.describe(), fmt.Sprintf("which %d requests for single nodes give", r.expanded))
}

// steps is the sum of the answers to requests for single nodes.
type steps struct {
	answer
	solutions int // answers with a solution
}

// expandSingly expands a number of nodes by requests with one node each. learns is set if later
// requests have the value of the best solution.
func (k *checking) expandSingly(stack []open, number int, learns bool) (all steps, err error) {
	stack = slices.Clone(stack)
	all.sums, all.maxima = map[string]int64{}, map[string]int64{}
	best := int64(search.NoBound)
	for ; all.expanded < number && len(stack) > 0; all.expanded++ {
		top := len(stack) - 1
		r, err := k.ask(k.first, stack[top:], 1, best)
		if err != nil {
			return all, err
		}
		stack = append(stack[:top], asOpen(r.open)...)
		all.add(r.answer, k.hello.Minimise)
		if learns && all.hasValue {
			best = all.value
		}
	}
	for _, o := range stack {
		all.open = append(all.open, listed{o.node, o.depth})
	}
	return all, nil
}

// add adds the counts and the solution of an answer.
func (s *steps) add(a answer, minimise bool) {
	for name, n := range a.sums {
		s.sums[name] += n
	}
	for name, n := range a.maxima {
		if known, ok := s.maxima[name]; !ok || n > known {
			s.maxima[name] = n
		}
	}
	if a.found == nil {
		return
	}
	s.solutions++
	if s.found == nil || minimise && a.value < s.value {
		s.found, s.value, s.hasValue = a.found, a.value, a.hasValue
	}
}

// randomNode returns a node that occurred.
func (k *checking) randomNode() open {
	nodes := k.lists[k.rng.IntN(len(k.lists))].nodes
	return nodes[k.rng.IntN(len(nodes))]
}

// checkChildren compares lists of children with the open nodes after one expansion.
func (k *checking) checkChildren() error {
	for range k.Runs {
		node := k.randomNode()
		r, err := k.ask(k.first, []open{node}, 1, search.NoBound)
		if err != nil {
			return err
		}
		request := appendChildren(nil, node.node)
		var got []byte
		var children []listed
		err = k.first.Ask(request, func(line []byte) (err error) {
			got = bytes.Clone(line)
			children, err = parseChildren(line)
			return err
		})
		if err != nil {
			return broken{err}
		}
		if !slices.EqualFunc(children, r.open, func(a, b listed) bool { return bytes.Equal(a.node, b.node) }) {
			want := answer{expanded: 1, open: r.open}
			return fmt.Errorf("sent %s, got %s: expected the open nodes of %s, which the request %s gives", shorten(request), shorten(got), want.describe(), r.sent)
		}
	}
	return nil
}

// checkDepths checks that children are one level below their parent.
func (k *checking) checkDepths() error {
	for range k.Runs {
		node := k.randomNode()
		r, err := k.ask(k.first, []open{node}, 1, search.NoBound)
		if err != nil {
			return err
		}
		for _, n := range r.open {
			if n.depth != node.depth+1 {
				return r.unlike(fmt.Sprintf("depth %d of the node %s", node.depth+1, shorten(n.node)), fmt.Sprintf("because its parent has depth %d", node.depth))
			}
		}
	}
	return nil
}

// mostSubtree bounds the nodes of a subtree that checkBest searches.
const mostSubtree = 500

// checkBest searches small subtrees with and without a best value. A value that is one more than the
// least value of a solution must not hide this solution, and a large value must hide nothing.
func (k *checking) checkBest() error {
	for range max(k.Runs/4, 1) {
		node := k.randomNode()
		least, complete, err := k.searchSubtree(node, search.NoBound)
		if err != nil {
			return err
		}
		if !complete || least.found == nil || least.value > search.NoBound-2 {
			continue
		}
		again, complete, err := k.searchSubtree(node, least.value+1)
		if err != nil {
			return err
		}
		if complete && (again.found == nil || again.value != least.value) {
			return fmt.Errorf("the subtree of %s has a solution of value %d (%s) without a best value, and the search with %q: %d ends with %s: expected the same value",
				shorten(node.node), least.value, shorten(least.found), "best", least.value+1, again.describe())
		}
	}
	return nil
}

// searchSubtree searches the subtree of a node by requests with the best known value. complete is
// false if the subtree is large.
func (k *checking) searchSubtree(node open, best int64) (all steps, complete bool, err error) {
	all.sums, all.maxima = map[string]int64{}, map[string]int64{}
	stack := []open{node}
	for all.expanded < mostSubtree && len(stack) > 0 {
		known := best
		if all.hasValue {
			known = min(known, all.value)
		}
		r, err := k.ask(k.first, stack, 1+k.rng.IntN(mostLimit), known)
		if err != nil {
			return all, false, err
		}
		all.expanded += r.expanded
		all.add(r.answer, true)
		stack = asOpen(r.open)
	}
	return all, len(stack) == 0, nil
}
