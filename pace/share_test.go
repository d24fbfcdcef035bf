package pace_test

import (
	"testing"

	"treesplit/comm"
	"treesplit/internal/explore"
	"treesplit/pace"
	"treesplit/search"
	"treesplit/search/searchtest"
)

// fastClock is a clock that sleeps without waiting.
type fastClock struct{ now comm.Time }

func (c *fastClock) Now() comm.Time        { return c.now }
func (c *fastClock) Sleep(until comm.Time) { c.now = until }

// A paced share is a Work like the share within, and finds the facets of that share.
func TestShareConforms(t *testing.T) {
	shape := explore.Shape{Seed: 9, Depth: 12, Width: 4}
	c := &fastClock{}
	p := pace.New(pace.Rate{Node: 1000}, 0, 1, c, nil)
	made := func(root bool) search.Work { return pace.NewShare(explore.NewToy(shape, root), p) }
	searchtest.Run(t, func() search.Work { return made(true) }, func() search.Work { return made(false) }, int64(shape.CountNodes()))
	if c.now < comm.Time(shape.CountNodes())*1000 {
		t.Errorf("the nodes have taken %v", c.now.Duration())
	}
	if search.HasCapability[search.Packer](made(true)) != search.HasCapability[search.Packer](explore.NewToy(shape, true)) {
		t.Error("a paced share hides a facet")
	}
}

// The nodes on the way to a part take their time before Bisect returns, for example before the deals of
// a static start leave rank 0.
func TestWaysArePaced(t *testing.T) {
	shape := explore.Shape{Seed: 9, Depth: 12, Width: 4}
	c := &fastClock{}
	p := pace.New(pace.Rate{Node: 1e6}, 0, 1, c, nil)
	parts, ok := search.As[search.Bisecter](pace.NewShare(explore.NewToy(shape, false), p))
	if !ok {
		t.Fatal("a paced share is no Bisecter")
	}
	own, others := parts.Bisect(6, 0)
	if want := comm.Time(own+others) * 1e6; own+others < 2 || c.now != want {
		t.Errorf("%d nodes on the way take %v, want %v", own+others, c.now.Duration(), want.Duration())
	}
	more := parts.Expand(3)
	if want := comm.Time(own+others+more) * 1e6; more < 1 || c.now != want {
		t.Errorf("then %d nodes take until %v, want %v", more, c.now.Duration(), want.Duration())
	}
}
