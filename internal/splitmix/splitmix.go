// Package splitmix holds SplitMix64: a bijection of 64-bit words with random-looking results, and
// the generator made of it (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number
// Generators", OOPSLA 2014). All values drawn from a seed by hashing use it, so its results must
// never change.
package splitmix

// Golden is an odd number without a pattern, 2^64 over the golden ratio: the step from one state
// of the generator to the next.
const Golden = 0x9e3779b97f4a7c15

// Mix returns the generator's output in state z. It is a bijection; every bit of the result
// depends on all bits of z.
func Mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// Next returns the generator's output after state x; the next state is x + Golden. As a hash it
// differs from Mix: 0 does not become 0.
func Next(x uint64) uint64 { return Mix(x + Golden) }
