package parity

import "slices"

// Components of parities. Unit propagation on the clauses of parities finds all consequences of
// parities that are connected as a tree. So a parity with at most one variable in common with the
// other parities needs no matrix. It is removed, and then again the parities that have become
// such parities. The rest falls apart into components without common variables. Each one is a
// matrix of its own, because elimination costs the product of rows and columns.
//
// Source: T. Laitinen, T. Junttila, I. Niemelä, Classifying and Propagating Parity Constraints, CP
// 2012.

// components is the state of Components.
type components struct {
	parities []Parity
	holders  [][]int32 // by variable: the parities that have it
	left     []int32   // by variable: number of parities that have it and remain
	shared   []int32   // by parity: number of its variables that other remaining parities have; −1: removed
	queue    []int32   // parities to remove
}

// Components returns the parities of each component with cycles, as numbers in ascending order.
func Components(parities []Parity) (list [][]int32) {
	c := components{parities: parities, shared: make([]int32, len(parities))}
	c.countHolders()
	c.peel()
	for p := range parities {
		if c.shared[p] >= 0 {
			list = append(list, c.collect(int32(p)))
		}
	}
	return list
}

// countHolders fills holders, left and shared, and queues the first parities to remove.
func (c *components) countHolders() {
	for p, x := range c.parities {
		for _, v := range x.Variables {
			for int(v) >= len(c.holders) {
				c.holders = append(c.holders, nil)
			}
			c.holders[v] = append(c.holders[v], int32(p))
		}
	}
	c.left = make([]int32, len(c.holders))
	for v, h := range c.holders {
		c.left[v] = int32(len(h))
		if len(h) > 1 {
			for _, p := range h {
				c.shared[p]++
			}
		}
	}
	for p, n := range c.shared {
		if n <= 1 {
			c.queue = append(c.queue, int32(p))
		}
	}
}

// peel removes parities with at most one shared variable until there is none.
func (c *components) peel() {
	for len(c.queue) > 0 {
		p := c.queue[len(c.queue)-1]
		c.queue = c.queue[:len(c.queue)-1]
		c.shared[p] = -1
		for _, v := range c.parities[p].Variables {
			if c.left[v]--; c.left[v] == 1 {
				c.loseShared(v)
			}
		}
	}
}

// loseShared notes that only one remaining parity has variable v.
func (c *components) loseShared(v int32) {
	for _, p := range c.holders[v] {
		if c.shared[p] < 0 {
			continue
		}
		if c.shared[p]--; c.shared[p] == 1 {
			c.queue = append(c.queue, p)
		}
	}
}

// collect removes and returns the component of a parity, in ascending order.
func (c *components) collect(p int32) []int32 {
	list := []int32{p}
	c.shared[p] = -1
	for i := 0; i < len(list); i++ {
		for _, v := range c.parities[list[i]].Variables {
			for _, q := range c.holders[v] {
				if c.shared[q] >= 0 {
					c.shared[q] = -1
					list = append(list, q)
				}
			}
		}
	}
	slices.Sort(list)
	return list
}
