// Package histogram counts numbers that span many powers of ten, such as the sizes of
// pieces and the times that requests take, in buckets of powers of two: small enough to
// be kept by every rank, added up over ranks and printed.
package histogram

import (
	"encoding/json"
	"fmt"
	"math"
	"math/bits"
)

// Histogram counts numbers of 0 or more. Bucket 0 holds the zeros and bucket b > 0 those
// from 2^(b−1) to 2^b − 1. The zero value is empty. Add takes O(1) and does not allocate.
type Histogram struct {
	Count   int64
	Sum     int64 // of all numbers; MaxInt64 where it would be more
	Min     int64 // 0 where Count is 0
	Max     int64
	Buckets [64]int64
}

// AddNumber counts a number; one below 0 counts as 0.
func (h *Histogram) AddNumber(v int64) {
	v = max(v, 0)
	if h.Count == 0 || v < h.Min {
		h.Min = v
	}
	h.Max = max(h.Max, v)
	h.Count++
	h.Sum = saturatingSum(h.Sum, v)
	h.Buckets[bits.Len64(uint64(v))]++
}

// MergeFrom adds what another histogram has counted.
func (h *Histogram) MergeFrom(o *Histogram) {
	switch {
	case o.Count == 0:
		return
	case h.Count == 0 || o.Min < h.Min:
		h.Min = o.Min
	}
	h.Max = max(h.Max, o.Max)
	h.Count += o.Count
	h.Sum = saturatingSum(h.Sum, o.Sum)
	for b, n := range o.Buckets {
		h.Buckets[b] += n
	}
}

func saturatingSum(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

// Mean is Sum/Count, or 0 where nothing was counted.
func (h *Histogram) Mean() float64 {
	if h.Count == 0 {
		return 0
	}
	return float64(h.Sum) / float64(h.Count)
}

// BucketBounds are the least number of a bucket and the least beyond it; that of the last one
// is MaxInt64.
func BucketBounds(bucket int) (from, below int64) {
	if bucket == 0 {
		return 0, 1
	}
	from = 1 << (bucket - 1)
	if bucket == 63 {
		return from, math.MaxInt64
	}
	return from, 2 * from
}

// object is a Histogram in JSON.
type object struct {
	Count   int64    `json:"count"`
	Sum     int64    `json:"sum"`
	Min     int64    `json:"min"`
	Max     int64    `json:"max"`
	Buckets []bucket `json:"buckets"` // those that are not empty, in order
}

type bucket struct {
	From  int64 `json:"from"`  // the least number that it may hold, 0 or a power of two
	Below int64 `json:"below"` // more than the largest
	Count int64 `json:"count"`
}

// MarshalJSON writes count, sum, min, max, and the buckets that are not empty with their
// bounds.
func (h Histogram) MarshalJSON() ([]byte, error) {
	o := object{Count: h.Count, Sum: h.Sum, Min: h.Min, Max: h.Max, Buckets: []bucket{}}
	for b, n := range h.Buckets {
		if n > 0 {
			from, below := BucketBounds(b)
			o.Buckets = append(o.Buckets, bucket{from, below, n})
		}
	}
	return json.Marshal(o)
}

// UnmarshalJSON reads what MarshalJSON has written.
func (h *Histogram) UnmarshalJSON(data []byte) error {
	var o object
	if err := json.Unmarshal(data, &o); err != nil {
		return err
	}
	*h = Histogram{Count: o.Count, Sum: o.Sum, Min: o.Min, Max: o.Max}
	total := int64(0)
	for _, b := range o.Buckets {
		i := bits.Len64(uint64(b.From))
		if b.From < 0 || b.Count < 0 {
			return fmt.Errorf("a bucket from %d with %d numbers: expected 0 or more of each", b.From, b.Count)
		}
		if from, _ := BucketBounds(i); from != b.From {
			return fmt.Errorf("a bucket from %d: expected 0 or a power of two", b.From)
		}
		h.Buckets[i] += b.Count
		total = saturatingSum(total, b.Count)
	}
	if total != h.Count {
		return fmt.Errorf("buckets with %d numbers: expected %d", total, h.Count)
	}
	return nil
}
