package model

import (
	"encoding/binary"
	"testing"

	"treesplit/search"
	"treesplit/search/searchtest"
)

func TestConformance(t *testing.T) {
	s := Splitting{Alpha: 0.1, Least: 2, Seed: 3}
	searchtest.Run(t,
		func() search.Work { return New(5000, s) },
		func() search.Work { return New(0, s) },
		5000)
}

// Every split gives a fraction between α and 1/2. Amounts below Least are not split.
func TestAlphaSplitting(t *testing.T) {
	for _, alpha := range []float64{0.01, 0.2, 0.5} {
		smallest, largest := 1.0, 0.0
		for seed := range uint64(2000) {
			d := New(1e6, Splitting{Alpha: alpha, Seed: seed})
			piece, ok := d.Split(nil)
			if !ok {
				t.Fatal("Split refuses enough nodes")
			}
			share := float64(binary.BigEndian.Uint64(piece)) / 1e6
			smallest, largest = min(smallest, share), max(largest, share)
		}
		if smallest < alpha-1e-6 || largest > 0.5+1e-6 || largest-smallest < 0.9*(0.5-alpha) {
			t.Errorf("α = %v: shares from %v to %v", alpha, smallest, largest)
		}
	}
	if _, ok := New(9, Splitting{Alpha: 0.1, Least: 10}).Split(nil); ok {
		t.Error("Split accepts less than Least nodes")
	}
}
