package comm

import (
	"slices"
	"testing"
)

// Every kind belongs to at most one group, and a message has a piece only if it also has a body.
func TestGroupsOfKinds(t *testing.T) {
	for k := range Kinds {
		piece := slices.Contains([]Kind{Grant, Deal, Move}, k)
		heartbeat := slices.Contains([]Kind{Beat, Pulse}, k)
		if k.CarriesPiece() != piece || k.IsHeartbeat() != heartbeat {
			t.Errorf("%v: CarriesPiece %v, IsHeartbeat %v, want %v and %v", k, k.CarriesPiece(), k.IsHeartbeat(), piece, heartbeat)
		}
		if with, without := (Message{Kind: k, Body: []byte{1}}), (Message{Kind: k}); with.HasPiece() != piece || without.HasPiece() {
			t.Errorf("%v: HasPiece %v with a body and %v without one, want %v and false", k, with.HasPiece(), without.HasPiece(), piece)
		}
	}
}
