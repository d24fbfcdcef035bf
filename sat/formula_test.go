package sat

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestFormula(t *testing.T) {
	f := &Formula{Variables: 2}
	f.AddClause(1, -3)
	f.AddClause()
	clause := []int32{2}
	f.AddClause(clause...)
	clause[0] = 1
	if want := [][]int32{{1, -3}, {}, {2}}; f.Variables != 3 || f.Len() != 3 || f.LiteralCount() != 3 || !reflect.DeepEqual(clausesOf(f), want) {
		t.Errorf("%d variables, %v", f.Variables, clausesOf(f))
	}
	for range f.Clauses() {
		break // an iterator must take a no
	}
	for _, bad := range []int32{0, MaxVariables + 1, -MaxVariables - 1, -1 << 31} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("literal %d was added", bad)
				}
			}()
			f.AddClause(1, bad)
		}()
	}
	if f.Len() != 3 || f.LiteralCount() != 3 {
		t.Error("a refused clause left a trace")
	}
}

func TestWriteDIMACS(t *testing.T) {
	f := &Formula{Variables: 4, DNF: true}
	f.AddClause(1, -3)
	f.AddClause()
	var b strings.Builder
	if err := f.WriteDIMACS(&b, "a\nb\r\n"); err != nil {
		t.Fatal(err)
	}
	if want := "c a\nc b\np dnf 4 2\n-1 3 0\n0\n"; b.String() != want {
		t.Errorf("wrote %q, want %q", b.String(), want)
	}
	r, w := io.Pipe()
	r.Close()
	if err := f.WriteDIMACS(w); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("writing to a closed pipe: %v", err)
	}
}

func TestCheck(t *testing.T) {
	f := &Formula{Variables: 3}
	f.AddClause(1, -2)
	f.AddClause(-1, -2)
	for _, c := range []struct {
		model []bool
		want  string
	}{
		{[]bool{true, false, true}, ""},
		{[]bool{true, true, false}, "clause 2 of 2: [-1 -2]"},
		{[]bool{false, true, false}, "clause 1 of 2: [1 -2]"},
		{[]bool{true, false}, "the model has 2 variables, but the formula has 3"},
		{nil, "the model has 0 variables"},
	} {
		err := f.CheckModel(c.model)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %q", c.model, err, c.want)
		}
	}
	f.AddClause()
	if f.CheckModel([]bool{true, false, true}) == nil {
		t.Error("a model of the empty clause")
	}
}

func TestBinaryRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f, g := anyFormula(t), new(Formula)
		data, err := f.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		if err := g.UnmarshalBinary(data); err != nil || !same(f, g) {
			t.Fatalf("%v became %v (%v)", f, g, err)
		}
		before := *g
		for n := range data {
			if err := g.UnmarshalBinary(data[:n]); err == nil || !reflect.DeepEqual(*g, before) {
				t.Fatalf("%d of %d bytes: %v, %v", n, len(data), err, g)
			}
		}
		if g.UnmarshalBinary(append(data, 0)) == nil {
			t.Fatal("a trailing byte was accepted")
		}
	})
}

func TestUnmarshalRefuses(t *testing.T) {
	for name, data := range map[string][]byte{
		"too many variables":         {binaryVersion, 0x81, 0x80, 0x80, 0x08, 0},
		"more clauses than bytes":    {binaryVersion, 1, 0xff, 0xff, 0xff, 0x3f, 0, 0},
		"literal out of range":       {binaryVersion, 1, 1, 4, 0},
		"negation of nothing":        {binaryVersion, 1, 1, 1, 0},
		"number that overflows":      {binaryVersion, 1, 1, 255, 255, 255, 255, 255, 255, 255, 255, 255, 2, 0},
		"last clause without an end": {binaryVersion, 1, 1, 2},
	} {
		if got := allocated(func() {
			if err := new(Formula).UnmarshalBinary(data); !errors.Is(err, errBinary) {
				t.Errorf("%s: %v", name, err)
			}
		}); got > 1<<16 {
			t.Errorf("%s: %d bytes were allocated", name, got)
		}
	}
}

// FuzzUnmarshal: no data makes UnmarshalBinary panic, and what it accepts is a
// formula that can be written and read.
func FuzzUnmarshal(f *testing.F) {
	for _, formula := range []*Formula{new(Formula), php(3), {Variables: 1000, DNF: true}} {
		data, _ := formula.MarshalBinary()
		f.Add(data)
	}
	f.Add([]byte{binaryVersion, 1, 1, 4, 0})
	f.Fuzz(func(t *testing.T, data []byte) {
		formula := new(Formula)
		if formula.UnmarshalBinary(data) != nil {
			return
		}
		var text bytes.Buffer
		if err := formula.WriteDIMACS(&text); err != nil {
			t.Fatal(err)
		}
		again, err := Read(&text, "again")
		if err != nil || !same(formula, again) {
			t.Fatalf("%v became %v (%v)", formula, again, err)
		}
	})
}
