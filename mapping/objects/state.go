package objects

import (
	"encoding/binary"
	"math/bits"

	"treesplit/internal/splitmix"
)

// What objects compute: nothing of use, but so that every unit of work and every byte of
// every message counts for the result. All of it is on 64-bit words.

// rounds is how many steps of splitmix.Next a unit of work is: about 0.2 µs.
const rounds = 64

// computeUnit computes a unit of work, each round of which needs the one before.
func computeUnit(x uint64) uint64 {
	for range rounds {
		x = splitmix.Next(x)
	}
	return x
}

// initialState is the state that an object is made with.
func initialState(seed uint64, object int) uint64 {
	return splitmix.Next(splitmix.Next(seed) + uint64(object))
}

// fillMessage fills a message from an object in a state to another.
func fillMessage(body []byte, state uint64, to int) {
	v := splitmix.Next(state ^ uint64(to))
	for len(body) >= 8 {
		binary.LittleEndian.PutUint64(body, v)
		body, v = body[8:], bits.RotateLeft64(v, 23)+splitmix.Golden
	}
	for i := range body {
		body[i] = byte(v >> (8 * i))
	}
}

// digestMessage is what a message from an object adds to what its receiver takes in. Messages may
// be taken in in any order, which their sum does not tell.
func digestMessage(body []byte, from int) uint64 {
	h := uint64(from)
	for len(body) >= 8 {
		h = bits.RotateLeft64(h, 29)*splitmix.Golden + binary.LittleEndian.Uint64(body)
		body = body[8:]
	}
	for _, c := range body {
		h = h*splitmix.Golden + uint64(c)
	}
	return splitmix.Next(h)
}

// absorbMessages is the state after what all messages of an iteration add up to is taken in.
func absorbMessages(state, messages uint64) uint64 { return splitmix.Next(state ^ messages) }

// checksumStates is one number for the states of all objects, in the order of the objects.
func checksumStates(states []uint64) (sum uint64) {
	for _, s := range states {
		sum = splitmix.Next(sum ^ s)
	}
	return sum
}
