//go:build !purego

package uts

import "github.com/klauspost/cpuid/v2"

//go:generate go run ./internal/spawnasm -out spawn_amd64.s -stubs spawn_amd64.go -pkg uts

// hasSHA is set if the processor has the instructions that spawnSHA needs. It is fixed
// when the program starts; the states do not depend on it.
var hasSHA = cpuid.CPU.Supports(cpuid.SHA, cpuid.SSSE3, cpuid.SSE4)

// spawn computes the states of the len(dst) children first, first+1, … of parent.
func spawn(dst []state, parent *state, first uint32) {
	switch {
	case !hasSHA:
		spawnGeneric(dst, parent, first)
	case len(dst) > 0:
		spawnSHA((*[5]uint32)(&dst[0]), len(dst), (*[5]uint32)(parent), first)
	}
}
