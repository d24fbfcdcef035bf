package topology

import "math/bits"

// Linked is a network whose links messages share. A message follows one route, which depends on
// its two ends only. A link carries messages in one direction.
//
//   - Hypercube, Mesh, MeshR: negative-first routing (Glass and Ni, "The Turn Model for Adaptive
//     Routing", 1992): first all steps towards lower numbers, then all steps towards higher
//     numbers, both in the order of the dimensions. Such a route stays below P if the last layer is
//     incomplete; dimension-order routing does not.
//   - Ring: the shorter way; upwards if both ways are equally long.
//   - FatTree: up to the lowest common switch and down again. A switch over n ranks has n links to
//     the level above, as a k-ary n-tree (Petrini and Vanneschi 1997), so that all levels have the
//     same bandwidth. A message to rank b takes the link whose number is b mod n (d-mod-k routing;
//     Zahavi 2010). Messages to different ranks therefore never share a link downwards.
//
// Crossbar and Bus are not Linked: on a crossbar each pair of ranks has its own link, and a bus is
// a single medium.
type Linked interface {
	Topology
	// LinkCount returns a bound on the numbers of links: all are from 0 to LinkCount−1. Some
	// numbers may be unused.
	LinkCount() int
	// LinkOnRoute returns the number of a link on the route from a to b. hop is its position on
	// the route, 0 ≤ hop < Distance(a, b). O(dimensions).
	LinkOnRoute(a, b, hop int) int
}

var (
	_ Linked = Hypercube{}
	_ Linked = Mesh{}
	_ Linked = MeshR{}
	_ Linked = Ring{}
	_ Linked = FatTree{}
)

// dimensions returns ⌈log2 P⌉.
func (h Hypercube) dimensions() int { return bits.Len(uint(h.P - 1)) }

// LinkCount returns P·⌈log2 P⌉.
func (h Hypercube) LinkCount() int { return h.P * h.dimensions() }

// LinkOnRoute first clears bits of a, then sets bits.
func (h Hypercube) LinkOnRoute(a, b, hop int) int {
	at, turn := a, a&^b
	if n := bits.OnesCount(uint(turn)); hop >= n {
		at, turn, hop = a&b, b&^a, hop-n
	}
	for ; hop > 0; hop-- {
		at ^= turn & -turn
		turn &= turn - 1
	}
	return at*h.dimensions() + bits.TrailingZeros(uint(turn))
}

// LinkCount returns 4 P.
func (m Mesh) LinkCount() int { return 4 * m.P }

// LinkOnRoute goes left and up before it goes right and down.
func (m Mesh) LinkOnRoute(a, b, hop int) int { return negativeFirst(a, b, hop, 2, m.Cols) }

// LinkCount returns 2 R P.
func (m MeshR) LinkCount() int { return 2 * m.R * m.P }

// LinkOnRoute goes down along every dimension before it goes up along one.
func (m MeshR) LinkOnRoute(a, b, hop int) int { return negativeFirst(a, b, hop, m.R, m.Side) }

// negativeFirst returns the link of a mesh of r dimensions whose sides have the given length,
// except the side along the last stride. The links of a rank are numbered by dimension, and down
// before up.
func negativeFirst(a, b, hop, r, side int) int {
	at := a
	for sign := -1; sign <= 1; sign += 2 {
		x, y, stride := a, b, 1
		for d := range r {
			steps := sign * (y - x)
			if d < r-1 {
				steps = sign * (y%side - x%side)
			}
			if hop < steps {
				return (at+sign*hop*stride)*2*r + 2*d + (sign+1)/2
			}
			if steps > 0 {
				hop -= steps
				at += sign * steps * stride
			}
			x, y, stride = x/side, y/side, stride*side
		}
	}
	panic("topology: a route is shorter: expected 0 ≤ hop < Distance")
}

// LinkCount returns 2 P.
func (r Ring) LinkCount() int { return 2 * r.P }

// LinkOnRoute goes the shorter way.
func (r Ring) LinkOnRoute(a, b, hop int) int {
	up := (b - a + r.P) % r.P
	if up <= r.P-up {
		return 2*((a+hop)%r.P) + 1
	}
	return 2 * ((a - hop + r.P) % r.P)
}

// levels returns the number of levels of switches, and the number of links that go up from a
// level, counted for complete switches.
func (f FatTree) levels() (count, links int) {
	n, below := 1, 1 // ranks below a switch of the current level and of the level below
	for ; n < f.P; count++ {
		below, n = n, n*fatArity
	}
	return count, (f.P + below - 1) / below * below
}

// LinkCount returns about 2 P log4 P.
func (f FatTree) LinkCount() int {
	count, links := f.levels()
	return 2 * count * links
}

// LinkOnRoute goes up to the lowest common switch of a and b, and down to b.
func (f FatTree) LinkOnRoute(a, b, hop int) int {
	_, links := f.levels()
	hops := f.Distance(a, b)
	if 2*hop >= hops {
		return (2*(hops-1-hop)+1)*links + b
	}
	n := 1 // ranks below the link
	for range hop {
		n *= fatArity
	}
	return 2*hop*links + a - a%n + b%n
}
