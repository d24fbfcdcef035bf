package uts

import (
	"crypto/sha1"
	"encoding/binary"
	"encoding/hex"
	"math/rand/v2"
	"testing"
)

// hexState is the state written as the benchmark writes it.
func hexState(s state) string {
	b := s.encodeBytes()
	return hex.EncodeToString(b[:])
}

// child is the state of one child.
func child(s state, i uint32) state {
	var c [1]state
	spawn(c[:], &s, i)
	return c[0]
}

// Reference: states of UTS 2.1 in its SHA-1 build.
func TestStates(t *testing.T) {
	for _, c := range []struct {
		seed       uint32
		root       string
		value      uint32
		child      string
		childValue uint32
	}{
		{0, "6768033e216468247bd031a0a2d9876d79818f8f", 2038534031, "f6b4e21a6db7135e161960a04c6bd6cab35bd8d3", 861657299},
		{1, "9a8f128265e48cf2cb691b4cefccc0556d9cbd3a", 1838988602, "7e08786c12ff5c6315243e413eb8b3f8895f21a5", 157229477},
		{19, "c6988ab70cc9559ae4d6cba254e29a845a85f86b", 1518729323, "2fb3131030280c1617a81d6a49c1e29effb19645", 2142344773},
		{42, "a11dabbcec7aab309c890ab3dbc256eaeb582782", 1800939394, "7407806c9e18f6e1d4d944809de9c0c94b892757", 1267279703},
		{559, "52ee6fc018768fa5158db077a599e2997c2c5157", 2083279191, "9aa5aa054f5c96f87d8ca6d6c61a910701ed2709", 32319241},
	} {
		root := rootState(c.seed)
		if hexState(root) != c.root || root.randomValue() != c.value {
			t.Errorf("root of seed %d: %s, value %d, want %s, %d", c.seed, hexState(root), root.randomValue(), c.root, c.value)
		}
		first := child(root, 0)
		if hexState(first) != c.child || first.randomValue() != c.childValue {
			t.Errorf("child 0 of seed %d: %s, value %d, want %s, %d", c.seed, hexState(first), first.randomValue(), c.child, c.childValue)
		}
	}
	root := rootState(0)
	for i, want := range map[uint32]string{
		1:    "5f9ce39723964a09decdaecdd937b9f50107e514",
		1999: "a03a505e038e51a4fd1b311dd32f245021e8c4e4",
	} {
		if got := hexState(child(root, i)); got != want {
			t.Errorf("child %d of seed 0: %s, want %s", i, got, want)
		}
	}
	if got, want := hexState(child(child(root, 0), 0)), "29876b6278f774391e14beb7db2947355e4d3a3b"; got != want {
		t.Errorf("child 0 of child 0 of seed 0: %s, want %s", got, want)
	}
}

// Every routine that computes states must agree with crypto/sha1 for any parent, any
// range of children and any number of them.
func TestSpawnIsSHA1(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for name, routine := range map[string]func([]state, *state, uint32){"generic": spawnGeneric, "chosen": spawn} {
		for range 5000 {
			var parent state
			for i := range parent {
				parent[i] = rng.Uint32()
			}
			first := rng.Uint32() >> rng.IntN(32)
			got := make([]state, rng.IntN(2*batch+1)+1)
			sentinel := got[len(got)-1]
			routine(got[:len(got)-1], &parent, first)
			if got[len(got)-1] != sentinel {
				t.Fatalf("%s wrote beyond %d states", name, len(got)-1)
			}
			for i := range got[:len(got)-1] {
				parentBytes := parent.encodeBytes()
				digest := sha1.Sum(binary.BigEndian.AppendUint32(parentBytes[:], first+uint32(i)))
				if got[i].encodeBytes() != digest {
					t.Fatalf("%s: child %d of %s: %s, want %x", name, first+uint32(i), hexState(parent), hexState(got[i]), digest)
				}
			}
		}
	}
}
