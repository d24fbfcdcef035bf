package proof

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
)

// part is a part of an attempt in a stream.
type part struct {
	in       Stream
	from, to int64 // bytes of the stream, without the record that begins the part
	attempt  uint64
	number   uint64
	before   uint64 // 0: the attempt begins here; else 1 plus the number of clauses in the parts before
	clauses  uint64 // number of clauses in this part
	refuted  bool   // the part ends with the refutation of the formula
	total    uint64 // if refuted: the number of clauses in all parts, as recorded
}

// comparePart orders parts by attempt and number.
func (p *part) comparePart(o *part) int {
	return cmp.Or(cmp.Compare(p.attempt, o.attempt), cmp.Compare(p.number, o.number))
}

var (
	errUnrefuted = errors.New("the logs have no attempt that refutes the formula")
	errPartTwice = errors.New("the logs have a part of an attempt twice")
	errNoEmpty   = errors.New("the attempt that refutes the formula does not end with the empty clause")
	errClauses   = errors.New("the logs lack clauses of the attempt that refutes the formula")
	errPartGone  = errors.New("the logs lack a part of the attempt that refutes the formula")
)

// maxClause bounds the length of a clause in a log: the number of variables of a formula.
const maxClause = 1 << 24

// MergeAttempts writes the proof of the logs of all shares of a portfolio: the lemmas and deletions
// of one attempt that has refuted the formula, in their order. If there are several, it is the one
// with the least number. It returns that number. It checks that the records are well formed and
// that no part is missing or occurs twice, before it writes anything. It does not check that the
// lemmas follow; a checker of proofs does. The time is proportional to the logs; the memory is
// proportional to the number of parts and to the longest lemma.
func MergeAttempts(out *Writer, streams []Stream) (attempt uint64, err error) {
	parts, err := indexParts(streams)
	if err != nil {
		return 0, err
	}
	chain, err := chooseAttempt(parts)
	if err != nil {
		return 0, err
	}
	for i := range chain {
		if err := copyPart(out, &chain[i]); err != nil {
			return 0, err
		}
	}
	if !out.ended && out.err == nil {
		return 0, errNoEmpty
	}
	return chain[0].attempt, out.err
}

// indexParts finds the parts of all streams, sorted, and checks that the records are well formed.
func indexParts(streams []Stream) (parts []part, err error) {
	x := partIndexer{reader: reader{buf: make([]byte, 0, window)}}
	for _, s := range streams {
		x.resetRange(s, 0, s.Size())
		for x.open = false; x.hasMoreBytes(); {
			x.takePartRecord()
		}
		if x.err != nil {
			return nil, x.err
		}
		if x.open {
			x.parts[len(x.parts)-1].to = s.Size()
		}
	}
	slices.SortFunc(x.parts, func(a, b part) int { return a.comparePart(&b) })
	for i := range x.parts {
		if i > 0 && x.parts[i].comparePart(&x.parts[i-1]) == 0 {
			return nil, fmt.Errorf("%w: part %d of attempt %d", errPartTwice, x.parts[i].number, x.parts[i].attempt)
		}
	}
	return x.parts, nil
}

// partIndexer reads the streams one after the other.
type partIndexer struct {
	reader
	parts []part
	open  bool // the last part belongs to this stream, and its end is unknown
}

// takePartRecord takes one record.
func (x *partIndexer) takePartRecord() {
	at := x.nextOffset()
	kind := x.takeRecordKind()
	if kind != recordPart && (!x.open || x.parts[len(x.parts)-1].refuted) {
		x.recordError(errOrder)
		return
	}
	switch kind {
	case recordPart:
		if x.open {
			x.parts[len(x.parts)-1].to = at
		}
		p := part{in: x.in, attempt: x.takeUvarint(), number: x.takeUvarint(), before: x.takeUvarint()}
		p.from = x.nextOffset()
		x.parts, x.open = append(x.parts, p), true
	case recordLearnt, recordDeleted:
		x.parts[len(x.parts)-1].clauses++
		for range x.takeClauseLength() {
			x.decodeLiteral(x.takeUvarint())
		}
	case recordRefuted:
		p := &x.parts[len(x.parts)-1]
		p.refuted, p.total = true, x.takeUvarint()
	default:
		x.recordError(fmt.Errorf("a record has the unknown kind %d", kind))
	}
}

// takeClauseLength reads the number of literals of a clause.
func (r *reader) takeClauseLength() int {
	n := r.takeCount()
	if n > maxClause {
		r.recordError(errNumber)
		return 0
	}
	return n
}

// chooseAttempt returns the parts of the first attempt that has refuted the formula, from its
// beginning on.
func chooseAttempt(parts []part) ([]part, error) {
	last := slices.IndexFunc(parts, func(p part) bool { return p.refuted })
	if last < 0 {
		return nil, errUnrefuted
	}
	first := last
	for parts[first].before > 0 {
		p := &parts[first]
		if first == 0 || parts[first-1].attempt != p.attempt || parts[first-1].number+1 != p.number {
			return nil, fmt.Errorf("%w: the part before part %d of attempt %d", errPartGone, p.number, p.attempt)
		}
		first--
	}
	return parts[first : last+1], checkClauses(parts[first : last+1])
}

// checkClauses checks the numbers of clauses of the parts of an attempt.
func checkClauses(chain []part) error {
	n := uint64(0)
	for i := range chain {
		p := &chain[i]
		if i > 0 && p.before != n+1 {
			return fmt.Errorf("%w: %d clauses before part %d of attempt %d, expected %d", errClauses, n, p.number, p.attempt, p.before-1)
		}
		n += p.clauses
		if p.refuted && p.total != n {
			return fmt.Errorf("%w: %d clauses of attempt %d, expected %d", errClauses, n, p.attempt, p.total)
		}
	}
	return nil
}

// copyPart writes the lemmas and deletions of a part.
func copyPart(out *Writer, p *part) error {
	r := reader{buf: make([]byte, 0, window)}
	r.resetRange(p.in, p.from, p.to)
	var line []byte
	for r.hasMoreBytes() {
		kind := r.takeRecordKind()
		if kind == recordRefuted {
			r.takeUvarint()
			continue
		}
		line = line[:0]
		for range r.takeClauseLength() {
			line = out.appendLiteral(line, r.decodeLiteral(r.takeUvarint()))
		}
		switch {
		case r.err != nil || out.err != nil:
			return cmp.Or(r.err, out.err)
		case kind == recordLearnt:
			out.appendLemma(nil, line)
		case kind == recordDeleted:
			out.appendDeletion(nil, line)
		}
	}
	return r.err
}
