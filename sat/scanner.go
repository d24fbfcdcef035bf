package sat

import (
	"io"
	"strconv"
)

// scanner splits DIMACS text into tokens, which blanks separate. It skips comments. It holds one
// token at a time, cut at maxToken bytes, so that its memory is bounded.
type scanner struct {
	in    io.Reader
	buf   []byte // bytes read from in
	pos   int    // buf[pos:] is not scanned yet
	line  int    // current line, from 1
	token []byte // the current token
	at    int    // line of the token; at the end of the input the line of the last token, or 1
	first bool   // the token is the first on its line
	inRow bool   // a token has been read on this line

	broken error // the first error of the input, except the end of the input
}

// maxToken is longer than every valid number. A token of that length may have been cut.
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

// onSameLine reads the next token if it is on the line of the current token. It keeps an error of
// the input in broken.
func (s *scanner) onSameLine() bool {
	for {
		b, err := s.readNextByte()
		if err != nil {
			s.recordError(err)
			return false
		}
		if b == '\n' {
			s.pos-- // skipBlanks reads the line end, because it counts lines
			return false
		}
		if !isSeparator(b) {
			s.first = false
			return s.recordError(s.readToken(b)) == nil
		}
	}
}

// readToken reads a token that begins with b. It leaves the blank after the token unread. It cuts
// a token that is too long, which is not a valid number.
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
			s.pos-- // skipBlanks reads it, because it may be a line end
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

// skipToNextLine skips to the next line.
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

// readNextByte returns the next byte. It is small enough to be inlined.
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

// fillBuffer reads more input when all of buf has been scanned.
func (s *scanner) fillBuffer() error {
	const size, patience = 1 << 16, 100
	if s.buf == nil {
		s.buf = make([]byte, size)
	}
	for range patience {
		n, err := s.in.Read(s.buf[:size])
		s.buf, s.pos = s.buf[:n], 0
		if n > 0 {
			return nil // an error that came with data is returned again
		}
		if err != nil {
			return err
		}
	}
	return io.ErrNoProgress
}

// recordError keeps an error of the input and its place, and returns it.
func (s *scanner) recordError(err error) error {
	if err != nil && err != io.EOF && s.broken == nil {
		s.broken, s.at = err, s.line
	}
	return err
}

// quotedToken returns the current token for an error message: on one line, short, with non-text
// bytes escaped.
func (s *scanner) quotedToken() string {
	const shown = 20
	if len(s.token) > shown {
		return strconv.QuoteToASCII(string(s.token[:shown])) + "…"
	}
	return strconv.QuoteToASCII(string(s.token))
}

// isSeparator reports whether a byte separates tokens.
func isSeparator(b byte) bool { return b == ' ' || b == '\n' || b == '\t' || b == '\r' }
