package model

import "testing"

// FuzzDivisibleAccept: an accepted piece gives the number of nodes that it encodes, and is
// packed unchanged.
func FuzzDivisibleAccept(f *testing.F) {
	s := Splitting{Alpha: 0.2, Seed: 3}
	f.Add(New(1000, s).Pack(nil))
	f.Add(make([]byte, 16))
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0, 0})
	f.Fuzz(func(t *testing.T, piece []byte) {
		d := New(0, s)
		if err := d.Accept(piece); err != nil {
			if !d.Empty() {
				t.Fatalf("the share is not empty after it has refused a piece (%v)", err)
			}
			return
		}
		nodes := NodesInPiece(piece)
		given, ok := d.Split(nil)
		if ok && NodesInPiece(given) <= 0 {
			t.Fatalf("gave %d nodes", NodesInPiece(given))
		}
		kept := NodesInPiece(d.Pack(nil))
		if ok {
			kept += NodesInPiece(given)
		}
		if kept != nodes || nodes <= 0 {
			t.Fatalf("%d nodes became %d", nodes, kept)
		}
	})
}
