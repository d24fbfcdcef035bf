package spmd

import "encoding/binary"

// MaxCounts is the largest number of counts of a rank (Config.Counts).
const MaxCounts = 4

// watched are the counts of a rank that a user watches. Equal counts are equal values.
type watched struct {
	n      int // 0 to MaxCounts
	values [MaxCounts]int64
}

// makeWatched returns the given counts.
func makeWatched(values []int64) (c watched) {
	c.n = copy(c.values[:], values)
	return c
}

// addCounts adds the counts of another rank.
func (c *watched) addCounts(d watched) {
	c.n = max(c.n, d.n)
	for i, v := range d.values {
		c.values[i] += v
	}
}

// list returns the counts, or nil if there are none.
func (c *watched) list() []int64 {
	if c.n == 0 {
		return nil
	}
	return append([]int64(nil), c.values[:c.n]...)
}

// appendTo appends the number of counts and the counts.
func (c *watched) appendTo(dst []byte) []byte {
	dst = append(dst, byte(c.n))
	for _, v := range c.values[:c.n] {
		dst = binary.BigEndian.AppendUint64(dst, uint64(v))
	}
	return dst
}

// decodeCounts reads what appendTo has written. ok is false if the data is too short or has too many
// counts.
func decodeCounts(data []byte) (c watched, rest []byte, ok bool) {
	c.n, data = int(data[0]), data[1:]
	if c.n > MaxCounts || len(data) < 8*c.n {
		return watched{}, nil, false
	}
	for i := range c.values[:c.n] {
		c.values[i] = int64(binary.BigEndian.Uint64(data[8*i:]))
	}
	return c, data[8*c.n:], true
}
