package lb

import "treesplit/termination"

// Audit is what a rank knows of the credits of pieces. The root's credit is 1, a
// split halves it, kept exactly; over all ranks, what was recovered from
// finished pieces and what is still held by unfinished ones must add up to 1.
// A piece that was lost, damaged or worked on twice spoils the sum.
type Audit struct {
	Recovered termination.Fraction // credit of the pieces this rank has finished
	Held      termination.Fraction // credit of the work it still has
}

// credit is the credit of the work that a rank holds: 2^−exponent, or none.
type credit struct {
	exponent  int64
	held      bool
	recovered termination.Fraction
}

// holdPiece begins to hold a piece of credit 2^−e.
func (c *credit) holdPiece(e int64) { c.exponent, c.held = e, true }

// giveAwayHalf gives away half of what is held and returns the exponent of that half.
func (c *credit) giveAwayHalf() int64 {
	c.exponent++
	return c.exponent
}

// giveAwayAll gives away all that is held and returns its exponent.
func (c *credit) giveAwayAll() int64 {
	c.held = false
	return c.exponent
}

// recoverHeld notes that the work held is finished and returns its exponent.
func (c *credit) recoverHeld() int64 {
	c.recovered.AddCredit(c.exponent)
	c.held = false
	return c.exponent
}

func (c *credit) auditCredit() Audit {
	a := Audit{Recovered: c.recovered}
	if c.held {
		a.Held.AddCredit(c.exponent)
	}
	return a
}
