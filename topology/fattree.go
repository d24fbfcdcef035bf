package topology

// FatTree is a tree of switches whose leaves are the ranks. Its links widen towards the root,
// so that the root is no bottleneck (Leiserson 1985). A switch has fatArity children; the last
// switch of a level may have fewer.
//
// The network is indirect: a message goes up to the lowest common switch and down again, and
// no two ranks are one hop apart.
type FatTree struct{ P int }

// fatArity is the number of children of a switch: 4, as in the data network of the CM-5.
const fatArity = 4

// Name returns "fattree".
func (FatTree) Name() string { return "fattree" }

// Size returns P.
func (f FatTree) Size() int { return f.P }

// Neighbours appends the ranks whose numbers differ from rank in one digit to the base
// fatArity, the nearest first. If it returned only the ranks of the same switch, work could
// never leave that switch under NN.
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

// Distance returns twice the height of the lowest common switch.
func (FatTree) Distance(a, b int) (hops int) {
	for ; a != b; hops += 2 {
		a /= fatArity
		b /= fatArity
	}
	return hops
}
