package splitmix

import (
	"slices"
	"testing"
)

// The generator gives the values of the reference program, Vigna's splitmix64.c.
func TestPublishedValues(t *testing.T) {
	published := map[uint64][]uint64{
		1234567: {6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821},
		0:       {0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4, 0x06c45d188009454f, 0xf88bb8a8724c81ec},
	}
	for seed, want := range published {
		var got []uint64
		for state := seed; len(got) < len(want); state += Golden {
			got = append(got, Next(state))
		}
		if !slices.Equal(got, want) {
			t.Errorf("seed %d: %v, want %v", seed, got, want)
		}
	}
}
