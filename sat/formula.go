// Package sat searches for a satisfying assignment of a propositional formula,
// or shows that there is none, by the Davis–Putnam procedure of the papers that
// treesplit reproduces. The search tree is a search.Work: it is expanded, split
// and sent away without knowing of ranks.
//
// The names follow the field: a literal is a variable or its negation, written
// as a DIMACS number (3, -3); a clause is a disjunction of literals; a formula in
// conjunctive normal form is a conjunction of clauses. A model is a satisfying
// assignment.
package sat

import (
	"bufio"
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"
)

// Limits of a formula. They keep a hostile file from asking for memory that its
// length does not pay for; a formula beyond them is refused by Read and Unmarshal.
const (
	// MaxVariables is the largest number of variables.
	MaxVariables = 1 << 24
	// MaxLiterals is the largest number of literals and of clauses, each.
	MaxLiterals = 1 << 27
)

// Formula is a formula in conjunctive normal form. The zero value is the empty
// formula, which every assignment satisfies. Clauses keep their input order and
// literals theirs, because rule paper branches by it; repeated and complementary
// literals are kept too.
type Formula struct {
	// Variables is the number of variables, 0 ≤ Variables ≤ MaxVariables. They are
	// numbered from 1; some may not occur in any clause. Set it for those that do
	// not: Add raises it for those that do.
	Variables int
	// DNF says that the input was a disjunctive normal form, the question being
	// whether it is a tautology, and that the clauses are its negation: each term
	// became the clause of its negated literals. Unsatisfiable then means
	// tautology, and a model is an assignment that makes the input false.
	DNF bool

	literals []int32 // all clauses end to end
	ends     []int32 // ends[i] is where clause i ends in literals
}

// AddClause appends a clause of literals ±1..±MaxVariables, which it copies, and raises
// Variables to the largest variable named. The clause may be empty. Add panics on
// a literal outside of the range or beyond MaxLiterals: that is the caller's
// error, since Read checks its input.
func (f *Formula) AddClause(clause ...int32) {
	if len(f.literals)+len(clause) > MaxLiterals || len(f.ends) == MaxLiterals {
		panic("sat: formula too large")
	}
	for _, l := range clause {
		v := int(max(l, -l))
		if v <= 0 || v > MaxVariables {
			panic("sat: literal " + strconv.Itoa(int(l)) + " out of range")
		}
		f.Variables = max(f.Variables, v)
	}
	f.literals = append(f.literals, clause...)
	f.ends = append(f.ends, int32(len(f.literals)))
}

// Len is the number of clauses.
func (f *Formula) Len() int { return len(f.ends) }

// LiteralCount is the number of literals of all clauses together.
func (f *Formula) LiteralCount() int { return len(f.literals) }

// Clause returns the i-th clause, 0 ≤ i < Len. The slice is the formula's and must
// not be changed.
func (f *Formula) Clause(i int) []int32 {
	start := int32(0)
	if i > 0 {
		start = f.ends[i-1]
	}
	return f.literals[start:f.ends[i]:f.ends[i]]
}

// Clauses goes through the clauses in input order. The slices are the formula's and
// must not be changed.
func (f *Formula) Clauses() iter.Seq2[int, []int32] {
	return func(yield func(int, []int32) bool) {
		for i := range f.ends {
			if !yield(i, f.Clause(i)) {
				return
			}
		}
	}
}

// WriteDIMACS writes the formula in the format that Read reads, a clause a line,
// below the comments, each of which may hold several lines. A DNF is written as
// the DNF that it was.
func (f *Formula) WriteDIMACS(w io.Writer, comments ...string) error {
	b := bufio.NewWriter(w)
	for _, comment := range comments {
		for line := range strings.Lines(comment) {
			fmt.Fprintf(b, "c %s\n", strings.TrimRight(line, "\r\n"))
		}
	}
	format, sign := "cnf", int32(1)
	if f.DNF {
		format, sign = "dnf", -1
	}
	fmt.Fprintf(b, "p %s %d %d\n", format, f.Variables, f.Len())
	var number []byte
	for _, clause := range f.Clauses() {
		for _, l := range clause {
			number = strconv.AppendInt(number[:0], int64(sign*l), 10)
			b.Write(append(number, ' '))
		}
		b.WriteString("0\n")
	}
	return b.Flush() // bufio.Writer keeps the first error for its Flush
}
