//go:build !mpi

package mpi

import (
	"strings"
	"testing"
)

// A program without MPI returns an error that describes how to build one with MPI.
func TestStubNamesRemedy(t *testing.T) {
	if _, err := Init(); Built || err == nil || !strings.Contains(err.Error(), "go build -tags mpi") {
		t.Errorf("Built = %v, Init: %v", Built, err)
	}
}
