package kumar

import (
	"math"
	"time"

	"treesplit/search"
	"treesplit/study/reproduce/lab"
)

// Structure is a reading of the text of Kumar et al. in three points that the paper leaves open.
// docs/lab-notes.md has the sentences of the paper that allow each value.
type Structure struct {
	Serve  string // node, rebuild, one, all: when a busy rank answers requests (section 4)
	Split  string // bottom, half: what a donor gives (section 4)
	Refuse string // alternatives, depth: when a donor refuses (sections 4 and 6.3)
}

// String returns the three values.
func (s Structure) String() string { return s.Serve + " " + s.Split + " " + s.Refuse }

// Structures returns all structures.
func Structures() (all []Structure) {
	for _, serve := range []string{"node", "rebuild", "one", "all"} {
		for _, split := range []string{"bottom", "half"} {
			for _, refuse := range []string{"alternatives", "depth"} {
				all = append(all, Structure{serve, split, refuse})
			}
		}
	}
	return all
}

// pollShare is the cost of a poll, as a fraction of the work between two polls. RP's efficiency on 8
// ranks, where hardly any rank is idle, fixes it.
const pollShare = 0.061

// starts are the knobs that each way to serve requests starts from.
var starts = map[string]lab.Knobs{
	"node":    {UCalc: 105 * time.Microsecond, Quantum: 1},
	"rebuild": {UCalc: 120 * time.Microsecond, Quantum: 1, Rebuild: 1500 * time.Microsecond},
	"one":     {UCalc: 150 * time.Microsecond, Quantum: 16},
	"all":     {UCalc: 150 * time.Microsecond, Quantum: 16, Serve: 1 << 20},
}

// StartKnobs returns the point at which the fit of a structure starts, without instances.
func (s Structure) StartKnobs() lab.Knobs {
	k := starts[s.Serve]
	k.Receive, k.HeaderWords, k.Delay = 20*time.Microsecond, 1, 2*time.Millisecond
	k.Rule, k.MinOpen = search.Half, 5
	if s.Split == "bottom" {
		k.Rule = search.Bottom
	}
	if s.Refuse == "depth" {
		k.MinOpen, k.GiveAbove = 1, 16
	}
	return withPollShare(k)
}

// withPollShare returns the knobs with the cost of a poll that pollShare defines.
func withPollShare(k lab.Knobs) lab.Knobs {
	k.Poll = scaleTime(k.UCalc*time.Duration(k.Quantum), pollShare)
	return k
}

// scaleTime returns a multiple of a time, in whole microseconds.
func scaleTime(d time.Duration, factor float64) time.Duration {
	return time.Duration(float64(d) * factor).Round(time.Microsecond)
}

// Moves returns the knobs that a fit tries from k: each has another value of one number that the
// structure leaves open. A size of 1 is the size of a first stage; smaller sizes give smaller moves.
func (s Structure) Moves(k lab.Knobs, size float64) (all []lab.Knobs) {
	try := func(change func(n *lab.Knobs)) {
		n := k
		change(&n)
		if n = withPollShare(n); n.String() != k.String() {
			all = append(all, n)
		}
	}
	step := func(n int, factor float64, least int) int {
		return max(1, n+int(math.Copysign(max(float64(least), math.Abs(float64(n)*factor)), factor)))
	}
	for _, f := range []float64{1.25, 0.8} {
		try(func(n *lab.Knobs) { n.UCalc = scaleTime(n.UCalc, math.Pow(f, size)) })
	}
	for _, sign := range []float64{-size, size} {
		if s.Refuse == "depth" {
			try(func(n *lab.Knobs) { n.GiveAbove = max(2, n.GiveAbove+int(math.Round(3*sign))) })
		} else {
			try(func(n *lab.Knobs) { n.MinOpen = step(n.MinOpen, 0.35*sign, 1) })
		}
		factor := math.Pow(2, sign)
		switch s.Serve {
		case "one", "all":
			try(func(n *lab.Knobs) { n.Quantum = max(1, int(math.Round(float64(n.Quantum)*factor))) })
		case "rebuild":
			try(func(n *lab.Knobs) { n.Rebuild = scaleTime(n.Rebuild, math.Pow(1.6, sign)) })
		}
		try(func(n *lab.Knobs) { n.Receive = scaleTime(n.Receive, factor) })
	}
	return all
}
