package termination

import (
	"encoding/binary"
	"math/big"
	"reflect"
	"testing"

	"pgregory.net/rapid"
)

// Fraction agrees with exact rational arithmetic on random sums.
func TestFractionIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var f, g Fraction
		want := new(big.Rat)
		for i, e := range rapid.SliceOfN(rapid.Int64Range(0, 300), 0, 60).Draw(t, "exponents") {
			to := &f
			if i%2 == 1 {
				to = &g
			}
			to.AddCredit(e)
			want.Add(want, new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Lsh(big.NewInt(1), uint(e))))
		}
		data, err := g.MarshalBinary()
		var h Fraction
		if err != nil || h.UnmarshalBinary(data) != nil {
			t.Fatal("the round trip through MarshalBinary changed the sum")
		}
		f.AddFraction(&h)
		got := new(big.Rat).SetInt64(f.whole)
		for i, w := range f.words {
			part := new(big.Rat).SetFrac(new(big.Int).SetUint64(w), new(big.Int).Lsh(big.NewInt(1), uint(64*(i+1))))
			got.Add(got, part)
		}
		if got.Cmp(want) != 0 {
			t.Fatalf("%v, want %v", got, want)
		}
		if one := want.Cmp(big.NewRat(1, 1)) == 0; f.IsExactlyOne() != one {
			t.Fatalf("IsExactlyOne() = %v, the sum is %v", f.IsExactlyOne(), want)
		}
	})
}

// A credit that was halved ten thousand times still adds up to 1, and a single missing last
// part is detected.
func TestFractionSeesALostCrumb(t *testing.T) {
	var f Fraction
	for e := int64(1); e <= 10000; e++ {
		f.AddCredit(e)
	}
	if f.IsExactlyOne() || f.String() != "nearly 1" {
		t.Errorf("the sum without the last part is %v", &f)
	}
	f.AddCredit(10000)
	if !f.IsExactlyOne() {
		t.Errorf("the sum of all parts is %v", &f)
	}
}

func TestFractionRefusesNonsense(t *testing.T) {
	var f Fraction
	for _, e := range []int64{-1, MaxExponent + 1, 1 << 62} {
		f.AddCredit(e)
	}
	if f.whole != 0 || len(f.words) != 0 {
		t.Errorf("exponents out of range changed the sum to %v", &f)
	}
	word := func(index uint32, places uint64) []byte {
		return binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint32(nil, index), places)
	}
	for _, words := range [][]byte{{1}, word(0, 0), word(MaxExponent/64, 1), append(word(3, 1), word(3, 1)...), append(word(3, 1), word(2, 1)...)} {
		if data := append(make([]byte, 8), words...); f.UnmarshalBinary(data) == nil {
			t.Errorf("UnmarshalBinary accepts %x", data)
		}
	}
	for _, data := range [][]byte{nil, {1}} {
		if f.UnmarshalBinary(data) == nil {
			t.Errorf("UnmarshalBinary accepts %d bytes", len(data))
		}
	}
}

// A sum of few small credits has few bytes, although it has many binary places.
func TestSmallCreditsAreShort(t *testing.T) {
	var f, g Fraction
	f.AddCredit(1 << 20)
	f.AddCredit(1<<20 - 1)
	data, err := f.MarshalBinary()
	if err != nil || len(data) > 8+3*placeBytes {
		t.Errorf("two credits have %d bytes, %v", len(data), err)
	}
	if err := g.UnmarshalBinary(data); err != nil || !reflect.DeepEqual(f, g) {
		t.Errorf("the sum changed: %v", err)
	}
}
