// Package splitmix holds SplitMix64: a bijection of 64-bit words that passes for random, and the
// generator that is made of it (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number
// Generators", OOPSLA 2014). Everything that is drawn from a seed by hashing uses it, so that its
// values must never change.
package splitmix

// Golden is an odd number without a pattern, 2^64 over the golden ratio: the step from one state
// of the generator to the next.
const Golden = 0x9e3779b97f4a7c15

// Mix is the generator's output in state z: a bijection after which every bit depends on all bits.
func Mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// Next is the generator's output after state x, whose next state is x + Golden. As a hash it
// differs from Mix in that 0 does not become 0.
func Next(x uint64) uint64 { return Mix(x + Golden) }
