package uts

import (
	"crypto/sha1"
	"encoding/binary"
)

// state is the random state of a node: the five words h0..h4 of a SHA-1 digest. The
// benchmark speaks of it as the 20 bytes of these words in big-endian order.
type state [5]uint32

// randomValue is the node's random value v, 0 ≤ v < 2^31. Reading it changes nothing.
func (s *state) randomValue() uint32 { return s[4] & (1<<31 - 1) }

// encodeBytes returns the state as the benchmark writes it.
func (s *state) encodeBytes() (b [sha1.Size]byte) {
	for i, w := range s {
		binary.BigEndian.PutUint32(b[4*i:], w)
	}
	return b
}

// decodeBytes is the inverse of encodeBytes.
func (s *state) decodeBytes(b *[sha1.Size]byte) {
	for i := range s {
		s[i] = binary.BigEndian.Uint32(b[4*i:])
	}
}

// rootState is the hash of 16 zero bytes and the seed.
func rootState(seed uint32) (s state) {
	var message [20]byte
	binary.BigEndian.PutUint32(message[16:], seed)
	digest := sha1.Sum(message[:])
	s.decodeBytes(&digest)
	return s
}

// spawnGeneric computes the states of the len(dst) children first, first+1, … of
// parent, each the hash of the parent's state and the child's number. It works on
// every machine; spawn is what the walk uses.
func spawnGeneric(dst []state, parent *state, first uint32) {
	var message [sha1.Size + 4]byte
	*(*[sha1.Size]byte)(message[:]) = parent.encodeBytes()
	for i := range dst {
		binary.BigEndian.PutUint32(message[sha1.Size:], first+uint32(i))
		digest := sha1.Sum(message[:])
		dst[i].decodeBytes(&digest)
	}
}
