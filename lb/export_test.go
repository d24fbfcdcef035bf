package lb

import "treesplit/search"

// NewDealt wraps a share as a static start does, with the parts from, …, to−1 of 2^k.
func NewDealt(w search.Work, k int, seed, from, to uint64) *dealt {
	d := newDealt(w, nil)
	if from < to {
		d.assignRange(order{k: k, seed: seed}, from, to)
	}
	return d
}

// Redundant returns the number of redundant nodes of a dealt share.
func Redundant(w search.Work) int64 { return w.(*dealt).redundant }
