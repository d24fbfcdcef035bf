package objects

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// Benchmark holds the parameters of a run. All ranks have the same Benchmark.
type Benchmark struct {
	Objects    int    // n, 1 to MaxObjects
	Iterations int    // of every object in a phase, at least 1
	Phases     int    // at least 1; between two phases objects are mapped again
	Work       int    // mean units of work of an object in an iteration, at least 1
	Sizes      string // how uneven objects are: one of Sizes
	Bytes      int    // of a message, MinBytes to MaxBytes
	Start      string // where objects start: one of Starts
	Seed       uint64 // of sizes and of a random start
}

// Limits of a Benchmark. An object of n sends to about n/3 others.
const (
	MaxObjects = 1 << 12
	MinBytes   = 8
	MaxBytes   = 1 << 20
	// MaxUnits bounds the units of a run at the largest size that an object may have.
	MaxUnits = 1 << 50
	// maxIterations bounds the iterations of a run, whose number is sent in 32 bits.
	maxIterations = 1 << 30
)

// Sizes are the ways to draw the work of objects. The mean is Work under all of them, or one unit
// more or less if Work is small.
var Sizes = []string{
	"front",   // the first quarter of the ring 0 to 5 times the mean, the others 0 to the mean
	"skewed",  // every eighth object, by chance, 4 to 6 times the mean, the others 0 to 6/7 of it
	"uniform", // 0 to twice the mean
	"even",    // all the same
}

// largest is the largest work of an object, as a multiple of the mean.
const largest = 6

// Starts are the maps that a run starts with.
var Starts = []string{
	"block",       // as many objects side by side on every rank, or one more
	"round-robin", // object i on rank i mod P
	"random",      // each on a rank drawn at random
}

// Validate returns an error if the benchmark cannot be run.
func (b *Benchmark) Validate() error {
	for _, c := range []struct {
		ok       bool
		value    any
		what     string
		expected string
	}{
		{b.Objects >= 1 && b.Objects <= MaxObjects, b.Objects, "objects", fmt.Sprintf("1 to %d", MaxObjects)},
		{b.Iterations >= 1 && b.Iterations <= maxIterations, b.Iterations, "iterations", fmt.Sprintf("1 to %d", maxIterations)},
		{b.Phases >= 1 && b.Phases <= maxIterations/max(b.Iterations, 1), b.Phases, "phases", fmt.Sprintf("1 or more, of %d iterations together at most", maxIterations)},
		{b.Work >= 1 && b.Work <= MaxUnits/largest/max(b.Objects*b.Iterations*b.Phases, 1), b.Work, "units of work", "1 or more, and at most 2^50 in a run"},
		{b.Bytes >= MinBytes && b.Bytes <= MaxBytes, b.Bytes, "bytes per message", fmt.Sprintf("%d to %d", MinBytes, MaxBytes)},
	} {
		if !c.ok {
			return fmt.Errorf("%v %s: expected %s", c.value, c.what, c.expected)
		}
	}
	if !slices.Contains(Sizes, b.Sizes) {
		return fmt.Errorf("sizes %q: expected one of %s", b.Sizes, strings.Join(Sizes, ", "))
	}
	if !slices.Contains(Starts, b.Start) {
		return fmt.Errorf("start %q: expected one of %s", b.Start, strings.Join(Starts, ", "))
	}
	return nil
}

// Streams of random numbers.
const (
	sizeStream = iota
	startStream
)

// drawSizes draws the units of work of every object in an iteration, at least 1 each. They
// are drawn as whole numbers, so that they are the same on every machine.
func (b *Benchmark) drawSizes() []int {
	rng := rand.New(rand.NewPCG(b.Seed, sizeStream))
	around := func(mean, of int) int { // 1 to twice the mean: of·Work/8
		return 1 + rng.IntN(max(2*mean*b.Work/of, 1))
	}
	size := make([]int, b.Objects)
	for i := range size {
		switch {
		case b.Sizes == "even":
			size[i] = b.Work
		case b.Sizes == "uniform":
			size[i] = around(1, 1)
		case b.Sizes == "front" && i < b.Objects/4:
			size[i] = around(5, 2)
		case b.Sizes == "front":
			size[i] = around(1, 2)
		case rng.IntN(8) == 0:
			size[i] = 4*b.Work + rng.IntN(2*b.Work+1)
		default:
			size[i] = around(3, 7)
		}
	}
	return size
}

// countUnits returns the units of work of a run.
func (b *Benchmark) countUnits() (total int64) {
	for _, n := range b.drawSizes() {
		total += int64(n)
	}
	return total * int64(b.Iterations) * int64(b.Phases)
}

// TotalUnits returns the number of units of work of a whole run, on all ranks. O(n) time.
func (b *Benchmark) TotalUnits() int64 { return b.countUnits() }

// initialOwners returns the map with which a run on p ranks starts.
func (b *Benchmark) initialOwners(p int) []int32 {
	rng := rand.New(rand.NewPCG(b.Seed, startStream))
	owner := make([]int32, b.Objects)
	for i := range owner {
		switch b.Start {
		case "block":
			owner[i] = int32(i * p / b.Objects)
		case "round-robin":
			owner[i] = int32(i % p)
		default:
			owner[i] = int32(rng.IntN(p))
		}
	}
	return owner
}

// partnerOffsets returns the distances round the ring from an object to its partners, in
// increasing order: 1, 3, 6, 9 and so on below n.
func (b *Benchmark) partnerOffsets() []int {
	if b.Objects < 2 {
		return nil
	}
	all := []int{1}
	for o := 3; o < b.Objects; o += 3 {
		all = append(all, o)
	}
	return all
}

// hasPartner reports whether an object sends to another.
func (b *Benchmark) hasPartner(from, to int) bool {
	o := (to - from + b.Objects) % b.Objects
	return o == 1 || o > 0 && o%3 == 0
}
