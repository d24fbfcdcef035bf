package drat

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// step is a step of a proof.
type step struct {
	deletion bool
	clause   []int32
}

// text writes steps as a proof in text.
func text(steps []step) string {
	var b strings.Builder
	for _, s := range steps {
		if s.deletion {
			b.WriteString("d ")
		}
		for _, l := range s.clause {
			fmt.Fprintf(&b, "%d ", l)
		}
		b.WriteString("0\n")
	}
	return b.String()
}

// binary writes steps as a binary proof.
func binary(steps []step) string {
	var b bytes.Buffer
	for _, s := range steps {
		b.WriteByte("ad"[bit(s.deletion)])
		for _, l := range s.clause {
			code := 2*uint64(max(l, -l)) + uint64(bit(l < 0))
			for ; code > 127; code >>= 7 {
				b.WriteByte(byte(code) | 128)
			}
			b.WriteByte(byte(code))
		}
		b.WriteByte(0)
	}
	return b.String()
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// naive is the checker as in the definitions: sets of literals in slices, and propagation by
// passes over all clauses until nothing changes. From one step to the next it keeps only the
// clauses and the literals of the top level.
type naive struct {
	clauses [][]int32
	top     map[int32]bool // literals true at the top level, for good
	refuted bool
	report  Report
}

// closure propagates units from the literals assumed; ok is false on a conflict.
// Literals of both signs in assumed are a conflict, too.
func (n *naive) closure(assumed ...int32) (trues map[int32]bool, ok bool) {
	trues = map[int32]bool{}
	for l := range n.top {
		trues[l] = true
	}
	for _, l := range assumed {
		trues[l] = true
	}
	for l := range trues {
		if trues[-l] {
			return trues, false
		}
	}
	for changed := true; changed; {
		changed = false
	clauses:
		for _, c := range n.clauses {
			var free []int32
			for _, l := range c {
				switch {
				case trues[l]:
					continue clauses
				case !trues[-l]:
					free = append(free, l)
				}
			}
			switch len(free) {
			case 0:
				return trues, false
			case 1:
				trues[free[0]] = true
				changed = true
			}
		}
	}
	return trues, true
}

func negated(clause []int32) (out []int32) {
	for _, l := range clause {
		out = append(out, -l)
	}
	return out
}

// rup reports whether the clause is implied by unit propagation.
func (n *naive) rup(clause []int32) bool {
	_, ok := n.closure(negated(clause)...)
	return !ok
}

// rat reports whether the clause has the RAT property on its first literal.
func (n *naive) rat(clause []int32) bool {
	if len(clause) == 0 || n.top[-clause[0]] {
		return false
	}
	for _, d := range n.clauses {
		if !slices.Contains(d, -clause[0]) {
			continue
		}
		resolvent := slices.Clone(clause)
		for _, l := range d {
			if l != -clause[0] {
				resolvent = append(resolvent, l)
			}
		}
		if !n.rup(resolvent) {
			return false
		}
	}
	return true
}

func (n *naive) add(clause []int32) {
	n.clauses = append(n.clauses, unique(clause))
	var ok bool
	n.top, ok = n.closure()
	n.refuted = !ok
}

// unique returns the clause sorted and without repetitions.
func unique(clause []int32) []int32 {
	c := slices.Clone(clause)
	slices.Sort(c)
	return slices.Compact(c)
}

func (n *naive) remove(clause []int32) {
	n.report.Deletions++
	c := unique(clause)
	i := slices.IndexFunc(n.clauses, func(d []int32) bool { return slices.Equal(c, d) })
	if i < 0 {
		n.report.Missing++
		return
	}
	n.clauses = slices.Delete(n.clauses, i, i+1)
	trues := 0
	for _, l := range c {
		if n.top[l] {
			trues++
		} else if !n.top[-l] {
			return
		}
	}
	n.report.Ignored += int64(bit(trues == 1))
}

// reference checks a proof. The report has no Refusal, Line and Offset; refused
// proofs have the Step that was.
func reference(formula [][]int32, proof []step) Report {
	n := &naive{top: map[int32]bool{}}
	for _, c := range formula {
		if n.add(c); n.refuted {
			break
		}
	}
	for _, s := range proof {
		if n.refuted {
			n.report.Unused++
			continue
		}
		n.report.Step++
		if s.deletion {
			n.remove(s.clause)
			continue
		}
		n.report.Lemmas++
		n.report.Checked++
		if !n.rup(s.clause) {
			if !n.rat(s.clause) {
				return n.report
			}
			n.report.RAT++
		}
		n.add(s.clause)
	}
	n.report.Verified = n.refuted
	return n.report
}
