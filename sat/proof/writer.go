package proof

import (
	"encoding/binary"
	"fmt"
	"io"
	"strconv"
)

// Format is one of the two encodings of a DRAT proof.
type Format uint8

const (
	// Text writes a lemma as its literals and 0 on a line, and a deletion likewise
	// after a "d".
	Text Format = iota
	// Binary writes a byte "a" or "d", the literals l as the variable-length numbers 2·|l|, plus
	// 1 if negative, and a zero byte. It takes a third to a half of the size of Text. A checker
	// distinguishes it from Text by the first byte "a" or by a zero byte: Text has neither of them.
	Binary
)

var formatNames = [...]string{"text", "binary"}

// FormatNames returns the names that ParseFormat accepts.
func FormatNames() []string { return formatNames[:] }

// String returns the name of the format.
func (f Format) String() string { return formatNames[f] }

// ParseFormat returns the format of a name.
func ParseFormat(name string) (Format, error) {
	for f, n := range formatNames {
		if n == name {
			return Format(f), nil
		}
	}
	return 0, fmt.Errorf("unknown format %q: expected text or binary", name)
}

// Writer writes a DRAT proof: lemmas, each of which follows by unit propagation from the formula
// and the earlier lemmas, and deletions of lemmas that are no longer needed. It drops everything
// after the empty clause. It keeps the first write error for Flush.
//
// Reference: Wetzler, Heule and Hunt, "DRAT-trim: Efficient Checking and Trimming
// Using Expressive Clausal Proofs", 2014.
type Writer struct {
	out    io.Writer
	format Format
	buf    []byte
	clause []byte // buffer of appendClause
	err    error
	ended  bool // the empty clause was written

	lemmas, deletions int64
}

// NewWriter returns a Writer to out, which receives blocks of about 64 KiB.
func NewWriter(out io.Writer, format Format) *Writer {
	return &Writer{out: out, format: format, buf: make([]byte, 0, 2*window)}
}

// WriteLemma writes a clause of DIMACS literals.
func (w *Writer) WriteLemma(clause []int32) { w.appendLemma(nil, w.appendClause(clause)) }

// WriteDeletion writes the deletion of a clause of DIMACS literals.
func (w *Writer) WriteDeletion(clause []int32) { w.appendDeletion(nil, w.appendClause(clause)) }

// appendClause returns the literals in the form of a line. The result is valid until the next
// call.
func (w *Writer) appendClause(clause []int32) []byte {
	w.clause = w.clause[:0]
	for _, x := range clause {
		w.clause = w.appendLiteral(w.clause, x)
	}
	return w.clause
}

// LemmaCount returns the number of lemmas written, including the empty clause.
func (w *Writer) LemmaCount() int64 { return w.lemmas }

// DeletionCount returns the number of deletions written.
func (w *Writer) DeletionCount() int64 { return w.deletions }

// Flush writes the remaining bytes and returns the first error.
func (w *Writer) Flush() error {
	if w.err == nil {
		_, w.err = w.out.Write(w.buf)
	}
	w.buf = w.buf[:0]
	return w.err
}

// appendLiteral appends a literal in the form of a line.
func (w *Writer) appendLiteral(dst []byte, x int32) []byte {
	if w.format == Text {
		return append(strconv.AppendInt(dst, int64(x), 10), ' ')
	}
	if x < 0 {
		return binary.AppendUvarint(dst, 2*uint64(-int64(x))+1)
	}
	return binary.AppendUvarint(dst, 2*uint64(x))
}

// appendLemma writes the clause of the literals in prefix and in body.
func (w *Writer) appendLemma(prefix, body []byte) {
	if w.ended {
		return
	}
	w.lemmas++
	w.ended = len(prefix)+len(body) == 0
	if w.format == Binary {
		w.buf = append(w.buf, 'a')
	}
	w.appendLine(prefix, body)
}

// appendDeletion writes the deletion of a clause.
func (w *Writer) appendDeletion(prefix, body []byte) {
	if w.ended {
		return
	}
	w.deletions++
	if w.buf = append(w.buf, 'd'); w.format == Text {
		w.buf = append(w.buf, ' ')
	}
	w.appendLine(prefix, body)
}

// appendLine ends a line.
func (w *Writer) appendLine(prefix, body []byte) {
	w.buf = append(append(w.buf, prefix...), body...)
	if w.format == Text {
		w.buf = append(w.buf, '0', '\n')
	} else {
		w.buf = append(w.buf, 0)
	}
	if len(w.buf) >= window {
		w.Flush()
	}
}
