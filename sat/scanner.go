package sat

import (
	"io"
	"strconv"
)

// scanner cuts DIMACS text into tokens: what lies between blanks. Comments are
// skipped. It holds one token at a time, cut at maxToken bytes, so that no input
// makes it grow.
type scanner struct {
	in    io.Reader
	buf   []byte // what was read of it
	pos   int    // buf[pos:] is still to be scanned
	line  int    // the line that reading has come to, from 1
	token []byte // the present token
	at    int    // its line; at the end of the input that of the last token, or 1
	first bool   // it is the first on its line
	inRow bool   // a token has been read on this line

	broken error // the first error of the input other than its end
}

// maxToken is longer than every number worth reading; a token of that length may
// have been cut.
const maxToken = 40

// nextToken reads the next token that is not part of a comment. At the end of the
// input the error is io.EOF.
func (s *scanner) nextToken() error {
	s.at = max(s.at, 1)
	for {
		b, err := s.skipBlanks()
		if err != nil {
			return s.recordError(err)
		}
		s.first, s.inRow = !s.inRow, true
		if s.first && b == 'c' {
			if err := s.skipToNextLine(); err != nil {
				return s.recordError(err)
			}
			continue
		}
		s.at = s.line
		return s.recordError(s.readToken(b))
	}
}

// onSameLine reads the next token if it lies on the line of the present one. An
// error of the input is kept in broken.
func (s *scanner) onSameLine() bool {
	for {
		b, err := s.readNextByte()
		if err != nil {
			s.recordError(err)
			return false
		}
		if b == '\n' {
			s.pos-- // left for skipBlanks, which counts lines
			return false
		}
		if !isSeparator(b) {
			s.first = false
			return s.recordError(s.readToken(b)) == nil
		}
	}
}

// readToken reads a token that begins with b and leaves the blank after it unread. One
// that does not end is cut, since its beginning is no number.
func (s *scanner) readToken(b byte) error {
	const longest = 1 << 16
	s.token = append(s.token[:0], b)
	for n := 1; ; n++ {
		if n == longest {
			return nil
		}
		b, err := s.readNextByte()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if isSeparator(b) {
			s.pos-- // it may be a line's end, which skipBlanks counts
			return nil
		}
		if len(s.token) < maxToken {
			s.token = append(s.token, b)
		}
	}
}

// skipBlanks returns the first byte that is not blank.
func (s *scanner) skipBlanks() (byte, error) {
	for {
		b, err := s.readNextByte()
		switch {
		case err != nil:
			return 0, err
		case b == '\n':
			s.line++
			s.inRow = false
		case !isSeparator(b):
			return b, nil
		}
	}
}

// skipToNextLine goes to the next line.
func (s *scanner) skipToNextLine() error {
	for {
		b, err := s.readNextByte()
		if err != nil {
			return err
		}
		if b == '\n' {
			s.line++
			s.inRow = false
			return nil
		}
	}
}

// readNextByte returns the next byte. It is small, to be inlined.
func (s *scanner) readNextByte() (byte, error) {
	if s.pos == len(s.buf) {
		if err := s.fillBuffer(); err != nil {
			return 0, err
		}
	}
	b := s.buf[s.pos]
	s.pos++
	return b, nil
}

// fillBuffer reads on once all of buf has been scanned.
func (s *scanner) fillBuffer() error {
	const size, patience = 1 << 16, 100
	if s.buf == nil {
		s.buf = make([]byte, size)
	}
	for range patience {
		n, err := s.in.Read(s.buf[:size])
		s.buf, s.pos = s.buf[:n], 0
		if n > 0 {
			return nil // an error that came with data comes again
		}
		if err != nil {
			return err
		}
	}
	return io.ErrNoProgress
}

// recordError keeps an error of the input, and where it was met, and returns it.
func (s *scanner) recordError(err error) error {
	if err != nil && err != io.EOF && s.broken == nil {
		s.broken, s.at = err, s.line
	}
	return err
}

// quotedToken is the present token for an error message: on one line, short, and with
// what is not text escaped.
func (s *scanner) quotedToken() string {
	const shown = 20
	if len(s.token) > shown {
		return strconv.QuoteToASCII(string(s.token[:shown])) + "…"
	}
	return strconv.QuoteToASCII(string(s.token))
}

// isSeparator reports whether a byte separates tokens.
func isSeparator(b byte) bool { return b == ' ' || b == '\n' || b == '\t' || b == '\r' }
