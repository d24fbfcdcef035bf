package run

import (
	"testing"
	"time"
)

// If nodes become slower, the calls of a sequential search get fewer nodes.
func TestNextLimitFalls(t *testing.T) {
	for limit, want := range map[int]int{64: 32, 3: 1, 1: 1} {
		if got := nextLimit(limit, func() { time.Sleep(51 * time.Millisecond) }); got != want {
			t.Errorf("after a slow call of %d nodes the next one has %d, want %d", limit, got, want)
		}
	}
}
