package search

import (
	"fmt"
	"strings"
)

// Rule determines which of its open alternatives a donor gives away.
type Rule uint8

const (
	// Half gives every other open alternative, counted from the root end of the stack: donor
	// and requester both get a mixture of large and small subtrees.
	Half Rule = iota
	// Bottom gives a single alternative, the one nearest to the root. As far as depth predicts
	// size, it is the largest subtree, in the smallest message.
	Bottom
)

// ParseRule returns the rule named "half" or "bottom", in upper or lower case.
func ParseRule(s string) (Rule, error) {
	switch strings.ToLower(s) {
	case "half":
		return Half, nil
	case "bottom":
		return Bottom, nil
	}
	return Half, fmt.Errorf("unknown splitting rule %q: expected half or bottom", s)
}

// String returns the name that ParseRule accepts.
func (r Rule) String() string {
	if r == Bottom {
		return "bottom"
	}
	return "half"
}

// MaxLevels is the maximal number of levels with open alternatives, counted from the root end,
// from which one piece takes alternatives. It bounds the length of a message if the tree is a
// million levels deep; deeper alternatives are small.
const MaxLevels = 512

// Splitting is the splitting function of an explicit stack. It determines the alternatives
// that are given away (Rule), the shares that are too small (MinOpen), and the nodes that are
// too deep (Cutoff). Kumar, Grama and Rao call it α-splitting if both parts always hold at
// least the fraction α (section 3).
type Splitting struct {
	Rule    Rule
	MinOpen int // a share with fewer open alternatives is not split; at least 1
	Cutoff  int // alternatives of nodes at this depth or deeper are not given; 0 means no cutoff
	// Skip damages Bottom: it passes over this number of the alternatives nearest to the root,
	// if there are more. If the size of subtrees halves from one to the next, the given
	// subtree is smaller by 2^Skip.
	Skip int
}

// DefaultSplitting is the default of a run.
var DefaultSplitting = Splitting{Rule: Half, MinOpen: 2}

// Cut is the part of a piece that ChooseCuts takes from one level of a stack.
type Cut struct {
	Level int // the level, 0 at the root end
	Count int // the number of its open alternatives that are given; at least 1
}

// Stack is an explicit stack, as a splitting function uses it: levels of open alternatives,
// which are generated and not yet expanded. The node that is expanded next is not among them:
// a donor always keeps it.
type Stack interface {
	// Levels returns the number of levels.
	Levels() int
	// Open returns the number of open alternatives of a level, 0 ≤ level < Levels.
	Open(level int) int
	// Depth returns the depth in the tree of the alternatives of a level. It increases with
	// the level.
	Depth(level int) int
}

// ChooseCuts appends the cuts of a piece to dst, in order of level. It returns !ok if the
// share is too small. It does not change the stack. It takes O(levels) and does not allocate
// if dst has enough capacity.
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
	give := 1 // 1: the next alternative is given, 0: it is kept
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

// bottomLevel returns the level whose alternative Bottom gives: the first with an open one
// after Skip of them, or the last from which an alternative may be given.
func (s Splitting) bottomLevel(st Stack, last int) int {
	passed := 0
	for l := range last {
		if passed += st.Open(l); passed > s.Skip {
			return l
		}
	}
	return last
}
