package topology

// FatTree is a tree of switches with the ranks as its leaves, whose links widen
// towards the root so that the root is no bottleneck (Leiserson 1985). A switch
// has fatArity children; the last one of a level may have fewer.
//
// It is an indirect network: a message goes up to the lowest common switch and
// down again, and no two ranks are one hop apart.
type FatTree struct{ P int }

// fatArity is the number of children of a switch: 4, as in the data network of
// the CM-5.
const fatArity = 4

// Name returns "fattree".
func (FatTree) Name() string { return "fattree" }

// Size returns P.
func (f FatTree) Size() int { return f.P }

// Neighbours lists the ranks whose number differs in one digit to the base of
// the arity, the nearest first: with the ranks of its own switch alone, NN would
// never let work out of the first one.
func (f FatTree) Neighbours(rank int, dst []int) []int {
	for s := 1; s < f.P; s *= fatArity {
		digit := rank / s % fatArity
		for step := 1; step < fatArity; step++ {
			other := (digit + step) % fatArity
			if n := rank + (other-digit)*s; n < f.P {
				dst = append(dst, n)
			}
		}
	}
	return dst
}

// Distance is twice the height of the lowest common switch.
func (FatTree) Distance(a, b int) (hops int) {
	for ; a != b; hops += 2 {
		a /= fatArity
		b /= fatArity
	}
	return hops
}
