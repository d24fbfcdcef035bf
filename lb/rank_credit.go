package lb

import "treesplit/termination"

// Audit holds the credits of pieces at a rank. The root's credit is 1, and a split halves the
// credit; the sums are exact. Over all ranks, the credits recovered from finished pieces and
// the credits held by unfinished ones must add up to 1. If a piece is lost, damaged or
// searched twice, the sum is wrong.
type Audit struct {
	Recovered termination.Fraction // credit of the pieces this rank has finished
	Held      termination.Fraction // credit of the work that it still has
}

// credit is the credit of the work that a rank holds: 2^−exponent, or none.
type credit struct {
	exponent  int64
	held      bool
	recovered termination.Fraction
}

// holdPiece records that the rank holds a piece of credit 2^−e.
func (c *credit) holdPiece(e int64) { c.exponent, c.held = e, true }

// giveAwayHalf gives away half of the credit and returns the exponent of that half.
func (c *credit) giveAwayHalf() int64 {
	c.exponent++
	return c.exponent
}

// giveAwayAll gives away the whole credit and returns its exponent.
func (c *credit) giveAwayAll() int64 {
	c.held = false
	return c.exponent
}

// recoverHeld records that the work is finished and returns the exponent of its credit.
func (c *credit) recoverHeld() int64 {
	c.recovered.AddCredit(c.exponent)
	c.held = false
	return c.exponent
}

func (c *credit) auditCredit() Audit {
	var a Audit
	a.Recovered.AddFraction(&c.recovered) // a copy
	if c.held {
		a.Held.AddCredit(c.exponent)
	}
	return a
}
