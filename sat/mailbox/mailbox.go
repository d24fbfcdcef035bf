// Package mailbox exchanges learnt clauses between the shares of a search. Units, clauses of two literals,
// and short clauses of low LBD help every solver of the formula. A share keeps them in its Box until they
// are exported, and its solver takes in the clauses of other shares when it is at a suitable point.
//
// Clauses are hints: a clause is dropped if there is no room for it. They follow from the formula, so that
// the answer does not depend on which of them arrive.
//
// Sources: Y. Hamadi, S. Jabbour, L. Saïs, ManySAT: a Parallel SAT Solver, JSAT 6 (2009), for short
// clauses; G. Audemard, L. Simon, Predicting Learnt Clauses Quality in Modern SAT Solvers, IJCAI 2009,
// for LBD.
package mailbox

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"treesplit/internal/splitmix"
	"treesplit/internal/wire"
)

// MostLiterals is the number of literals of the longest clause that any Box sends or receives.
const MostLiterals = 30

// Bounds of a Box.
const (
	mostOutgoing = 1 << 12 // bytes that wait
	mostIncoming = 1 << 14 // literals that wait
	seenClauses  = 1 << 12
	mostClauses  = 64 // in an export
	mostClock    = 1 << 62
)

// Filter selects the clauses that a Box sends: all of one or two literals, and longer ones within both bounds.
type Filter struct {
	Literals int // of a clause, at most MostLiterals
	LBD      int
}

// passes reports whether a clause of n literals may be sent. An lbd of 0 is unknown.
func (f Filter) passes(n, lbd int) bool {
	return n > 0 && n <= f.Literals && (n <= 2 || lbd > 0 && lbd <= f.LBD)
}

// Box is the mailbox of one share. It must not be used concurrently.
//
// It has a Lamport clock (L. Lamport, Time, Clocks, and the Ordering of Events in a Distributed System,
// CACM 21, 1978): what a share has exported at a clock is received at a higher clock.
type Box struct {
	filter   Filter
	clock    uint64
	outgoing []byte   // clauses to be exported
	incoming []int32  // clauses to be taken in, each after its number of literals
	seen     []uint64 // hashes of clauses that were exported or taken in lately
	taken    int64
}

// New returns an empty box. It panics if the filter lets clauses of more than MostLiterals pass.
func New(f Filter) *Box {
	if f.Literals > MostLiterals {
		panic(fmt.Sprintf("mailbox: clauses of %d literals: expected at most %d", f.Literals, MostLiterals))
	}
	return &Box{filter: f}
}

// Clock returns the clock.
func (b *Box) Clock() uint64 { return b.clock }

// Taken returns the number of clauses that were taken in.
func (b *Box) Taken() int64 { return b.taken }

// Offer keeps a clause for export. It returns true if the clause passes the filter, was not seen lately, and
// there is room. An lbd of 0 is unknown.
func (b *Box) Offer(clause []int32, lbd int) bool {
	if !b.filter.passes(len(clause), lbd) {
		return false
	}
	if len(b.outgoing)+1+len(clause)*binary.MaxVarintLen32 > mostOutgoing || b.wasSeen(clause) {
		return false
	}
	b.outgoing = append(b.outgoing, byte(len(clause)))
	for _, l := range clause {
		b.outgoing = binary.AppendVarint(b.outgoing, int64(l))
	}
	return true
}

// wasSeen reports whether a clause was exported or taken in lately, and notes it. The order of its
// literals does not matter.
func (b *Box) wasSeen(clause []int32) bool {
	if b.seen == nil {
		b.seen = make([]uint64, seenClauses)
	}
	hash := uint64(len(clause))
	for _, l := range clause {
		hash += splitmix.Next(uint64(uint32(l)))
	}
	at := &b.seen[hash%seenClauses]
	was := *at == hash
	*at = hash
	return was
}

// Export appends facts: the clock as a uvarint, and at most mostClauses of the clauses that wait, each as
// the number of literals in a byte and the DIMACS literals as zigzag varints. It appends at most limit
// bytes, and nothing if no clause waits.
func (b *Box) Export(dst []byte, limit int) []byte {
	clock := binary.AppendUvarint(nil, b.clock)
	size := 0
	for range mostClauses {
		n := clauseBytes(b.outgoing[size:])
		if n == 0 || len(clock)+size+n > limit {
			break
		}
		size += n
	}
	if size == 0 {
		return dst
	}
	dst = append(append(dst, clock...), b.outgoing[:size]...)
	b.outgoing = append(b.outgoing[:0], b.outgoing[size:]...)
	return dst
}

// clauseBytes returns the length of the first clause of a list, or 0 for an empty list.
func clauseBytes(list []byte) int {
	if len(list) == 0 {
		return 0
	}
	size := 1
	for range list[0] {
		_, n := binary.Varint(list[size:])
		size += n
	}
	return size
}

var errFacts = errors.New("the clauses end early, or have numbers out of range")

// Import receives the facts of another share's box, for a formula of the given number of variables. It
// refuses facts that are malformed.
func (b *Box) Import(facts []byte, variables int) error {
	in := wire.NewReader(facts)
	clock, start := in.Uvarint(mostClock), len(b.incoming)
	for in.Err() == nil && len(in.Rest()) > 0 {
		if err := b.receive(&in, variables); err != nil {
			b.incoming = b.incoming[:start]
			return err
		}
	}
	if in.Err() != nil {
		b.incoming = b.incoming[:start]
		return errFacts
	}
	b.clock = max(b.clock, clock+1)
	return nil
}

// receive reads a clause and keeps it, if there is room.
func (b *Box) receive(in *wire.Reader, variables int) error {
	n, start := int(in.Byte()), len(b.incoming)
	if n == 0 || n > MostLiterals {
		return fmt.Errorf("a clause has %d literals: expected 1 to %d", n, MostLiterals)
	}
	b.incoming = append(b.incoming, int32(n))
	for range n {
		l := in.Varint()
		if in.Err() != nil {
			return errFacts
		}
		if l == 0 || l == math.MinInt64 || max(l, -l) > int64(variables) {
			return fmt.Errorf("literal %d is out of range: expected variables 1 to %d", l, variables)
		}
		b.incoming = append(b.incoming, int32(l))
	}
	if len(b.incoming) > mostIncoming {
		b.incoming = b.incoming[:start]
	}
	return nil
}

// HasIncoming reports whether clauses of other shares wait.
func (b *Box) HasIncoming() bool { return len(b.incoming) > 0 }

// TakeIn passes the clauses of other shares to take, at most limit clauses: the shortest ones, in the order of their
// arrival. It leaves out clauses that were seen lately, and drops the rest. take must not keep a clause.
func (b *Box) TakeIn(limit int, take func(clause []int32)) {
	longest, few := b.longestWithin(limit)
	for list := b.incoming; len(list) > 0; {
		n := int(list[0])
		clause := list[1 : 1+n]
		list = list[1+n:]
		if n > longest || n == longest && few == 0 || b.wasSeen(clause) {
			continue
		}
		if n == longest {
			few--
		}
		take(clause)
		b.taken++
	}
	b.incoming = b.incoming[:0]
}

// longestWithin returns the length of the longest clause that TakeIn may take, and how many clauses of this
// length.
func (b *Box) longestWithin(limit int) (longest, few int) {
	var lengths [MostLiterals + 1]int
	for list := b.incoming; len(list) > 0; list = list[1+list[0]:] {
		lengths[list[0]]++
	}
	for longest = 1; longest < MostLiterals && lengths[longest] <= limit; longest++ {
		limit -= lengths[longest]
	}
	return longest, min(limit, lengths[longest])
}
