package drat

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
)

// maxVariable is the largest variable that a literal may name.
const maxVariable = math.MaxInt32

// Bounds of a step, so that no proof makes the parser grow or read for ever between two steps.
const (
	maxLiterals = 1 << 25 // two per variable
	maxStep     = 1 << 30 // bytes of a step and of the comments and blanks after it
)

// isLiteral reports whether l is a literal.
func isLiteral(l int64) bool { return l != 0 && -maxVariable <= l && l <= maxVariable }

// parser reads the steps of a plain proof, one at a time, in either format. It holds one step, so
// its memory is proportional to the longest step.
type parser struct {
	in     io.Reader
	buf    []byte // bytes read from in
	pos    int    // buf[pos:] is not parsed yet
	before int64  // bytes read before buf
	broken error  // the error of in, or io.EOF
	binary bool
	lines  int64           // current line, from 1
	busy   <-chan struct{} // if not nil: closed when no goroutine reads in any more
	kept   *keptInput      // what was read from in so far, or nil

	// The current step.
	step     int64   // its number, from 1
	line     int64   // the line where it begins, from 1; in a text proof
	offset   int64   // the byte where it begins, from 0
	deletion bool    // it deletes its clause
	literals []int32 // as in the proof, in its order
}

// newParser detects the format. A binary proof begins with 'a', or with 'd' and a byte 0 at the
// end of the clause, which text never has. drat-trim examines the first twelve bytes in a similar
// way, but it makes errors on deletions that look like text.
func newParser(in io.Reader) *parser {
	const small, most = 1 << 12, 1 << 16 // a short proof needs the small buffer only
	p := &parser{in: in, buf: make([]byte, 0, small), lines: 1}
	for len(p.buf) < most && p.broken == nil {
		if len(p.buf) == cap(p.buf) {
			p.buf = slices.Grow(p.buf, most-len(p.buf))
		}
		n, err := in.Read(p.buf[len(p.buf):cap(p.buf)])
		p.buf, p.broken = p.buf[:len(p.buf)+n], err
	}
	if len(p.buf) > 0 {
		p.binary = p.buf[0] == 'a' || p.buf[0] == 'd' && bytes.IndexByte(p.buf, 0) > 0
	}
	return p
}

// readNextStep reads a step; ok is false at the end of the proof. lastPlace gives the place
// of an error.
func (p *parser) readNextStep() (ok bool, err error) {
	p.literals = p.literals[:0]
	if p.binary {
		ok, err = p.readBinaryStep()
	} else {
		ok, err = p.readTextStep()
	}
	return p.finishStep(ok, err)
}

// finishStep returns the results of reading a step.
func (p *parser) finishStep(ok bool, err error) (bool, error) {
	if p.broken != nil && p.broken != io.EOF && (!ok || err != nil) {
		err = p.broken // an error of the input causes all errors after it
	}
	return ok && err == nil, err
}

// describeStep names the current step.
func (p *parser) describeStep() string {
	if p.binary {
		return fmt.Sprintf("step %d (byte %d)", p.step, p.offset)
	}
	return fmt.Sprintf("line %d", p.line)
}

// formatPlace names a line or the byte after a step, in the form that follows the name of the proof.
func formatPlace(binary bool, at int64) string {
	if binary {
		return fmt.Sprintf(": byte %d", at)
	}
	return fmt.Sprintf(":%d", at)
}

// lastPlace returns the last line that was read, of a binary proof the offset of the next byte.
func (p *parser) lastPlace() int64 {
	if p.binary {
		return p.nextOffset()
	}
	return p.lines
}

// stepPlace returns the place of the current step.
func (p *parser) stepPlace() place {
	if p.binary {
		return place{step: p.step, offset: p.offset}
	}
	return place{p.step, p.line, p.offset}
}

// nextOffset returns the offset of the next byte.
func (p *parser) nextOffset() int64 { return p.before + int64(p.pos) }

// readNextByte returns the next byte, and -1 at the end of the input.
func (p *parser) readNextByte() int {
	if p.pos == len(p.buf) && !p.fillBuffer() {
		return -1
	}
	b := p.buf[p.pos]
	p.pos++
	return int(b)
}

// fillBuffer reads more input when all of buf is parsed.
func (p *parser) fillBuffer() bool {
	p.before += int64(len(p.buf))
	p.buf, p.pos = p.buf[:0], 0
	if p.before-p.offset > maxStep && p.broken == nil {
		p.broken = fmt.Errorf("%d bytes hold no further step: expected lemmas and deletions", p.before-p.offset)
	}
	for len(p.buf) == 0 && p.broken == nil {
		n, err := p.in.Read(p.buf[:cap(p.buf)])
		p.buf, p.broken = p.buf[:n], err
	}
	return len(p.buf) > 0
}

// beginStep notes the place of a step whose first byte has just been read.
func (p *parser) beginStep() {
	p.step++
	p.line, p.offset, p.deletion = p.lines, p.nextOffset()-1, false
}

// readBinaryStep reads a step of a binary proof.
func (p *parser) readBinaryStep() (ok bool, err error) {
	if ok, err = p.beginBinaryStep(); !ok || err != nil {
		return ok, err
	}
	return true, p.readBinaryLiterals()
}

// beginBinaryStep reads the first byte of a step.
func (p *parser) beginBinaryStep() (ok bool, err error) {
	kind := p.readNextByte()
	if kind < 0 {
		return false, nil
	}
	p.beginStep()
	if kind != 'a' && kind != 'd' {
		return false, fmt.Errorf("found the byte 0x%02x: expected 'a' or 'd' at the beginning of a step", kind)
	}
	p.deletion = kind == 'd'
	return true, nil
}

