package worker

import (
	"math"

	"treesplit/search"
)

// capable is a Share with the optional interfaces for which the worker has the capabilities.
type capable struct{ *Share }

var (
	_ search.Adapter            = capable{}
	_ search.Packer             = capable{}
	_ search.Transferring       = capable{}
	_ search.Fallible           = capable{}
	_ search.Decider            = decider{}
	_ search.Optimiser          = optimiser{}
	_ search.Sizer              = sizer{}
	_ search.Subtasker          = subtasker{}
	_ search.Bisecter           = bisecter{}
	_ interface{ Levels() int } = (*levels)(nil)
)

// Unwrap returns the Share.
func (c capable) Unwrap() search.Work { return c.Share }

// Each calls f for the share with its optional interfaces; see search.Each. The inner Share lacks
// them.
func (c capable) Each(f func(search.Work)) { f(c) }

// Adapt returns the Share with an optional interface, if the worker has the capability for it.
func (c capable) Adapt(want any) search.Work {
	h := c.hello
	switch want.(type) {
	case *search.Decider:
		return only(c.option.First, decider(c))
	case *search.Optimiser:
		return only(h.Minimise, optimiser(c))
	case *search.Sizer:
		return only(h.Depth, sizer(c))
	case *search.Subtasker:
		return only(h.Children, subtasker(c))
	case *search.Bisecter:
		return only(h.Children, bisecter(c))
	}
	return c.Share
}

// only returns a Work if has is set, and otherwise nil.
func only(has bool, w search.Work) search.Work {
	if has {
		return w
	}
	return nil
}

// decider is a Share of a search that ends at the first solution.
type decider struct{ *Share }

// Decided reports whether the share has found a solution.
func (d decider) Decided() bool { return d.isDecided() }

// optimiser is a Share of a worker that minimises.
type optimiser struct{ *Share }

// Bound returns the least known value.
func (o optimiser) Bound() int64 { return o.best }

// Tighten informs the share of a value. The worker receives it with the next request.
func (o optimiser) Tighten(value int64) { o.best = min(o.best, value) }

// sizer is a Share of a worker that tells depths.
type sizer struct{ *Share }

// Weight returns the weight of the open nodes. O(nodes).
func (s sizer) Weight() (sum float64) {
	for i := range s.stack {
		sum += s.stack[i].weight
	}
	return sum
}

// Open returns the number of open nodes.
func (s sizer) Open() int { return len(s.stack) }

// subtasker is a Share of a worker that lists children.
type subtasker struct{ *Share }

// Subtask cuts off the top node if it is deep enough; see search.Subtasker. The depth of a node is
// exact unless an ancestor was expanded together with other nodes.
func (s subtasker) Subtask(dst []byte, depth, limit int) (piece []byte, expanded int, ok bool) {
	for len(s.stack) > 0 && !s.isDecided() && int(s.stack[len(s.stack)-1].depth) < depth {
		if expanded == limit {
			return dst, expanded, false
		}
		n, _ := s.requestExpansion(1, 1)
		expanded += n
	}
	if expanded > 0 || len(s.stack) == 0 || s.isDecided() {
		return dst, expanded, false
	}
	last := len(s.stack) - 1
	top := s.stack[last]
	s.stack = s.stack[:last]
	return top.appendTo(append(dst, mark)), 0, true
}

// bisecter is a Share of a worker that lists children.
type bisecter struct{ *Share }

// Bisect makes the share one of 2^k parts of the tree; see search.Bisecter. The worker expands the
// nodes that belong to this part, and lists the children of every node on the path. A part that is
// not empty has the weight 2^−k.
func (s bisecter) Bisect(k int, part uint64) (expanded, redundant int) {
	if len(s.stack) > 0 && s.stack[0].depth > 0 {
		panic("worker: a share with expanded nodes cannot be bisected: expected an empty share or the whole tree")
	}
	way := search.NewWay(k, part)
	s.stack = append(s.stack[:0], open{node: s.hello.Root, weight: 1})
	for !way.IsFinished() && len(s.stack) > 0 {
		n := s.stack[0]
		if way.OwnsCurrentNode() {
			n, _ := s.requestExpansion(1, 1)
			expanded += n
			if s.err != nil {
				return expanded, redundant
			}
		} else {
			redundant++
		}
		children, ok := s.listChildren(n.node)
		if !ok {
			return expanded, redundant
		}
		from, to := 0, len(children)
		for to-from > 1 && !way.IsFinished() {
			from, to = way.HalveSiblings(from, to)
		}
		s.stack = s.stack[:0]
		for _, c := range children[from:to] {
			s.stack = append(s.stack, open{c.node, n.depth + 1, math.Ldexp(1, -k) / float64(to-from)})
		}
	}
	return expanded, redundant
}

// listChildren asks the worker for the children of a node, in the order of a stack. ok is false
// after an error.
func (s *Share) listChildren(node []byte) (children []listed, ok bool) {
	s.line = appendChildren(s.line[:0], node)
	err := s.link.Ask(s.line, func(line []byte) (err error) {
		children, err = parseChildren(line)
		return err
	})
	if err != nil {
		s.fail(err)
	}
	return children, err == nil
}
