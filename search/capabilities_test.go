package search_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"treesplit/internal/explore"
	"treesplit/lb"
	"treesplit/pace"
	"treesplit/search"
	"treesplit/sim"
)

// able is a share with all capabilities.
type able struct{ *explore.Toy }

func (able) HasEvenParts()                          {}
func (able) Err() error                             { return nil }
func (able) Exchanges() bool                        { return true }
func (able) Export(dst []byte, _ int) []byte        { return dst }
func (able) Import([]byte) error                    { return nil }
func (able) TransferTime() int64                    { return 0 }
func (able) TakeRedundant() int64                   { return 0 }
func (able) Settled() bool                          { return true }
func (able) NodesLeft() int64                       { return 0 }
func (able) Levels() int                            { return 0 }
func newAble() search.Work                          { return &able{explore.NewToy(explore.Shape{Depth: 4, Width: 3}, false)} }
func find[T any](w search.Work) (found any, _ bool) { return search.As[T](w) }

// capabilities holds the optional interfaces of a Work. Each of them needs a decision for each wrapper.
var capabilities = map[string]func(search.Work) (any, bool){
	"Decider": find[search.Decider], "Optimiser": find[search.Optimiser], "Subtasker": find[search.Subtasker],
	"Bisecter": find[search.Bisecter], "EvenBisecter": find[search.EvenBisecter], "Packer": find[search.Packer],
	"Settler": find[search.Settler], "Sizer": find[search.Sizer], "Fallible": find[search.Fallible],
	"Transferring": find[search.Transferring], "Exchanger": find[search.Exchanger], "Counted": find[search.Counted],
	"Levelled": find[search.Levelled], "Redundant": find[search.Redundant],
}

// others are the interfaces of package search that are no capabilities of a Work.
var others = []string{"Work", "Wrapper", "Adapter", "Stack"}

// What a wrapper does with a capability of the inner share.
const (
	adapts   = "adapts"    // provides it in its own way
	passesOn = "passes on" // lets As find it in the inner share
	hides    = "hides"
)

// decision is what a wrapper does with some capabilities, and why.
type decision struct{ does, capabilities, why string }

var wrappers = []struct {
	name      string
	wrap      func() search.Work
	decisions []decision
}{
	{"Damaged", func() search.Work { return search.NewDamaged(newAble(), 0.2, newAble) }, []decision{
		{adapts, "Optimiser Sizer Fallible Redundant", "values, weights, errors and counts are taken over all its shares"},
		{adapts, "Exchanger", "each share imports facts, because each can become active; one share at a time exports facts"},
		{adapts, "Transferring", "one call of Expand may expand several shares"},
		{adapts, "Decider Bisecter EvenBisecter", "the active share is decided or bisected; the others are empty or wait"},
		{passesOn, "Levelled", "only the stack of the active share is of interest to a user"},
		{hides, "Packer Settler", "the waiting shares cannot be encoded as one piece"},
		{hides, "Subtasker", "a scheme that cuts off subtasks splits nothing, so that --damage has no meaning"},
		{hides, "Counted", "it only makes simulations faster"},
	}},
	{"Resumed", func() search.Work { return search.NewResumed(newAble(), nil, nil, false) }, []decision{
		{adapts, "Packer Sizer Subtasker", "the waiting pieces belong to the share"},
		{adapts, "Bisecter", "its parts are runs of pieces, because a piece cannot be bisected"},
		{hides, "EvenBisecter", "runs of pieces are not alike"},
		{passesOn, "Decider Optimiser Fallible Exchanger Redundant", "one inner share searches all pieces"},
		{passesOn, "Settler Counted Levelled", "they are about the current piece; fewer counted nodes than there are do no harm"},
		{passesOn, "Transferring", "the last piece of an Expand is sufficient for an estimate"},
	}},
	{"AcceptParts", func() search.Work { return lb.AcceptParts(newAble()) }, []decision{
		{adapts, "Packer Sizer Subtasker", "the waiting parts belong to the share"},
		{adapts, "Redundant", "nodes on the way to a part belong to other parts"},
		{hides, "Bisecter EvenBisecter", "the share holds parts already"},
		{passesOn, "Decider Optimiser Fallible Exchanger", "one inner share searches all parts"},
		{passesOn, "Settler Counted Levelled", "they are about the current part; fewer counted nodes than there are do no harm"},
		{passesOn, "Transferring", "the last part of an Expand is sufficient for an estimate"},
	}},
	{"pace.Share", func() search.Work { return pace.NewShare(newAble(), nil) }, []decision{
		{adapts, "Bisecter", "the nodes on the way to a part take their time"},
		{passesOn, "Subtasker", "the driver waits for these nodes at the end of the step"},
		{passesOn, "Decider Optimiser EvenBisecter Packer Settler Sizer Fallible Transferring Exchanger Counted Levelled Redundant", "no node is expanded"},
	}},
	{"WrapRefusing", func() search.Work { return sim.Faults{RefuseOneIn: 2}.WrapRefusing(newAble(), 1, 0) }, []decision{
		{passesOn, "Decider Optimiser Subtasker Bisecter EvenBisecter Packer Settler Sizer Fallible Transferring Exchanger Counted Levelled Redundant", "only Split is different"},
	}},
}

// Each wrapper adapts, passes on or hides each capability of a share, as the table says. No capability
// is missing.
func TestWrapperDecisions(t *testing.T) {
	names := slices.Sorted(maps.Keys(capabilities))
	if all := slices.Sorted(slices.Values(append(slices.Clone(names), others...))); !slices.Equal(all, exportedInterfaces(t)) {
		t.Errorf("the interfaces of package search are %v: expected %v; a new capability needs a decision for each wrapper", exportedInterfaces(t), all)
	}
	for _, c := range wrappers {
		expected := map[string]string{}
		for _, d := range c.decisions {
			for _, name := range strings.Fields(d.capabilities) {
				if expected[name] != "" {
					t.Errorf("%s: there are two decisions about %s", c.name, name)
				}
				expected[name] = d.does
			}
		}
		for _, name := range names {
			if got := observe(c.wrap(), capabilities[name]); got != expected[name] {
				t.Errorf("%s %s %s, expected: %q", c.name, got, name, expected[name])
			}
		}
	}
}

// A damaged share has no capability that its shares lack.
func TestDamagedClaimsNothing(t *testing.T) {
	poor := func() search.Work { return bare{newAble()} }
	for name, as := range capabilities {
		if _, ok := as(search.NewDamaged(poor(), 0.2, poor)); ok {
			t.Errorf("a damaged share is a %s", name)
		}
	}
}

// observe returns what a wrapper of an able share does with a capability.
func observe(w search.Work, as func(search.Work) (any, bool)) string {
	found, ok := as(w)
	if _, inner := found.(*able); ok && inner {
		return passesOn
	} else if ok {
		return adapts
	}
	return hides
}

// exportedInterfaces returns the names of the exported interfaces of package search.
func exportedInterfaces(t *testing.T) (names []string) {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if s, ok := n.(*ast.TypeSpec); ok && s.Name.IsExported() {
				if _, ok := s.Type.(*ast.InterfaceType); ok {
					names = append(names, s.Name.Name)
				}
			}
			return true
		})
	}
	slices.Sort(names)
	return names
}
