package search_test

import (
	"errors"
	"fmt"

	"treesplit/search"
	"treesplit/search/stack"
)

// choice is a node: the first Taken weights are decided, and the chosen ones add up to Sum.
type choice struct{ Taken, Sum uint32 }

// subsets looks for the subsets of some weights that add up to a goal. Each node at depth d is
// one choice among the first d weights: its children leave out or take the next weight.
type subsets struct {
	weights []uint32
	goal    uint32
	found   int
}

func (s *subsets) Root() choice { return choice{} }

func (s *subsets) Visit(c choice) {
	if int(c.Taken) == len(s.weights) && c.Sum == s.goal {
		s.found++
	}
}

func (s *subsets) Children(dst []choice, c choice) []choice {
	if int(c.Taken) == len(s.weights) {
		return dst
	}
	dst = append(dst, choice{c.Taken + 1, c.Sum})
	if sum := c.Sum + s.weights[c.Taken]; sum <= s.goal {
		dst = append(dst, choice{c.Taken + 1, sum})
	}
	return dst
}

func (s *subsets) Check(c choice) error {
	if int(c.Taken) > len(s.weights) || c.Sum > s.goal {
		return errors.New("the choice does not occur")
	}
	return nil
}

// A Work is searched by two shares. The second share starts empty. Whenever it is empty it gets
// a piece of the first one.
func Example() {
	problem := func() *subsets { return &subsets{weights: []uint32{8, 6, 5, 3, 2, 1}, goal: 11} }
	here, there := problem(), problem()
	var donor search.Work = stack.New(here, search.DefaultSplitting, true)
	var requester search.Work = stack.New(there, search.DefaultSplitting, false)

	nodes, pieces := 0, 0
	for !donor.Empty() || !requester.Empty() {
		if requester.Empty() {
			if piece, ok := donor.Split(nil); ok {
				pieces++
				if err := requester.Accept(piece); err != nil {
					fmt.Println(err)
					return
				}
			}
		}
		nodes += donor.Expand(4) + requester.Expand(4)
	}
	fmt.Println(here.found+there.found, "subsets,", nodes, "nodes, number of pieces:", pieces)
	// Output:
	// 5 subsets, 65 nodes, number of pieces: 1
}

// As finds an optional interface of a share, here the weight of its open nodes: 1 is the whole
// tree.
func ExampleAs() {
	share := stack.New(&subsets{weights: []uint32{8, 6, 5, 3, 2, 1}, goal: 11}, search.DefaultSplitting, true)
	share.Expand(20)
	if sizer, ok := search.As[search.Sizer](share); ok {
		fmt.Printf("%d open nodes with %.0f %% of the tree\n", sizer.Open(), 100*sizer.Weight())
	}
	// Output:
	// 5 open nodes with 88 % of the tree
}

// openLevels is a stack, given by the number of open alternatives of each level.
type openLevels []int

func (s openLevels) Levels() int         { return len(s) }
func (s openLevels) Open(level int) int  { return s[level] }
func (s openLevels) Depth(level int) int { return level + 1 }

// ChooseCuts chooses the alternatives that a donor gives away. Rule Half takes every other open
// alternative, beginning at the root. Rule Bottom takes the one nearest to the root.
func ExampleSplitting_ChooseCuts() {
	stack := openLevels{2, 0, 3}
	for _, rule := range []search.Rule{search.Half, search.Bottom} {
		cuts, _ := search.Splitting{Rule: rule, MinOpen: 2}.ChooseCuts(stack, nil)
		for _, c := range cuts {
			fmt.Println(rule, "takes", c.Count, "of level", c.Level)
		}
	}
	// Output:
	// half takes 1 of level 0
	// half takes 2 of level 2
	// bottom takes 1 of level 0
}
