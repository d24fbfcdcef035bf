package histogram_test

import (
	"encoding/json"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"treesplit/internal/histogram"
)

// numbers draws numbers of every size.
var numbers = rapid.SliceOf(rapid.Map(rapid.Uint64(), func(v uint64) int64 { return int64(v >> (1 + v%63)) }))

// The numbers of a histogram agree with all the numbers that it has counted. Two merged
// histograms equal the histogram of both.
func TestAgainstAllNumbers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := numbers.Draw(t, "a"), numbers.Draw(t, "b")
		var both, left, right histogram.Histogram
		for _, v := range a {
			left.AddNumber(v)
			both.AddNumber(v)
		}
		for _, v := range b {
			right.AddNumber(v)
			both.AddNumber(v)
		}
		if left.MergeFrom(&right); left != both {
			t.Fatalf("merged %v, added %v", left, both)
		}
		all := slices.Concat(a, b)
		if len(all) == 0 {
			return
		}
		if both.Count != int64(len(all)) || both.Min != slices.Min(all) || both.Max != slices.Max(all) {
			t.Fatalf("%v of %v", both, all)
		}
		for i, n := range both.Buckets {
			from, below := histogram.BucketBounds(i)
			want := int64(0)
			for _, v := range all {
				if v >= from && (v < below || below == math.MaxInt64) {
					want++
				}
			}
			if n != want {
				t.Fatalf("bucket %d (%d to %d) holds %d numbers, want %d", i, from, below, n, want)
			}
		}
	})
}

// A histogram comes back from its JSON as it was.
func TestJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var h, back histogram.Histogram
		for _, v := range numbers.Draw(t, "numbers") {
			h.AddNumber(v)
		}
		data, err := json.Marshal(h)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(data, &back); err != nil || back != h {
			t.Fatalf("%s: %v, %v, want %v", data, err, back, h)
		}
	})
	for _, bad := range []string{
		`{"count":1,"buckets":[]}`,
		`{"count":1,"buckets":[{"from":3,"count":1}]}`,
		`{"count":-1,"buckets":[{"from":4,"count":-1}]}`,
	} {
		if err := json.Unmarshal([]byte(bad), new(histogram.Histogram)); err == nil {
			t.Errorf("%s was taken", bad)
		}
	}
}

// The sum does not overflow.
func TestLargeSum(t *testing.T) {
	var h histogram.Histogram
	h.AddNumber(math.MaxInt64)
	h.AddNumber(5)
	if h.Sum != math.MaxInt64 || h.Buckets[63] != 1 || h.Buckets[3] != 1 {
		t.Errorf("%v", h)
	}
}
