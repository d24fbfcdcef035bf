package drat

import (
	"io"
	"slices"
	"strings"
	"testing"

	"treesplit/internal/fileio"
	"treesplit/internal/fileio/fileiotest"
)

// A proof without end is an error: of its length, or of what it makes the checker keep.
func TestEndless(t *testing.T) {
	old := maxProof
	maxProof = fileio.Limit{Bytes: 1 << 22, What: "a proof"}
	defer func() { maxProof = old }()
	for name, c := range map[string]struct{ start, again, want string }{
		"comments":          {"", "c\n", "larger than 4 MiB: expected a proof"},
		"deletions":         {"", "d 1 2 0\n", "larger than 4 MiB"},
		"NULs":              {"", "\x00", `p:1: found "\x00`},
		"lemmas":            {"", "1 -1 0\n", "p:6554: the clauses that are there take more than 131152 bytes: expected a proof that deletes more lemmas"},
		"binary":            {"a\x02\x03\x00", "a\x02\x03\x00", "the clauses that are there take more than"},
		"after the end":     {"1 0\n0\n", "1 0\n", "larger than 4 MiB"},
		"lemmas, deletions": {"", "1 -1 0\nd 1 -1 0\n", "larger than 4 MiB"},
	} {
		ch := newChecker()
		ch.room = 1 << 15
		clauses := [][]int32{{1, 2}, {1, -2}, {-1, 3}, {-1, -3}}
		plain, err := fileio.NewTextReader(io.MultiReader(strings.NewReader(c.start), fileiotest.Endless(c.again)), maxProof)
		if err != nil {
			t.Fatal(err)
		}
		_, err = ch.checkProof(slices.All(clauses), newParser(plain), "p", Options{})
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// One step, and what lies between two, is bounded too.
func TestLongSteps(t *testing.T) {
	p := newParser(fileiotest.Endless("1 "))
	p.literals = make([]int32, 0, maxLiterals)
	if err := longStep(p); err == nil || !strings.Contains(err.Error(), "a clause has more than 33554432 literals") {
		t.Error(err)
	}
	p = newParser(fileiotest.Endless("\n"))
	p.before = maxStep // as if so much had been read
	if _, err := p.readNextStep(); err == nil || !strings.Contains(err.Error(), "bytes hold no further step") {
		t.Error(err)
	}
}

// longStep adds literals to a step that has nearly all it may have.
func longStep(p *parser) error {
	p.literals = p.literals[:maxLiterals-1]
	if err := p.addLiteral(1); err != nil {
		return err
	}
	return p.addLiteral(1)
}
