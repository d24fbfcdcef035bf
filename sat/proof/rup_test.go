package proof_test

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"treesplit/sat"
)

// line is a line of a proof: a lemma, or the deletion of one.
type line struct {
	deletion bool
	clause   []int32
}

// parseText reads a proof in text as the format is defined.
func parseText(text []byte) (lines []line, err error) {
	for in := bufio.NewScanner(bytes.NewReader(text)); in.Scan(); {
		words := strings.Split(in.Text(), " ")
		var l line
		if words[0] == "d" {
			l.deletion, words = true, words[1:]
		}
		if words[len(words)-1] != "0" {
			return nil, fmt.Errorf("line %q does not end with 0", in.Text())
		}
		for _, w := range words[:len(words)-1] {
			x, err := strconv.ParseInt(w, 10, 32)
			if err != nil || x == 0 {
				return nil, fmt.Errorf("line %q: %v", in.Text(), err)
			}
			l.clause = append(l.clause, int32(x))
		}
		lines = append(lines, l)
	}
	return lines, nil
}

// parseBinary reads a binary proof as the format is defined.
func parseBinary(data []byte) (lines []line, err error) {
	for len(data) > 0 {
		if data[0] != 'a' && data[0] != 'd' {
			return nil, fmt.Errorf("a line begins with %q", data[0])
		}
		l := line{deletion: data[0] == 'd'}
		for data = data[1:]; ; {
			v, n := binary.Uvarint(data)
			if n <= 0 {
				return nil, fmt.Errorf("a number is cut short")
			}
			if data = data[n:]; v == 0 {
				break
			}
			x := int32(v / 2)
			if v%2 == 1 {
				x = -x
			}
			l.clause = append(l.clause, x)
		}
		lines = append(lines, l)
	}
	return lines, nil
}

// refutes checks a proof in the plainest way: every lemma must follow from the clauses
// that are there by unit propagation, every deletion must be of a clause that is there,
// and the last line must be the empty clause.
func refutes(f *sat.Formula, lines []line) error {
	var clauses [][]int32
	for _, c := range f.Clauses() {
		clauses = append(clauses, c)
	}
	for i, l := range lines {
		if l.deletion {
			// A lemma may be the same as a clause of the formula, which has to stay.
			at := slices.IndexFunc(clauses[f.Len():], func(c []int32) bool { return sameClause(c, l.clause) })
			if at < 0 {
				return fmt.Errorf("line %d deletes %v, which is no lemma", i+1, l.clause)
			}
			clauses = slices.Delete(clauses, f.Len()+at, f.Len()+at+1)
			continue
		}
		if !propagates(clauses, l.clause) {
			return fmt.Errorf("line %d: %v does not follow by unit propagation", i+1, l.clause)
		}
		clauses = append(clauses, l.clause)
	}
	if n := len(lines); n == 0 || lines[n-1].deletion || len(lines[n-1].clause) > 0 {
		return fmt.Errorf("the last of %d lines is not the empty clause", len(lines))
	}
	return nil
}

func sameClause(a, b []int32) bool {
	a, b = slices.Clone(a), slices.Clone(b)
	slices.Sort(a)
	slices.Sort(b)
	return slices.Equal(a, b)
}

// propagates reports whether unit propagation from the negation of a clause meets an empty
// clause.
func propagates(clauses [][]int32, lemma []int32) bool {
	isTrue := map[int32]bool{}
	for _, x := range lemma {
		isTrue[-x] = true
	}
	for _, x := range lemma {
		if isTrue[x] {
			return true
		}
	}
	for changed := true; changed; {
		changed = false
	next:
		for _, c := range clauses {
			free := int32(0)
			for _, x := range c {
				if isTrue[x] {
					continue next
				}
				if !isTrue[-x] && x != free {
					if free != 0 {
						continue next
					}
					free = x
				}
			}
			if free == 0 {
				return true
			}
			isTrue[free], changed = true, true
		}
	}
	return false
}