// readBinaryLiterals reads the literals of a step up to 0.
func (p *parser) readBinaryLiterals() error {
	for {
		code, err := p.readUvarint()
		switch {
		case err != nil:
			return err
		case code == 0:
			return nil
		case code < 2 || code>>1 > maxVariable:
			return fmt.Errorf("literal code %d is out of range: expected 2v or 2v+1 for a variable v of 1 to %d", code, maxVariable)
		}
		l := int32(code >> 1)
		if code&1 == 1 {
			l = -l
		}
		if err := p.addLiteral(l); err != nil {
			return err
		}
	}
}

// addLiteral adds a literal to the current step.
func (p *parser) addLiteral(l int32) error {
	if len(p.literals) == maxLiterals {
		return fmt.Errorf("a clause has more than %d literals: expected at most two per variable", maxLiterals)
	}
	p.literals = append(p.literals, l)
	return nil
}

// readUvarint reads a number in LEB128. A number of more than 5 bytes is not a literal.
func (p *parser) readUvarint() (uint64, error) {
	var n uint64
	for shift := 0; shift < 35; shift += 7 {
		b := p.readNextByte()
		if b < 0 {
			return 0, errors.New("the proof ends within a clause: expected a literal or 0")
		}
		n |= uint64(b&127) << shift
		if b < 128 {
			return n, nil
		}
	}
	return 0, fmt.Errorf("a literal has more than 5 bytes: expected 2v or 2v+1 for a variable v of 1 to %d", maxVariable)
}

// readTextStep reads a step of a text proof, and the comments before it.
func (p *parser) readTextStep() (ok bool, err error) {
	b := p.skipComments()
	if b < 0 {
		return false, nil
	}
	p.beginStep()
	if b == 'd' {
		p.deletion = true
		if b = p.readNextByte(); !isSeparator(b) {
			return false, fmt.Errorf("found %s: expected a blank after d", p.quoteToken("d", b))
		}
		p.unreadByte(b)
		b = p.skipBlanks()
	}
	return true, p.readTextLiterals(b)
}

// skipComments returns the first byte that is not in a comment and not blank, or -1 at the end.
func (p *parser) skipComments() int {
	b := p.skipBlanks()
	for b == 'c' {
		p.skipToLineEnd()
		b = p.skipBlanks()
	}
	return b
}

// readTextLiterals reads the literals of a step, which begin with b, up to 0.
func (p *parser) readTextLiterals(b int) error {
	for {
		l, err := p.readNumber(b)
		if err != nil || l == 0 {
			return err
		}
		if err := p.addLiteral(l); err != nil {
			return err
		}
		b = p.skipBlanks()
	}
}

// unreadByte puts back the byte that was read last, which was not the end of the input.
func (p *parser) unreadByte(b int) {
	if b >= 0 {
		p.pos--
	}
}

// isSeparator reports whether b separates tokens. The end of the input (-1) does.
func isSeparator(b int) bool { return b == ' ' || b == '\n' || b == '\t' || b == '\r' || b < 0 }

// skipBlanks returns the first byte that is not blank, or -1 at the end.
func (p *parser) skipBlanks() int {
	for {
		b := p.readNextByte()
		if b == '\n' {
			p.lines++
		}
		if !isSeparator(b) || b < 0 {
			return b
		}
	}
}

// skipToLineEnd skips to the end of the line.
func (p *parser) skipToLineEnd() {
	for {
		rest := p.buf[p.pos:]
		if i := bytes.IndexByte(rest, '\n'); i >= 0 {
			p.pos += i // skipBlanks reads the end of the line, because it counts lines
			return
		}
		p.pos = len(p.buf)
		if !p.fillBuffer() {
			return
		}
	}
}

// readNumber reads a literal or 0 that begins with b, and the end of its token.
func (p *parser) readNumber(b int) (int32, error) {
	if b < 0 {
		return 0, errors.New("the proof ends within a clause: expected a literal or 0")
	}
	first, sign := b, int64(1)
	if b == '-' {
		sign, b = -1, p.readNextByte()
	}
	var n int64
	digits := 0
	for b >= '0' && b <= '9' && n <= maxVariable {
		n = 10*n + int64(b-'0')
		digits++
		b = p.readNextByte()
	}
	switch {
	case n > maxVariable:
		return 0, fmt.Errorf("variable %d… is out of range: expected 1 to %d", n, maxVariable)
	case digits == 0 && sign < 0:
		return 0, fmt.Errorf("found %s: expected a literal or 0", p.quoteToken("-", b))
	case digits == 0:
		return 0, fmt.Errorf("found %s: expected a literal or 0; at the beginning of a step also d or c", p.quoteToken("", first))
	case !isSeparator(b):
		return 0, fmt.Errorf("found %s: expected a literal or 0", p.quoteToken(fmt.Sprint(sign*n), b))
	}
	p.unreadByte(b)
	return int32(sign * n), nil
}

// quoteToken quotes the token that begins with start and b and continues in the input.
func (p *parser) quoteToken(start string, b int) string {
	text := []byte(start)
	for len(text) < 20 && !isSeparator(b) {
		text = append(text, byte(b))
		b = p.readNextByte()
	}
	p.unreadByte(b)
	return fmt.Sprintf("%q", text)
}
