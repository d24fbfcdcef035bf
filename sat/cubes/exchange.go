package cubes

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"treesplit/internal/splitmix"
	"treesplit/internal/wire"
	"treesplit/sat"
)

// Exchange of learnt clauses between shares. Units, clauses of two literals, and short clauses of low LBD
// help every solver of the formula. A share keeps them until they are exported, and takes in the clauses
// of other shares when its solver begins the next cube. Sources: Y. Hamadi, S. Jabbour, L. Saïs,
// ManySAT: a Parallel SAT Solver, JSAT 6 (2009), for short clauses; G. Audemard, L. Simon, Predicting
// Learnt Clauses Quality in Modern SAT Solvers, IJCAI 2009, for LBD.
//
// Every clause that leaves a share is logged as kept, so that the copies of other shares follow from
// it whatever the share deletes later. A clause that comes in is logged as learnt: its copy in the
// proof belongs to the receiver. The logs have Lamport clocks (L. Lamport, Time, Clocks, and the
// Ordering of Events in a Distributed System, CACM 21, 1978): what a share has exported at a clock is
// taken in at a higher clock, and proof.MergeLearntFirst arranges the records by clocks.
//
// Facts are the clock, a uvarint, and clauses: the number of literals as a byte, then each DIMACS
// literal as a zigzag varint.
type exchange struct {
	clock    uint64
	outgoing []byte   // clauses to be exported
	incoming []int32  // clauses to be taken in, each after its number of literals
	seen     []uint64 // hashes of clauses that were exported or taken in lately
	taken    int64    // number of clauses taken in
}

// Bounds of the exchange.
const (
	mostShort    = 8       // literals of a clause
	mostShortLBD = 2       // LBD of a clause of three literals and more
	mostOutgoing = 1 << 12 // bytes that wait
	mostIncoming = 1 << 14 // literals that wait
	seenClauses  = 1 << 12
	mostClauses  = 64 // in an export
	mostClock    = 1 << 62
)

var (
	_ sat.Exchanger = (*walk)(nil)

	errFacts = errors.New("the clauses end early, or have numbers out of range")
)

// Exchanges reports whether the solver exchanges clauses with solvers of other shares.
func (w *walk) Exchanges() bool { return w.rule.options.Exchange }

// TakenIn returns the number of clauses that were taken in.
func (w *walk) TakenIn() int64 { return w.taken }

// offer keeps a lemma for export, if it is short and of low LBD, and logs the copy that stays for
// all shares. Without room it is dropped.
func (w *walk) offer(clause []int32, lbd int) {
	if n := len(clause); n == 0 || n > mostShort || n > 2 && (lbd == 0 || lbd > mostShortLBD) {
		return
	}
	if len(w.outgoing)+1+len(clause)*binary.MaxVarintLen32 > mostOutgoing || w.wasSeen(clause) {
		return
	}
	w.log.WriteKept(clause)
	w.outgoing = append(w.outgoing, byte(len(clause)))
	for _, l := range clause {
		w.outgoing = binary.AppendVarint(w.outgoing, int64(l))
	}
}

// wasSeen reports whether a clause was exported or taken in lately, and notes it. The order of its
// literals does not matter.
func (w *walk) wasSeen(clause []int32) bool {
	if w.seen == nil {
		w.seen = make([]uint64, seenClauses)
	}
	hash := uint64(len(clause))
	for _, l := range clause {
		hash += splitmix.Next(uint64(uint32(l)))
	}
	at := &w.seen[hash%seenClauses]
	was := *at == hash
	*at = hash
	return was
}

// Export appends clauses with the clock, at most limit bytes and mostClauses clauses.
func (w *walk) Export(dst []byte, limit int) []byte {
	clock := binary.AppendUvarint(nil, w.clock)
	size := 0
	for range mostClauses {
		n := clauseBytes(w.outgoing[size:])
		if n == 0 || len(clock)+size+n > limit {
			break
		}
		size += n
	}
	if size == 0 {
		return dst
	}
	dst = append(append(dst, clock...), w.outgoing[:size]...)
	w.outgoing = append(w.outgoing[:0], w.outgoing[size:]...)
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

// Import takes in clauses that follow from the formula. Without room they are dropped.
func (w *walk) Import(facts []byte) error {
	in := wire.NewReader(facts)
	clock, start := in.Uvarint(mostClock), len(w.incoming)
	for in.Err() == nil && len(in.Rest()) > 0 {
		if err := w.takeClause(&in); err != nil {
			w.incoming = w.incoming[:start]
			return err
		}
	}
	if in.Err() != nil {
		w.incoming = w.incoming[:start]
		return errFacts
	}
	w.clock = max(w.clock, clock+1)
	return nil
}

// takeClause reads a clause and keeps it, if there is room.
func (w *walk) takeClause(in *wire.Reader) error {
	n, start := int(in.Byte()), len(w.incoming)
	if n == 0 || n > mostShort {
		return fmt.Errorf("a clause has %d literals: expected 1 to %d", n, mostShort)
	}
	w.incoming = append(w.incoming, int32(n))
	for range n {
		l := in.Varint()
		if in.Err() != nil {
			return errFacts
		}
		if l == 0 || l == math.MinInt64 || max(l, -l) > int64(w.rule.Variables()) {
			return fmt.Errorf("literal %d is out of range: expected variables 1 to %d", l, w.rule.Variables())
		}
		w.incoming = append(w.incoming, int32(l))
	}
	if len(w.incoming) > mostIncoming {
		w.incoming = w.incoming[:start]
	}
	return nil
}

// takeIncoming gives the clauses of other shares to the solver, which has no assumptions.
func (w *walk) takeIncoming() {
	if len(w.incoming) == 0 {
		return
	}
	w.log.SetClock(w.clock)
	for list := w.incoming; len(list) > 0; {
		clause := list[1 : 1+list[0]]
		list = list[1+list[0]:]
		if w.wasSeen(clause) {
			continue
		}
		w.log.WriteLearnt(clause)
		w.solver.AddLearnt(clause...)
		w.taken++
	}
	w.incoming = w.incoming[:0]
}

// offerLemma offers a lemma of the solver to other shares.
func (w *walk) offerLemma(clause []int32) {
	if w.rule.options.Exchange {
		w.offer(clause, w.solver.LemmaLBD())
	}
}
