package drat

import "fmt"

// literal is 2·index for a variable and 2·index+1 for its negation. The index is the one in
// variables; l^1 is the negation of l. Literal 0 is the constant false.
type literal = int32

// ref is the position of a clause in the arena.
type ref = int32

// The words of a clause in the arena, before its literals.
const (
	sizeWord   = 0 // the number of literals; its complement once the clause is deleted
	nextWord   = 1 // the next clause of the same bucket, or none
	tagWord    = 2 // the first literal of the clause in the proof; coreTag
	headerSize = 3
)

// coreTag in the tag word marks a clause that backward checking needs.
const coreTag = 1 << 30

// none means that there is no clause.
const none ref = -1

// sizeError returns the error of clauses that take more than the allowed number of words.
func (d *database) sizeError() error {
	return fmt.Errorf("the clauses that are there take more than %d bytes: expected a proof that deletes more lemmas", 4*int64(d.most))
}

// database holds the clauses of the formula and the lemmas, one after the other in an arena, and
// finds them by their literals. Deleted clauses stay in the arena until they take half of it.
type database struct {
	arena   []int32
	spare   []int32 // the arena before its last compaction
	words   int     // words of the arena, and of lemmas that a replay leaves out (replay.go)
	wasted  int     // words of deleted clauses
	buckets []ref   // the first clause of each bucket; a power of two of them
	live    int     // clauses that are not deleted
	most    int     // bound of words
}

// clauseLiterals returns the literals of a clause that is not deleted.
func (d *database) clauseLiterals(r ref) []literal {
	return d.arena[r+headerSize : r+headerSize+d.arena[r+sizeWord]]
}

// isDeleted reports whether the clause is deleted.
func (d *database) isDeleted(r ref) bool { return d.arena[r+sizeWord] < 0 }

// takeWords counts the words of a clause with size literals.
func (d *database) takeWords(size int) error {
	if d.words+headerSize+size > d.most {
		return d.sizeError()
	}
	d.words += headerSize + size
	return nil
}

// insertClause adds a clause, whose words are counted, under the hash of its literals.
func (d *database) insertClause(clause []literal, hash uint32) ref {
	if d.live >= len(d.buckets) {
		d.rehashClauses(max(1024, 2*len(d.buckets)))
	}
	r := ref(len(d.arena))
	bucket := &d.buckets[hash&uint32(len(d.buckets)-1)]
	first := literal(0)
	if len(clause) > 0 {
		first = clause[0]
	}
	d.arena = append(d.arena, int32(len(clause)), *bucket, first)
	d.arena = append(d.arena, clause...)
	*bucket = r
	d.live++
	return r
}

// takeClause finds a clause with size literals, all of them in the set. It removes the clause
// from its bucket and returns it, or none.
func (d *database) takeClause(size int, hash uint32, in *set) ref {
	if len(d.buckets) == 0 {
		return none
	}
	link := &d.buckets[hash&uint32(len(d.buckets)-1)]
	for *link != none {
		r := *link
		if int(d.arena[r+sizeWord]) == size && in.hasAllLiterals(d.clauseLiterals(r)) {
			*link = d.arena[r+nextWord]
			return r
		}
		link = &d.arena[r+nextWord]
	}
	return none
}

// deleteClause marks a clause that takeClause has returned.
func (d *database) deleteClause(r ref) {
	d.wasted += headerSize + int(d.arena[r+sizeWord])
	d.arena[r+sizeWord] ^= -1
	d.live--
}

// reviveClause makes a deleted clause exist again. takeClause does not find it.
func (d *database) reviveClause(r ref) {
	d.arena[r+sizeWord] ^= -1
	d.wasted -= headerSize + int(d.arena[r+sizeWord])
	d.live++
}

// firstLiteral returns the first literal of a clause in the proof, or 0 for the empty clause.
func (d *database) firstLiteral(r ref) literal { return d.arena[r+tagWord] &^ coreTag }

// isCore reports whether backward checking needs the clause.
func (d *database) isCore(r ref) bool { return d.arena[r+tagWord]&coreTag != 0 }

// nextClause returns the clause after r in the arena, deleted or not, or none at the end. The
// first clause is at 0.
func (d *database) nextClause(r ref) ref {
	size := d.arena[r+sizeWord]
	if size < 0 {
		size = ^size
	}
	if r += headerSize + size; int(r) < len(d.arena) {
		return r
	}
	return none
}

// rehashClauses puts all clauses into n buckets.
func (d *database) rehashClauses(n int) {
	if n > len(d.buckets) {
		d.buckets = make([]ref, n)
	}
	for i := range d.buckets {
		d.buckets[i] = none
	}
	if len(d.arena) == 0 {
		return
	}
	for r := ref(0); r != none; r = d.nextClause(r) {
		if d.isDeleted(r) {
			continue
		}
		bucket := &d.buckets[hashClause(d.clauseLiterals(r))&uint32(len(d.buckets)-1)]
		d.arena[r+nextWord] = *bucket
		*bucket = r
	}
}

// compactArena moves the clauses that are not deleted together. Until the next compaction,
// movedClause finds them by their old references.
func (d *database) compactArena() {
	old := d.arena
	d.arena, d.spare = d.spare[:0], old
	for r := 0; r < len(old); {
		size := int(old[r+sizeWord])
		if size < 0 {
			r += headerSize + ^size
			continue
		}
		end := r + headerSize + size
		at := ref(len(d.arena))
		d.arena = append(d.arena, old[r:end]...)
		old[r+nextWord] = at
		r = end
	}
	d.words -= d.wasted
	d.wasted = 0
	d.rehashClauses(len(d.buckets))
}

// movedClause returns the new place of the clause that was at r before compactArena, or none.
func (d *database) movedClause(r ref) ref {
	if d.spare[r+sizeWord] < 0 {
		return none
	}
	return d.spare[r+nextWord]
}

// hashLiteral spreads a literal over 32 bits. The hash of a clause is the sum over its literals,
// so it does not depend on their order.
func hashLiteral(l literal) uint32 {
	h := uint32(l) * 0x9e3779b1
	h ^= h >> 15
	h *= 0x85ebca6b
	return h ^ h>>13
}

// hashClause returns the hash of a clause.
func hashClause(clause []literal) (hash uint32) {
	for _, l := range clause {
		hash += hashLiteral(l)
	}
	return hash
}

// set is a set of literals that is emptied in O(1).
type set struct {
	stamps []uint32 // by literal: the current stamp if the literal is in the set
	stamp  uint32
}

// removeAll empties the set.
func (s *set) removeAll() {
	if s.stamp++; s.stamp == 0 {
		clear(s.stamps)
		s.stamp = 1
	}
}

// growTo makes room for the literals of a number of variables.
func (s *set) growTo(variables int32) {
	for int32(len(s.stamps)) < 2*variables+2 {
		s.stamps = append(s.stamps, 0, 0)
	}
}

func (s *set) addLiteral(l literal)      { s.stamps[l] = s.stamp }
func (s *set) hasLiteral(l literal) bool { return s.stamps[l] == s.stamp }

func (s *set) hasAllLiterals(clause []literal) bool {
	for _, l := range clause {
		if !s.hasLiteral(l) {
			return false
		}
	}
	return true
}
