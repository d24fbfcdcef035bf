// Package sat searches for a satisfying assignment of a propositional formula, or shows that
// there is none, by the Davis–Putnam procedure of the papers that treesplit reproduces. The
// search tree is a search.Work: it is expanded, split and sent to other ranks, but it does not
// depend on ranks.
//
// The terms are those of the field. A literal is a variable or its negation, written as a DIMACS
// number (3, -3). A clause is a disjunction of literals. A formula in conjunctive normal form is
// a conjunction of clauses. A model is a satisfying assignment.
package sat

import (
	"bufio"
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"
)

// Limits of a formula. They keep an invalid file from taking much more memory than its length.
// Read and Unmarshal refuse a formula beyond them.
const (
	// MaxVariables is the largest number of variables.
	MaxVariables = 1 << 24
	// MaxLiterals is the largest number of literals and of clauses, each.
	MaxLiterals = 1 << 27
)

// Formula is a formula in conjunctive normal form. The zero value is the empty formula, which
// every assignment satisfies. Clauses and literals keep their input order, because rule paper
// branches by it. Repeated and complementary literals are kept too.
type Formula struct {
	// Variables is the number of variables, 0 ≤ Variables ≤ MaxVariables. They are numbered from
	// 1. Some may occur in no clause: set Variables for these. AddClause raises Variables for the
	// variables of its clause.
	Variables int
	// DNF means that the input was a disjunctive normal form, with the question whether it is a
	// tautology, and that the clauses are its negation: each term became the clause of its
	// negated literals. Unsatisfiable then means tautology, and a model is an assignment that
	// makes the input false.
	DNF bool

	literals []int32 // all clauses, one after the other
	ends     []int32 // ends[i] is the end of clause i in literals
}

// AddClause appends a copy of a clause of literals ±1..±MaxVariables, and raises Variables to the
// largest variable in it. The clause may be empty. AddClause panics on a literal out of range or
// beyond MaxLiterals. That is an error of the caller, because Read checks its input.
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

// Len returns the number of clauses.
func (f *Formula) Len() int { return len(f.ends) }

// LiteralCount returns the number of literals in all clauses.
func (f *Formula) LiteralCount() int { return len(f.literals) }

// Clause returns the i-th clause, 0 ≤ i < Len. The slice belongs to the formula and must not be
// changed.
func (f *Formula) Clause(i int) []int32 {
	start := int32(0)
	if i > 0 {
		start = f.ends[i-1]
	}
	return f.literals[start:f.ends[i]:f.ends[i]]
}

// Clauses yields the clauses in input order. The slices belong to the formula and must not be
// changed.
func (f *Formula) Clauses() iter.Seq2[int, []int32] {
	return func(yield func(int, []int32) bool) {
		for i := range f.ends {
			if !yield(i, f.Clause(i)) {
				return
			}
		}
	}
}

// WriteDIMACS writes the formula in the format that Read reads, one clause per line, below the
// comments. A comment may have several lines. A formula that was a DNF is written as that DNF.
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
	for _, clause := range f.Clauses() {
		writeLiterals(b, clause, sign)
	}
	return b.Flush() // bufio.Writer returns its first error from Flush
}

// writeLiterals writes the literals times a sign, and the 0 that ends them.
func writeLiterals(b *bufio.Writer, literals []int32, sign int32) {
	for _, l := range literals {
		b.Write(append(strconv.AppendInt(b.AvailableBuffer(), int64(sign*l), 10), ' '))
	}
	b.WriteString("0\n")
}
