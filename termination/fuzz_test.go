package termination

import (
	"bytes"
	"testing"
)

// FuzzFraction: bytes that are read as a sum of credits are written unchanged, and the sum can
// be added to.
func FuzzFraction(f *testing.F) {
	var sum Fraction
	for _, e := range []int64{1, 2, 70, 200} {
		sum.AddCredit(e)
	}
	data, err := sum.MarshalBinary()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add(data[:8])
	f.Add(bytes.Repeat([]byte{0xff}, 24))
	f.Fuzz(func(t *testing.T, data []byte) {
		var g Fraction
		if g.UnmarshalBinary(data) != nil {
			return
		}
		if again, err := g.MarshalBinary(); err != nil || !bytes.Equal(again, data) {
			t.Fatalf("%x is written as %x, %v", data, again, err)
		}
		g.AddFraction(&sum)
		g.AddCredit(5)
		_, _ = g.IsExactlyOne(), g.String()
	})
}
