package drat

import (
	"bytes"
	"math/rand/v2"
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
		agreeBackward(t, formula, decode(proof))
		agreeTogether(t, rand.New(rand.NewPCG(uint64(len(proof)), 15)), forwardWith, unbounded, formula, text(decode(proof)))
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

// Whatever the bytes, the parser of LRAT ends without a panic, and what it could read comes out
// the same when written and read again, in both encodings.
func FuzzParseHints(f *testing.F) {
	for _, s := range []string{
		"", "c\n5 1 -2 0 1 2 0\n5 d 1 2 0\n6 0 5 -3 4 0\n", "a\x0a\x02\x05\x00\x02\x05\x00d\x02\x00a\x0c\x00\x0a\x00", "5 d 0\n",
		"5 1", "5 1 0 1", "a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x00", "576460752303423488 0 -576460752303423488 0", "5 d -1 0", "a\x0b\x00\x00",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		steps, err := parseHints(string(data))
		if err != nil {
			if msg := err.Error(); strings.Contains(msg, "\n") || len(msg) > 200 {
				t.Errorf("error %q", msg)
			}
			return
		}
		for i, p := range []string{hintText(steps), hintBinary(steps)} {
			again, err := parseHints(p)
			if err != nil || len(again) != len(steps) {
				t.Fatalf("%v: %v, %v", steps, again, err)
			}
			for k, s := range again {
				if s.deletion != steps[k].deletion || !slices.Equal(s.clause, steps[k].clause) || !slices.Equal(s.hints, steps[k].hints) || !s.deletion && s.id != steps[k].id {
					t.Fatalf("encoding %d, step %d: %v, not %v", i, k+1, s, steps[k])
				}
			}
		}
		hasHints(newParser(bytes.NewReader(data)), 3)
	})
}

// parseHints reads all steps of an LRAT proof.
func parseHints(proof string) (steps []hintStep, err error) {
	p := &hintParser{parser: newParser(strings.NewReader(proof))}
	for {
		ok, err := p.readHintStep()
		if !ok || err != nil {
			return steps, err
		}
		s := hintStep{max(p.id, 1), p.deletion, slices.Clone(p.literals), slices.Clone(p.hints)}
		steps = append(steps, s)
	}
}

// The checker of LRAT agrees with the definition on what the bytes say: a byte is a literal of the
// formula and of a lemma, then a hint; 0 and 8 end each part, from 128 on the step is a deletion.
func FuzzCheckHints(f *testing.F) {
	f.Add([]byte{1, 2, 0, 1, 10, 0, 9, 2, 0, 9, 10, 0}, []byte{1, 0, 1, 2, 0, 0, 5, 3, 4, 0})
	f.Add([]byte{1, 2, 0, 9, 2, 0}, []byte{3, 1, 0, 0, 128, 0, 1, 0, 11, 1, 0, 255, 0})
	f.Fuzz(func(t *testing.T, clauses, proof []byte) {
		if len(clauses)+len(proof) > 300 {
			return
		}
		var formula [][]int32
		for _, s := range decode(clauses) {
			formula = append(formula, s.clause)
		}
		steps := decodeHints(proof, int64(len(formula)))
		want, _ := referenceHints(formula, steps)
		if got := checkHints(t, formula, steps); got.Verified != want {
			t.Fatalf("%+v, want %v\n%v\n%s", got, want, formula, hintText(steps))
		}
		agreeTogether(t, rand.New(rand.NewPCG(uint64(len(proof)), 16)), hintsWith, unbounded, formula, hintText(steps))
		if want && satisfiable(formula, 7) {
			t.Fatalf("verified, but satisfiable: %v", formula)
		}
	})
}

// decodeHints reads pairs of parts as steps: a clause and its hints, as int8.
func decodeHints(data []byte, id int64) (steps []hintStep) {
	for len(data) > 0 {
		lemma := decode(data[:1+max(0, bytes.IndexByte(data, 0))])
		data = data[1+max(0, bytes.IndexByte(data, 0)):]
		s := hintStep{id: id}
		if len(lemma) > 0 {
			s.deletion, s.clause = lemma[0].deletion, lemma[0].clause
		}
		for len(data) > 0 && data[0] != 0 {
			h := int64(int8(data[0]))
			data = data[1:]
			if s.deletion {
				h = max(h, -h)
			}
			s.hints = append(s.hints, h)
		}
		data = data[min(1, len(data)):]
		if s.deletion {
			s.clause, s.id = nil, max(id, 1)
		} else {
			id++
			s.id = id
		}
		steps = append(steps, s)
	}
	return steps
}
