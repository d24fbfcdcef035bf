package explore

import (
	"bytes"
	"testing"
)

// FuzzAccept: what is no piece is refused and leaves the share empty; what is accepted is
// packed as it was.
func FuzzAccept(f *testing.F) {
	shape := Shape{Seed: 1, Depth: 5, Width: 3}
	w := NewToy(shape, true)
	f.Add(NewToy(shape, true).Pack(nil))
	w.Expand(3)
	f.Add(w.Pack(nil))
	f.Add(append([]byte{toyVersion}, bytes.Repeat([]byte{0xff}, toyNodeLen)...))
	f.Fuzz(func(t *testing.T, piece []byte) {
		w := NewToy(shape, false)
		if err := w.Accept(piece); err != nil {
			if !w.Empty() {
				t.Fatalf("refused (%v), and not empty", err)
			}
			return
		}
		if w.Empty() {
			t.Fatal("accepted, and empty")
		}
		if got := w.Pack(nil); !bytes.Equal(got, piece) {
			t.Fatalf("%x is packed as %x", piece, got)
		}
		if err := w.Accept(piece); err != nil {
			t.Fatal(err)
		}
		for range 20 {
			w.Expand(10)
			w.Split(nil)
		}
	})
}
