package pace

import (
	"math"
	"runtime/metrics"

	"treesplit/comm"
)

// queue measures how long goroutines of this process could run and waited for a thread. Go's scheduler
// keeps a histogram of a sample of these times.
type queue struct{ before *metrics.Float64Histogram }

// latencies is the metric of the times for which goroutines waited for a thread.
const latencies = "/sched/latencies:seconds"

// beginQueue begins a measurement.
func beginQueue() queue { return queue{readLatencies()} }

// meanWait returns the mean time since the beginning for which a goroutine that could run waited.
func (q queue) meanWait() comm.Time {
	return comm.Time(1e9 * meanSince(q.before, readLatencies()))
}

// readLatencies returns a copy of the scheduler's histogram, or nil if this version of Go has none.
func readLatencies() *metrics.Float64Histogram {
	sample := []metrics.Sample{{Name: latencies}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindFloat64Histogram {
		return nil
	}
	return sample[0].Value.Float64Histogram()
}

// meanSince returns the mean of the values that a histogram has and an earlier one lacks, with the
// middle of a bucket for its values.
func meanSince(before, after *metrics.Float64Histogram) float64 {
	if before == nil || after == nil || len(before.Counts) != len(after.Counts) {
		return 0
	}
	sum, n := 0.0, 0.0
	for i, count := range after.Counts {
		more := float64(count - before.Counts[i])
		low, high := max(after.Buckets[i], 0), after.Buckets[i+1]
		if math.IsInf(high, 1) {
			high = low
		}
		sum += more * (low + high) / 2
		n += more
	}
	if n == 0 {
		return 0
	}
	return sum / n
}
