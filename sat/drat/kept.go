package drat

import (
	"bytes"
	"io"
)

// A proof of a tree search may begin with other lemmas: of the simplification, or of a solver that has tried. A backward
// check that recognises such a proof in its first pass ends, and the proof is checked forward from its beginning. The
// input may be a pipe, so what has been read is kept, up to a bound.

// mostKept is the number of bytes within which the proof of a tree search is recognised.
const mostKept = 1 << 26

// keptInput is a reader that keeps what it reads.
type keptInput struct {
	io.Reader
	bytes []byte // nil: it has read more than the bound
}

// Read reads from the input.
func (k *keptInput) Read(p []byte) (int, error) {
	n, err := k.Reader.Read(p)
	switch {
	case k.bytes == nil:
	case len(k.bytes)+n > mostKept:
		k.bytes = nil
	default:
		k.bytes = append(k.bytes, p[:n]...)
	}
	return n, err
}

// keepInput makes the parser, which has not read a step, keep its input.
func (p *parser) keepInput() {
	p.kept = &keptInput{p.in, append(make([]byte, 0, cap(p.buf)), p.buf...)}
	p.in = p.kept
}

// isKept reports whether the parser can start again.
func (p *parser) isKept() bool { return p.kept != nil && p.kept.bytes != nil }

// forgetInput frees what was kept.
func (p *parser) forgetInput() {
	if p.kept != nil {
		p.kept.bytes = nil
	}
}

// startAgain makes the parser, whose input is kept, read the proof from its beginning.
func (p *parser) startAgain() {
	rest := p.kept.Reader
	if p.broken != nil {
		rest = ended{p.broken}
	}
	*p = *newParser(io.MultiReader(bytes.NewReader(p.kept.bytes), rest))
}

// ended is a reader at its end.
type ended struct{ err error }

// Read returns the error, or io.EOF.
func (e ended) Read([]byte) (int, error) { return 0, e.err }
