package topology

import (
	"testing"

	"pgregory.net/rapid"
)

// endsOfLink returns where a link of a direct network begins and ends.
func endsOfLink(top Topology, link int) (from, to int) {
	switch m := top.(type) {
	case Hypercube:
		from = link / m.dimensions()
		return from, from ^ 1<<(link%m.dimensions())
	case Ring:
		return link / 2, (link/2 + 2*(link%2) - 1 + m.P) % m.P
	case Mesh:
		return link / 4, link/4 + []int{-1, 1, -m.Cols, m.Cols}[link%4]
	case MeshR:
		from, d := link/(2*m.R), link%(2*m.R)
		return from, from + (2*(d%2)-1)*m.strideAlong(d/2)
	}
	panic("no direct network")
}

// A route of a direct network leads from its first rank to its last, over neighbours below P, and is
// as long as the distance.
func TestRoutesOfDirectNetworks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		top := networkOf(t, 300)
		linked, ok := top.(Linked)
		if _, indirect := top.(FatTree); !ok || indirect {
			return
		}
		a, b := rapid.IntRange(0, top.Size()-1).Draw(t, "from"), rapid.IntRange(0, top.Size()-1).Draw(t, "to")
		at := a
		for hop := range top.Distance(a, b) {
			link := linked.LinkOnRoute(a, b, hop)
			if link < 0 || link >= linked.LinkCount() {
				t.Fatalf("%v: link %d of %d", top, link, linked.LinkCount())
			}
			from, to := endsOfLink(top, link)
			if from != at || to < 0 || to >= top.Size() || top.Distance(from, to) != 1 {
				t.Fatalf("%#v: the route from %d to %d is at %d and takes the link from %d to %d", top, a, b, at, from, to)
			}
			at = to
		}
		if at != b {
			t.Fatalf("%#v: the route from %d to %d ends at %d", top, a, b, at)
		}
	})
}

// In a fat tree two routes share a link upwards only within the subtree of both senders, and
// downwards only if they lead to the same rank. Each level has as many links as ranks.
func TestRoutesOfFatTree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := FatTree{P: rapid.IntRange(2, 300).Draw(t, "ranks")}
		rank := rapid.IntRange(0, f.P-1)
		a, b, c, d := rank.Draw(t, "a"), rank.Draw(t, "b"), rank.Draw(t, "c"), rank.Draw(t, "d")
		for i := range f.Distance(a, b) {
			link := f.LinkOnRoute(a, b, i)
			if link < 0 || link >= f.LinkCount() {
				t.Fatalf("link %d of %d", link, f.LinkCount())
			}
			for j := range f.Distance(c, d) {
				if link != f.LinkOnRoute(c, d, j) {
					continue
				}
				up := 2*i < f.Distance(a, b)
				n := 1 << (2 * i) // ranks below a link upwards
				switch {
				case up != (2*j < f.Distance(c, d)), up && (i != j || a/n != c/n || b%n != d%n), !up && b != d:
					t.Fatalf("P = %d: the routes from %d to %d and from %d to %d share link %d", f.P, a, b, c, d, link)
				}
			}
		}
	})
}

// The links of some routes, counted by hand.
func TestLinksByHand(t *testing.T) {
	for _, c := range []struct {
		top  Linked
		a, b int
		want []int
	}{
		{NewMesh(9), 0, 8, []int{0*4 + 1, 1*4 + 1, 2*4 + 3, 5*4 + 3}},    // right, right, down, down
		{NewMesh(9), 8, 0, []int{8 * 4, 7 * 4, 6*4 + 2, 3*4 + 2}},        // left, left, up, up
		{NewMesh(9), 6, 2, []int{6*4 + 2, 3*4 + 2, 0*4 + 1, 1*4 + 1}},    // up before right
		{Hypercube{P: 8}, 5, 2, []int{5 * 3, 4*3 + 2, 0*3 + 1}},          // 101, 100, 000, 010
		{Ring{P: 4}, 3, 1, []int{3*2 + 1, 0*2 + 1}},                      // upwards
		{FatTree{P: 16}, 1, 6, []int{1, 2*16 + 0 + 2, 3*16 + 6, 16 + 6}}, // link 2 of the 4 links of switch 0
	} {
		if n := c.top.Distance(c.a, c.b); n != len(c.want) {
			t.Fatalf("%#v: %d hops from %d to %d, want %d", c.top, n, c.a, c.b, len(c.want))
		}
		for hop, want := range c.want {
			if got := c.top.LinkOnRoute(c.a, c.b, hop); got != want {
				t.Errorf("%#v from %d to %d, hop %d: link %d, want %d", c.top, c.a, c.b, hop, got, want)
			}
		}
	}
}
