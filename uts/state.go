package uts

import (
	"crypto/sha1"
	"encoding/binary"
)

// state is the random state of a node: the five words h0..h4 of a SHA-1 digest. The benchmark
// defines it as the 20 bytes of these words in big-endian order.
type state [5]uint32

// randomValue returns the node's random value v, 0 ≤ v < 2^31. It does not change the state.
func (s *state) randomValue() uint32 { return s[4] & (1<<31 - 1) }

// encodeBytes returns the state in the byte order of the benchmark.
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

// rootState returns the state of the root: the hash of 16 zero bytes and the seed.
func rootState(seed uint32) (s state) {
	var message [20]byte
	binary.BigEndian.PutUint32(message[16:], seed)
	digest := sha1.Sum(message[:])
	s.decodeBytes(&digest)
	return s
}

// spawnGeneric computes the states of the len(dst) children first, first+1, … of parent. Each is
// the hash of the parent's state and the child's number. It works on every machine. The walk
// calls spawn.
func spawnGeneric(dst []state, parent *state, first uint32) {
	var message [sha1.Size + 4]byte
	*(*[sha1.Size]byte)(message[:]) = parent.encodeBytes()
	for i := range dst {
		binary.BigEndian.PutUint32(message[sha1.Size:], first+uint32(i))
		digest := sha1.Sum(message[:])
		dst[i].decodeBytes(&digest)
	}
}
