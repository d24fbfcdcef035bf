package drat

import (
	"errors"
	"fmt"
)

// maxID is the largest number of a clause in an LRAT proof.
const maxID = 1 << 59

// maxHints bounds the hints of a lemma and the clauses that one step deletes.
const maxHints = 1 << 25

// hintParser reads the steps of an LRAT proof, one at a time. The text of a lemma is its number,
// its literals, 0, its hints, 0; a deletion is a number, which has no meaning, d, the numbers of
// clauses, 0. A binary lemma is 'a', its number, its literals, 0, its hints, 0, and a deletion
// 'd', the numbers, 0. All numbers of the binary format are in LEB128, with 2n for n and 2n+1 for
// -n, as CaDiCaL and drat-trim write them. Sources: L. Cruz-Filipe et al., Efficient Certified RAT
// Verification, CADE 2017, section 3; CaDiCaL 2, lrattracer.cpp.
type hintParser struct {
	*parser
	id    int64   // the number of the lemma
	hints []int64 // of the lemma; or the clauses that are deleted
}

// readHintStep reads a step; ok is false at the end of the proof.
func (p *hintParser) readHintStep() (ok bool, err error) {
	p.literals, p.hints, p.id = p.literals[:0], p.hints[:0], 0
	if p.binary {
		ok, err = p.readBinaryHints()
	} else {
		ok, err = p.readTextHints()
	}
	return p.finishStep(ok, err)
}

// readBinaryHints reads a step of a binary proof.
func (p *hintParser) readBinaryHints() (ok bool, err error) {
	if ok, err = p.beginBinaryStep(); !ok || err != nil {
		return ok, err
	}
	if p.deletion {
		return true, p.readBinaryIDs(false)
	}
	code, err := p.readLongUvarint()
	switch {
	case err != nil:
		return false, err
	case code&1 == 1 || code == 0:
		return false, fmt.Errorf("number code %d is out of range: expected 2n for the number n of a lemma", code)
	}
	p.id = int64(code >> 1)
	if err := p.readBinaryLiterals(); err != nil {
		return false, err
	}
	return true, p.readBinaryIDs(true)
}

// readBinaryIDs reads the numbers of clauses up to 0.
func (p *hintParser) readBinaryIDs(signed bool) error {
	for {
		code, err := p.readLongUvarint()
		switch {
		case err != nil:
			return err
		case code == 0:
			return nil
		case code == 1 || code&1 == 1 && !signed:
			return fmt.Errorf("number code %d is out of range: expected 2n for the number n of a clause", code)
		}
		id := int64(code >> 1)
		if code&1 == 1 {
			id = -id
		}
		if err := p.addHint(id); err != nil {
			return err
		}
	}
}

// readLongUvarint reads a number in LEB128 of a clause number.
func (p *hintParser) readLongUvarint() (uint64, error) {
	var n uint64
	for shift := 0; shift < 63; shift += 7 {
		b := p.readNextByte()
		if b < 0 {
			return 0, errors.New("the proof ends within a step: expected the number of a clause or 0")
		}
		n |= uint64(b&127) << shift
		if b < 128 && n>>1 <= maxID {
			return n, nil
		}
		if b < 128 {
			break
		}
	}
	return 0, fmt.Errorf("the number of a clause is out of range: expected 1 to %d", int64(maxID))
}

// addHint adds a hint or the number of a clause that is deleted.
func (p *hintParser) addHint(id int64) error {
	if len(p.hints) == maxHints {
		return fmt.Errorf("a step has more than %d numbers of clauses: expected at most that number", maxHints)
	}
	p.hints = append(p.hints, id)
	return nil
}

// readTextHints reads a step of a text proof, and the comments before it.
func (p *hintParser) readTextHints() (ok bool, err error) {
	b := p.skipComments()
	if b < 0 {
		return false, nil
	}
	p.beginStep()
	if p.id, err = p.readID(b); err != nil {
		return false, err
	}
	if p.id <= 0 {
		return false, fmt.Errorf("the step begins with %d: expected the number of a clause, from 1", p.id)
	}
	if b = p.skipBlanks(); b == 'd' {
		p.deletion = true
		if b = p.readNextByte(); !isSeparator(b) {
			return false, fmt.Errorf("found %s: expected a blank after d", p.quoteToken("d", b))
		}
		p.unreadByte(b)
	} else if err := p.readTextLiterals(b); err != nil {
		return false, err
	}
	return true, p.readTextIDs()
}

// readTextIDs reads the numbers of clauses up to 0.
func (p *hintParser) readTextIDs() error {
	for {
		id, err := p.readID(p.skipBlanks())
		switch {
		case err != nil:
			return err
		case id == 0:
			return nil
		case id < 0 && p.deletion:
			return fmt.Errorf("a deletion has the number %d: expected numbers from 1", id)
		}
		if err := p.addHint(id); err != nil {
			return err
		}
	}
}

// readID reads the number of a clause, perhaps negated, or 0, which begins with b.
func (p *hintParser) readID(b int) (int64, error) {
	if b < 0 {
		return 0, errors.New("the proof ends within a step: expected the number of a clause or 0")
	}
	start, sign := "", int64(1)
	if b == '-' {
		start, sign, b = "-", -1, p.readNextByte()
	}
	var n int64
	digits := 0
	for ; b >= '0' && b <= '9' && n <= maxID; b = p.readNextByte() {
		n = 10*n + int64(b-'0')
		digits++
	}
	switch {
	case n > maxID:
		return 0, fmt.Errorf("the number %d… is out of range: expected the number of a clause, 1 to %d", n, int64(maxID))
	case digits == 0:
		return 0, fmt.Errorf("found %s: expected the number of a clause or 0", p.quoteToken(start, b))
	case !isSeparator(b):
		return 0, fmt.Errorf("found %s: expected the number of a clause or 0", p.quoteToken(fmt.Sprint(sign*n), b))
	}
	p.unreadByte(b)
	return sign * n, nil
}
