// Package pace lets ranks on real runtimes work at the speed of given processors. A rank expands
// nodes, and then waits for the rest of the time that the nodes would have taken on the processor. To
// all other ranks it is a processor of that speed. Two cores then carry hundreds of ranks, with real
// messages, polls and detectors. Network emulators and SimGrid's SMPI inject times in the same way.
package pace

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"treesplit/comm"
)

// Rate is the speed of the emulated processors. The zero value paces no rank.
type Rate struct {
	Node   comm.Time       // the mean time of a node; 0: ranks are not paced
	Jitter float64         // a node takes Node·u, where u is drawn from 1−Jitter to 1+Jitter
	Slow   map[int]float64 // by rank: nodes take Node times this factor
	// Send and Receive are the times for which a message occupies its sender and its receiver, Poll
	// the time of a poll of a rank with work.
	Send, Receive, Poll comm.Time
}

// Limits of a Rate.
const (
	// MaxNode bounds the time of a node, because a rank answers no message during a node.
	MaxNode comm.Time = 10e9
	// MaxFactor bounds the factor of a slow rank.
	MaxFactor = 1e6
)

// IsSet reports whether ranks are paced.
func (r Rate) IsSet() bool { return r.Node != 0 }

// IsZero reports whether no field is set.
func (r Rate) IsZero() bool {
	return !r.IsSet() && r.Jitter == 0 && len(r.Slow) == 0 && r.Send == 0 && r.Receive == 0 && r.Poll == 0
}

// MeanNodeTime returns the mean time of a node on a rank that is not slow.
func (r Rate) MeanNodeTime() comm.Time { return r.Node }

// SlowestNodeTime returns the mean time of a node on the slowest rank.
func (r Rate) SlowestNodeTime() comm.Time {
	factor := 1.0
	for _, f := range r.Slow {
		factor = max(factor, f)
	}
	return comm.Time(float64(r.Node) * factor)
}

// MessageTime returns the time for which a message occupies its sender and its receiver, in all.
func (r Rate) MessageTime() comm.Time { return r.Send + r.Receive }

// NodeTime returns the mean time of a node on a rank, in nanoseconds.
func (r Rate) NodeTime(rank int) float64 {
	if factor, ok := r.Slow[rank]; ok {
		return float64(r.Node) * factor
	}
	return float64(r.Node)
}

// QuantumSize returns the number of nodes that a rank expands between two polls if a quantum
// lasts for the given time: at least one node.
func (r Rate) QuantumSize(rank int, span comm.Time) int {
	return int(min(max(float64(span)/r.NodeTime(rank), 1), 1<<24))
}

// ParseSlow reads factors of ranks: each part is RANK=FACTOR.
func ParseSlow(parts []string) (map[int]float64, error) {
	if len(parts) == 0 {
		return nil, nil
	}
	slow := make(map[int]float64)
	for _, part := range parts {
		rank, factor, err := parseFactor(part)
		if err != nil {
			return nil, err
		}
		if _, twice := slow[rank]; twice {
			return nil, fmt.Errorf("%q: rank %d has a factor already: expected one factor per rank", part, rank)
		}
		slow[rank] = factor
	}
	return slow, nil
}

// parseFactor reads RANK=FACTOR.
func parseFactor(part string) (rank int, factor float64, err error) {
	before, after, ok := strings.Cut(part, "=")
	if ok {
		rank, err = strconv.Atoi(before)
	}
	if ok && err == nil {
		factor, err = strconv.ParseFloat(after, 64)
	}
	if !ok || err != nil || rank < 0 || !isFactor(factor) {
		return 0, 0, fmt.Errorf("%q: expected RANK=FACTOR with a rank from 0 on and a factor above 0 and up to %g, such as 3=2.5", part, MaxFactor)
	}
	return rank, factor, nil
}

func isFactor(f float64) bool { return f > 0 && f <= MaxFactor && !math.IsNaN(f) }

// Check returns an error and the name of the flag that is wrong, for a run on the given number of
// ranks; see spmd.Pace.
func (r Rate) Check(ranks int) (flag string, err error) {
	for _, c := range []struct {
		ok       bool
		flag     string
		value    any
		expected string
	}{
		{r.IsSet() || r.Send == 0, "pace-send", r.Send.Duration(), "--pace with it"},
		{r.IsSet() || r.Receive == 0, "pace-receive", r.Receive.Duration(), "--pace with it"},
		{r.IsSet() || r.Poll == 0, "pace-poll", r.Poll.Duration(), "--pace with it"},
		{r.IsSet() || r.Jitter == 0, "pace-jitter", r.Jitter, "--pace with it"},
		{r.IsSet() || len(r.Slow) == 0, "pace-slow", len(r.Slow), "--pace with it"},
		{r.Node > 0 && r.Node <= MaxNode, "pace", r.Node.Duration(), fmt.Sprintf("a time of a node above 0 and up to %v", MaxNode.Duration())},
		{r.Jitter >= 0 && r.Jitter <= 1, "pace-jitter", r.Jitter, "a fraction of 0 to 1"},
		{r.Send >= 0 && r.Send <= MaxNode, "pace-send", r.Send.Duration(), fmt.Sprintf("a time of 0 to %v", MaxNode.Duration())},
		{r.Receive >= 0 && r.Receive <= MaxNode, "pace-receive", r.Receive.Duration(), fmt.Sprintf("a time of 0 to %v", MaxNode.Duration())},
		{r.Poll >= 0 && r.Poll <= MaxNode, "pace-poll", r.Poll.Duration(), fmt.Sprintf("a time of 0 to %v", MaxNode.Duration())},
	} {
		if !c.ok {
			return c.flag, fmt.Errorf("%v: expected %s", c.value, c.expected)
		}
	}
	for _, rank := range slices.Sorted(maps.Keys(r.Slow)) {
		if rank < 0 || rank >= ranks || !isFactor(r.Slow[rank]) {
			return "pace-slow", fmt.Errorf("rank %d=%g: expected a rank of 0 to %d and a factor above 0", rank, r.Slow[rank], ranks-1)
		}
	}
	return "", nil
}
