package run_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"treesplit/lb"
	"treesplit/run"
)

// A depth of subtasks that is too large for the schemes is refused.
func TestPlanBoundsCutoff(t *testing.T) {
	p := run.DefaultPlan(2)
	for _, depth := range []int{0, 1, lb.MaxCutoff} {
		if p.Splitting.Cutoff = depth; p.Check() != nil {
			t.Errorf("depth %d: %v", depth, p.Check())
		}
	}
	for _, depth := range []int{-1, lb.MaxCutoff + 1, math.MaxInt} {
		p.Splitting.Cutoff = depth
		if err := p.Check(); !errors.As(err, new(run.InputError)) || !strings.Contains(err.Error(), "--cutoff: ") {
			t.Errorf("depth %d: %v", depth, err)
		}
	}
}
