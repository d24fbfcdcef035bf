package run

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
)

// addNamedCounts joins the counts of two shares. A sum that is too large stays at the largest
// integer; CheckSums reports it.
func (c *NamedCounts) addNamedCounts(d NamedCounts) {
	if len(d.Sums)+len(d.Maxima) == 0 {
		return
	}
	if c.Sums == nil {
		c.Sums = map[string]int64{}
	}
	if c.Maxima == nil {
		c.Maxima = map[string]int64{}
	}
	for name, n := range d.Sums {
		c.Sums[name] = addSaturating(c.Sums[name], n)
	}
	for name, n := range d.Maxima {
		if known, ok := c.Maxima[name]; !ok || n > known {
			c.Maxima[name] = n
		}
	}
}

// addSaturating adds two numbers. The result is at most the largest integer.
func addSaturating(a, b int64) int64 {
	if b > 0 && a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

// CheckSums returns an error for a sum that was too large.
func (c NamedCounts) CheckSums() error {
	for _, name := range slices.Sorted(maps.Keys(c.Sums)) {
		if c.Sums[name] == math.MaxInt64 {
			return fmt.Errorf("the sum %q of all ranks is too large: expected less than %d", name, int64(math.MaxInt64))
		}
	}
	return nil
}

// reduceNamedCounts adds the counts of all engines, on the first engine. The other engines get no
// counts. Ranks need not know the same names, so that the counts travel with their names.
func (e *engine) reduceNamedCounts(c *NamedCounts) error {
	data, err := json.Marshal(c)
	if err != nil {
		return err
	}
	all, err := e.peers.Gather(0, data)
	if err != nil {
		return err
	}
	*c = NamedCounts{}
	for rank, data := range all {
		var one NamedCounts
		if err := json.Unmarshal(data, &one); err != nil {
			return fmt.Errorf("the counts of rank %d cannot be read: %w", rank, err)
		}
		c.addNamedCounts(one)
	}
	return nil
}
