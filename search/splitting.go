package search

import (
	"fmt"
	"strings"
)

// Rule says which of its open alternatives a donor gives away.
type Rule uint8

const (
	// Half gives every other open alternative, counted from the root end of the
	// stack: both sides keep a mixture of large and small subtrees.
	Half Rule = iota
	// Bottom gives a single alternative, the one nearest to the root: the largest
	// subtree as far as depth can tell, in the smallest message.
	Bottom
)

// ParseRule reads "half" or "bottom".
func ParseRule(s string) (Rule, error) {
	switch strings.ToLower(s) {
	case "half":
		return Half, nil
	case "bottom":
		return Bottom, nil
	}
	return Half, fmt.Errorf("unknown splitting rule %q: expected half or bottom", s)
}

// String returns the name that ParseRule reads.
func (r Rule) String() string {
	if r == Bottom {
		return "bottom"
	}
	return "half"
}

// MaxLevels is the number of levels with open alternatives, counted from the
// root end, that one piece draws on. It bounds the size of a message where the
// tree is a million levels deep; what lies below is small.
const MaxLevels = 512

// Splitting is the splitting function of an explicit stack: what is given away
// (Rule), what is too little to give (MinOpen), and what is too deep (Cutoff).
// Kumar, Grama and Rao call it α-splitting when both parts are sure to hold a
// share of at least α (section 3).
type Splitting struct {
	Rule    Rule
	MinOpen int // a share with fewer open alternatives is not split; at least 1
	Cutoff  int // alternatives whose node lies at this depth or deeper are not given; 0 is no cutoff
	// Skip damages Bottom: so many of the alternatives nearest to the root are
	// passed over, as far as there are more. Where subtrees halve from one to the
	// next, what is given is smaller by 2^Skip.
	Skip int
}

// DefaultSplitting is what a run uses unless told otherwise.
var DefaultSplitting = Splitting{Rule: Half, MinOpen: 2}

// Cut is what ChooseCuts takes from one level of a stack.
type Cut struct {
	Level int // the level, 0 at the root end
	Count int // how many of its open alternatives are given; at least 1
}

// Stack is an explicit stack as a splitting function sees it: levels of open
// (generated, not yet expanded) alternatives. The node that is expanded next is
// not one of them: a donor always keeps it.
type Stack interface {
	// Levels is the number of levels.
	Levels() int
	// Open is the number of open alternatives of a level, 0 ≤ level < Levels.
	Open(level int) int
	// Depth is the depth in the tree of the alternatives of a level; it grows with
	// the level.
	Depth(level int) int
}

// ChooseCuts appends to dst what is to be given away, in order of level, or reports
// !ok where the share is too small. The stack is not changed. It takes
// O(levels) and does not allocate where dst has room.
func (s Splitting) ChooseCuts(st Stack, dst []Cut) (cuts []Cut, ok bool) {
	total, open, last := 0, 0, -1
	for l, n := 0, st.Levels(); l < n; l++ {
		k := st.Open(l)
		total += k
		if k > 0 && open < MaxLevels && (s.Cutoff <= 0 || st.Depth(l) < s.Cutoff) {
			open++
			last = l
		}
		if total > s.Skip && open > 0 && total >= s.MinOpen && s.Rule == Bottom {
			break
		}
	}
	if open == 0 || total < s.MinOpen {
		return dst, false
	}
	if s.Rule == Bottom {
		return append(dst, Cut{s.bottomLevel(st, last), 1}), true
	}
	give := 1 // 1: the next alternative goes, 0: it stays
	for l := 0; l <= last; l++ {
		k := st.Open(l)
		if k == 0 {
			continue
		}
		if c := (k + give) / 2; c > 0 {
			dst = append(dst, Cut{l, c})
		}
		give = (give + k) % 2
	}
	return dst, true
}

// bottomLevel is the level whose alternative Bottom gives: the first with an open one
// after Skip of them, or the last that may be given.
func (s Splitting) bottomLevel(st Stack, last int) int {
	passed := 0
	for l := range last {
		if passed += st.Open(l); passed > s.Skip {
			return l
		}
	}
	return last
}
