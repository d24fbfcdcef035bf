package chaos

import (
	"testing"
)

// Runs drawn from seeds are exact and come to their end.
func TestRuns(t *testing.T) {
	runs := uint64(5000)
	if testing.Short() {
		runs = 500
	}
	for seed := range runs {
		if _, err := Run(seed); err != nil {
			t.Fatalf("treesplit chaos --seed %d --runs 1: %v", seed, err)
		}
	}
}
