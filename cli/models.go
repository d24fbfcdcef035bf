package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"math/big"

	"treesplit/cli/internal/units"
	"treesplit/run/workloads"
)

// exactCount is a number of any size. In JSON it is a number up to 2^53, the limit up to which
// every reader of JSON is exact, and a string of decimal digits beyond.
type exactCount struct{ *big.Int }

var exactJSON = big.NewInt(1 << 53)

// MarshalJSON writes the number, or the string.
func (c exactCount) MarshalJSON() ([]byte, error) {
	if c.Cmp(exactJSON) <= 0 {
		return []byte(c.String()), nil
	}
	return json.Marshal(c.String())
}

// takeModels stores the number of models of a run with --all.
func (s *satResult) takeModels(found workloads.Decided) {
	s.counted = "models"
	if found.Input.DNF {
		s.counted = "assignments that make the disjunctive normal form false"
	}
	switch {
	case found.Models == nil:
	case isStoppedEarly(s.Why):
		s.ModelsAtLeast = &exactCount{found.Models}
	default:
		s.Models = &exactCount{found.Models}
	}
}

// printModels prints the number of models twice: as text, and in the format of the Model Counting
// Competitions.
func (s *satResult) printModels(out io.Writer) {
	if n := s.ModelsAtLeast; n != nil {
		fmt.Fprintf(out, "c at least %v %s, in %s leaves: the search was stopped (%s)\n", n, s.counted, units.Count(s.Solutions), s.Reason)
	}
	if n := s.Models; n != nil {
		fmt.Fprintf(out, "c %v %s, in %s leaves\nc s type mc\nc s exact arb int %v\n", n, s.counted, units.Count(s.Solutions), n)
	}
}
