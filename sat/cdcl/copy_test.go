package cdcl

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"treesplit/sat/ruletest"
)

// A copy searches as the original does, and shares no memory with it.
func TestCopies(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 8))
	used := New(Options{})
	for i := range 40 {
		original := New(Options{})
		n := 20 + rng.IntN(60)
		for range 4 * n {
			original.AddClause(anyLiteral(rng, n), anyLiteral(rng, n), anyLiteral(rng, n))
		}
		original.Continue(Limit{int64(rng.IntN(50)), NoLimit})
		used.CopyFrom(original)
		if path := sharedMemory(reflect.ValueOf(used).Elem(), reflect.ValueOf(original).Elem()); path != "" {
			t.Fatalf("the copy and the original share %s", path)
		}
		compareCopies(t, i, original, used)
	}
}

// Copies of solvers with parities search as the originals do.
func TestCopiesOfMatrices(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 9))
	used, matrices := New(Options{}), int64(0)
	for i := range 40 {
		original := New(Options{Parities: AllParities})
		original.AddFormula(ruletest.ParityFormula(rng, 20+rng.IntN(40)))
		if i%2 == 0 {
			original.Prepare()
		} else {
			original.Continue(Limit{int64(rng.IntN(20)), NoLimit})
		}
		used.CopyFrom(original)
		matrices += original.Stats().Matrices
		for m := range used.matrices {
			if path := sharedMemory(reflect.ValueOf(used.matrices[m]), reflect.ValueOf(original.matrices[m])); path != "" && path != "base" {
				t.Fatalf("the matrices share %s", path)
			}
		}
		compareCopies(t, i, original, used)
	}
	if matrices == 0 {
		t.Error("no formula has a matrix")
	}
}

// compareCopies lets two equal solvers search.
func compareCopies(t *testing.T, i int, original, used *Solver) {
	t.Helper()
	a := original.Continue(Limit{100, NoLimit})
	if b := used.Continue(Limit{100, NoLimit}); a != b || used.Stats() != original.Stats() {
		t.Fatalf("formula %d: %v %+v, copy %v %+v", i, a, original.Stats(), b, used.Stats())
	}
}

func anyLiteral(rng *rand.Rand, n int) int32 {
	return int32(1+rng.IntN(n)) * int32(1-2*rng.IntN(2))
}

// sharedMemory returns the name of a field with a slice of memory that both structs have.
func sharedMemory(a, b reflect.Value) string {
	for i := range a.NumField() {
		name, x, y := a.Type().Field(i).Name, a.Field(i), b.Field(i)
		switch x.Kind() {
		case reflect.Struct:
			if inner := sharedMemory(x, y); inner != "" {
				return inner
			}
		case reflect.Slice:
			if x.Cap() > 0 && x.Pointer() == y.Pointer() {
				return name
			}
		case reflect.Map, reflect.Pointer:
			if !x.IsNil() {
				return name
			}
		}
	}
	return ""
}
