//go:build !amd64 || purego

package uts

// spawn computes the states of the len(dst) children first, first+1, … of parent.
func spawn(dst []state, parent *state, first uint32) { spawnGeneric(dst, parent, first) }
