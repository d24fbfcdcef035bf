//go:build !cadical || !cgo

package cadical

import (
	"errors"
	"testing"
)

// A program without the library reports how to get it.
func TestAbsent(t *testing.T) {
	if s, err := New(Options{}); s != nil || !errors.Is(err, ErrAbsent) || Available() {
		t.Errorf("%v, %v, available %v", s, err, Available())
	}
}
