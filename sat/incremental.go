package sat

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"
)

// Incremental CNF is a formula with cubes: the header "p inccnf" without numbers, the clauses, and
// for each cube a line that begins with a and has the literals of the cube and 0. Read accepts it if
// ReadOptions.Cubes is set. All clauses stand before the first cube.
//
// Source: the format of S. Wieringa's incremental solvers, in which march_cu writes cubes (Heule,
// Kullmann, Wieringa and Biere, Cube and Conquer, HVC 2011) and which iglucose and CaDiCaL read.

// WriteIncremental writes the formula and cubes as incremental CNF. It refuses the negation of a
// disjunctive normal form, because the format cannot express it.
func (f *Formula) WriteIncremental(w io.Writer, cubes iter.Seq[[]int32]) error {
	if f.DNF {
		return errors.New("the formula is in disjunctive normal form: expected p cnf")
	}
	b := bufio.NewWriter(w)
	b.WriteString("p inccnf\n")
	for _, clause := range f.Clauses() {
		writeLiterals(b, clause, 1)
	}
	for cube := range cubes {
		b.WriteString("a ")
		writeLiterals(b, cube, 1)
	}
	return b.Flush()
}

// beginIncremental ends the header of incremental CNF.
func (d *dimacs) beginIncremental() error {
	if d.cubes == nil {
		return fmt.Errorf("format \"inccnf\", which has cubes: %s", wantHeader)
	}
	if d.onSameLine() {
		return fmt.Errorf("found %s after the header: expected the end of the line", d.quotedToken())
	}
	d.incremental, d.relaxed = true, true // the header has no numbers
	d.noun, d.sign = "clause", 1
	return nil
}

// takeCube reads the cube after the current token.
func (d *dimacs) takeCube() error {
	if err := d.checkComplete(); err != nil {
		return err
	}
	f := d.f
	d.f, d.noun = d.cubes, "cube"
	defer func() {
		f.Variables = max(f.Variables, d.f.Variables)
		d.f, d.noun = f, "clause"
	}()
	for before := d.f.Len(); d.f.Len() == before; {
		switch err := d.nextToken(); {
		case err == io.EOF:
			return errors.New("the last cube is not ended by 0")
		case err != nil:
			return err
		}
		if err := d.takeLiteral(); err != nil {
			return err
		}
	}
	return nil
}
