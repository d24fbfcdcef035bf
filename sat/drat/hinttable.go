package drat

import (
	"fmt"
	"math"
)

// clauseTable holds clauses by their numbers. The literals are in one arena; the references to
// them are in an array for small numbers and in a map for large ones, as in variables, so that
// the memory does not depend on the size of a number.
type clauseTable struct {
	arena  []int32       // of each clause: the number of literals, its number in two words, the literals
	near   []ref         // near[id] is the place of clause id plus 1, or 0
	far    map[int64]ref // the same for clauses that were outside near when they were added
	count  int           // clauses ever added
	words  int           // words of the arena, if it is compacted as soon as wasted demands it
	wasted int           // words of deleted clauses
	most   int           // bound of words
	room   int           // words that lemmas may take
	slack  int           // words of deleted clauses up to which the arena is not compacted

	// If workers read the arena, it is compacted later, when they have no part.
	shared bool
	dead   []ref // deleted clauses that are not marked yet
	burden int   // their words
	lazy   int   // words of deleted clauses up to which a shared arena is not compacted
	due    bool  // the arena must be compacted
}

// maxBurden is the usual value of lazy.
const maxBurden = 1 << 20

// mostNear bounds the length of near, which does not shrink when clauses are deleted: 512 MiB.
const mostNear = 1 << 27

// tableHeader is the number of words of a clause before its literals.
const tableHeader = 3

func newClauseTable(room int) clauseTable {
	return clauseTable{far: map[int64]ref{}, most: math.MaxInt32, room: room, slack: 1 << 14, lazy: maxBurden}
}

// endFormula bounds the clauses that are added from now on.
func (t *clauseTable) endFormula() { t.most = min(t.most, t.words+t.room) }

// find returns the clause of a number, or none.
func (t *clauseTable) find(id int64) ref {
	if id < int64(len(t.near)) && t.near[id] != 0 {
		return t.near[id] - 1
	}
	if r, ok := t.far[id]; ok {
		return r - 1
	}
	return none
}

// literals returns the literals of a clause.
func (t *clauseTable) literals(r ref) []literal { return tableLiterals(t.arena, r) }

// tableLiterals returns the literals of a clause in an arena.
func tableLiterals(arena []int32, r ref) []literal {
	return arena[r+tableHeader : r+tableHeader+arena[r]]
}

// insert adds a clause under a number that no clause has.
func (t *clauseTable) insert(id int64, clause []literal) error {
	if t.words+tableHeader+len(clause) > t.most {
		return fmt.Errorf("the clauses that are there take more than %d bytes: expected a proof that deletes more lemmas", 4*int64(t.most))
	}
	t.words += tableHeader + len(clause)
	t.count++
	t.enter(id, ref(len(t.arena)))
	t.arena = append(t.arena, int32(len(clause)), int32(id), int32(id>>32))
	t.arena = append(t.arena, clause...)
	return nil
}

// enter notes the place of a clause.
func (t *clauseTable) enter(id int64, r ref) {
	if limit := min(4*t.count+1024, mostNear); id >= int64(len(t.near)) && id < int64(limit) {
		t.near = append(t.near, make([]ref, limit-len(t.near))...)
	}
	if id < int64(len(t.near)) {
		t.near[id] = r + 1
	} else {
		t.far[id] = r + 1
	}
}

// remove deletes clause id, which is at r.
func (t *clauseTable) remove(id int64, r ref) {
	if id < int64(len(t.near)) {
		t.near[id] = 0
	}
	delete(t.far, id)
	size := tableHeader + int(t.arena[r])
	if t.shared {
		t.dead = append(t.dead, r)
		t.burden += size
	} else {
		t.arena[r] ^= -1
	}
	if t.wasted += size; t.wasted > t.words/2 && t.wasted > t.slack {
		t.words -= t.wasted
		t.wasted = 0
		t.compactSoon()
	}
}

// compactSoon moves the clauses together, or notes that it must be done.
func (t *clauseTable) compactSoon() {
	if t.shared {
		t.due = t.due || t.burden > t.lazy
		return
	}
	t.compact()
}

// compactShared moves the clauses together when no worker reads them.
func (t *clauseTable) compactShared() {
	for _, r := range t.dead {
		t.arena[r] ^= -1
	}
	t.dead, t.burden, t.due = t.dead[:0], 0, false
	t.compact()
}

// compact moves the clauses together.
func (t *clauseTable) compact() {
	end := ref(0)
	for r := ref(0); int(r) < len(t.arena); {
		size := t.arena[r]
		if size < 0 {
			r += tableHeader + ^size
			continue
		}
		next := r + tableHeader + size
		id := int64(t.arena[r+2])<<32 | int64(uint32(t.arena[r+1]))
		copy(t.arena[end:], t.arena[r:next])
		if id < int64(len(t.near)) && t.near[id] != 0 {
			t.near[id] = end + 1
		} else {
			t.far[id] = end + 1
		}
		end += tableHeader + size
		r = next
	}
	t.arena = t.arena[:end]
}
