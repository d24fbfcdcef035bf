package commtest

import (
	"bytes"
	"fmt"
	"math"
	"slices"

	"treesplit/comm"
)

// checkBroadcast: every rank gets root's data; the data of the other ranks are ignored.
func checkBroadcast(tr comm.Transport, _ int) error {
	for root := range tr.Size() {
		for _, n := range []int{0, 1, 1000, 300_000} {
			want := pattern(n, uint64(root))
			mine := []byte("ignored")
			if tr.Rank() == root {
				mine = bytes.Clone(want)
			}
			got, err := tr.Broadcast(root, mine)
			if err != nil {
				return err
			}
			clear(mine) // the slice belongs to the caller again
			if !bytes.Equal(got, want) {
				return fmt.Errorf("a broadcast of %d bytes from rank %d returned %d different bytes", n, root, len(got))
			}
		}
	}
	return nil
}

// checkGather: only root gets the data of all ranks, in rank order. The lengths differ and may
// be zero.
func checkGather(tr comm.Transport, _ int) error {
	for root := range tr.Size() {
		for _, unit := range []int{0, 1, 100_000} {
			mine := pattern(tr.Rank()*unit, uint64(tr.Rank()))
			got, err := tr.Gather(root, mine)
			if err != nil {
				return err
			}
			clear(mine)
			if tr.Rank() != root {
				if got != nil {
					return fmt.Errorf("a gather at rank %d returned %d parts on another rank", root, len(got))
				}
				continue
			}
			if len(got) != tr.Size() {
				return fmt.Errorf("a gather returned %d parts, want %d", len(got), tr.Size())
			}
			for r, part := range got {
				if !bytes.Equal(part, pattern(r*unit, uint64(r))) {
					return fmt.Errorf("part %d of a gather, %d bytes, differs from the data sent", r, len(part))
				}
			}
		}
	}
	return nil
}

// vector returns the vector of a rank for the reductions.
func vector(rank, n int) []int64 {
	v := make([]int64, n)
	for i := range v {
		v[i] = int64((rank+1)*(i+3)) * 1_000_000_007 * int64(1-i%2*2)
	}
	return v
}

// checkReductions: sums, maxima and prefix sums equal the results of a plain loop.
func checkReductions(tr comm.Transport, _ int) error {
	for _, n := range []int{0, 1, 5, 10_000} {
		sum, below := make([]int64, n), make([]int64, n)
		most := slices.Repeat([]int64{math.MinInt64}, n)
		for r := range tr.Size() {
			for i, x := range vector(r, n) {
				if r < tr.Rank() {
					below[i] += x
				}
				sum[i] += x
				most[i] = max(most[i], x)
			}
		}
		for _, c := range []struct {
			name string
			call func([]int64) error
			want []int64
		}{{"sum", tr.Sum, sum}, {"max", tr.Max, most}, {"exclusive scan", tr.ExclusiveScan, below}} {
			got := vector(tr.Rank(), n)
			if err := c.call(got); err != nil {
				return err
			}
			if !slices.Equal(got, c.want) {
				return fmt.Errorf("%s of %d elements is wrong", c.name, n)
			}
		}
	}
	return nil
}

// checkAllToAll: part i of rank r becomes part r of rank i, and the argument is unchanged.
func checkAllToAll(tr comm.Transport, _ int) error {
	size := tr.Size()
	for _, part := range []int{0, 1, 300} {
		mine := make([]int64, part*size)
		for i := range mine {
			mine[i] = int64(tr.Rank()*1_000_000 + i)
		}
		before := slices.Clone(mine)
		got, err := tr.AllToAll(mine)
		if err != nil {
			return err
		}
		if !slices.Equal(mine, before) {
			return fmt.Errorf("all-to-all changed its argument")
		}
		want := make([]int64, 0, len(mine))
		for r := range size {
			for i := range part {
				want = append(want, int64(r*1_000_000+tr.Rank()*part+i))
			}
		}
		if !slices.Equal(got, want) {
			return fmt.Errorf("an all-to-all of %d elements per rank is wrong", part)
		}
	}
	return nil
}

// checkMixed: runs and collectives can alternate any number of times, with the drain that the
// contract requires in between.
func checkMixed(tr comm.Transport, _ int) error {
	size := tr.Size()
	for turn := range 50 {
		served := []int64{0}
		tr.Send(comm.Message{To: int32((tr.Rank() + turn) % size)})
		if err := tr.Drain(func(comm.Message) { served[0]++ }); err != nil {
			return err
		}
		if err := tr.Sum(served); err != nil {
			return err
		}
		if served[0] != int64(size) {
			return fmt.Errorf("turn %d: the drain served %d messages, want %d", turn, served[0], size)
		}
		word := fmt.Appendf(nil, "turn %d", turn)
		got, err := tr.Broadcast(turn%size, word)
		if err != nil {
			return err
		}
		if !bytes.Equal(got, word) {
			return fmt.Errorf("turn %d: broadcast returned %q", turn, got)
		}
	}
	return nil
}
