package drat

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"treesplit/internal/fileio"
)

// Whatever the bytes, the parser ends without a panic, and what it could read comes
// out the same when written and read again, in both formats.
func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"", "c\n1 -2 0\nd 1 -2 0\n0\n", "a\x02\x05\x00d\x02\x05\x00a\x00", "d 1\x00", "1 2", "a\xff\xff\xff\xff\xff\x00",
		"2147483647 0", "-2147483648 0", "d1 0", gzipped("1 0"), zstded("1 0"), "\x1f\x8b", "\x28\xb5\x2f\xfd", "\xfd7zXZ\x00", "BZh9", "\xef\xbb\xbf1 0",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		plain, err := fileio.NewTextReader(bytes.NewReader(data), maxProof)
		if err != nil {
			return
		}
		defer plain.Close()
		steps, _, err := parse(plain)
		if err != nil {
			if msg := err.Error(); strings.Contains(msg, "\n") || len(msg) > 200 {
				t.Errorf("error %q", msg)
			}
			return
		}
		for _, p := range []string{text(steps), binary(steps)} {
			again, _, err := parse(strings.NewReader(p))
			if err != nil || len(again) != len(steps) {
				t.Fatalf("%v: %v, %v", steps, again, err)
			}
			for i := range again {
				if again[i].deletion != steps[i].deletion || !slices.Equal(again[i].clause, steps[i].clause) {
					t.Fatalf("step %d: %v, not %v", i+1, again[i], steps[i])
				}
			}
		}
	})
}

// The checker agrees with the reference on what the bytes say: a formula and a proof
// of at most 7 variables, a byte a literal.
func FuzzCheck(f *testing.F) {
	f.Add([]byte{1, 2, 0, 1, 10, 0, 9, 2, 0, 9, 10, 0}, []byte{1, 0, 0})
	f.Add([]byte{1, 2, 0, 9, 2, 0}, []byte{128, 1, 2, 0, 2, 1, 0, 3, 0, 9, 0, 128, 9, 0, 2, 1, 0})
	f.Fuzz(func(t *testing.T, clauses, proof []byte) {
		if len(clauses)+len(proof) > 300 {
			return
		}
		var formula [][]int32
		for _, s := range decode(clauses) {
			formula = append(formula, s.clause)
		}
		r := agree(t, formula, decode(proof))
		if r.Verified && satisfiable(formula, 7) {
			t.Fatalf("verified, but satisfiable: %v", formula)
		}
	})
}

// decode reads steps: 1 to 7 and 9 to 15 are variables and their negations, 0 and 8
// end a clause, from 128 on it is deleted.
func decode(data []byte) (steps []step) {
	var s step
	for _, b := range data {
		l := int32(b & 7)
		s.deletion = s.deletion || b >= 128
		switch {
		case l == 0:
			steps = append(steps, s)
			s = step{}
		case b&8 != 0:
			s.clause = append(s.clause, -l)
		default:
			s.clause = append(s.clause, l)
		}
	}
	return steps
}
