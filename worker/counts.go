package worker

import (
	"fmt"
	"maps"
	"math"
)

// Counts are the counts of a share besides the number of nodes. The worker names them.
type Counts struct {
	Found        int64 // answers with a solution
	Sums, Maxima map[string]int64
}

// with returns the counts together with the counts of an answer. It changes neither, so that an
// answer can be refused. It returns an error if a sum is too large or there are too many names.
// O(names).
func (c Counts) with(a answer) (Counts, error) {
	if a.found != nil {
		c.Found++
	}
	if len(a.sums) > 0 {
		c.Sums = cloneCounters(c.Sums)
		for name, n := range a.sums {
			if c.Sums[name] > math.MaxInt64-n {
				return c, fmt.Errorf("the sum %s is larger than %d: expected an integer of 64 bits", quote(name), int64(math.MaxInt64))
			}
			c.Sums[name] += n
		}
	}
	if len(a.maxima) > 0 {
		c.Maxima = cloneCounters(c.Maxima)
		for name, n := range a.maxima {
			if known, ok := c.Maxima[name]; !ok || n > known {
				c.Maxima[name] = n
			}
		}
	}
	if n := max(len(c.Sums), len(c.Maxima)); n > MaxCounters {
		return c, fmt.Errorf("there are %d names of counters: expected at most %d", n, MaxCounters)
	}
	return c, nil
}

func cloneCounters(of map[string]int64) map[string]int64 {
	if of == nil {
		return map[string]int64{}
	}
	return maps.Clone(of)
}
