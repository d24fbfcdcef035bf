package sat

import (
	"bufio"
	"io"
	"strconv"
)

// scanner cuts DIMACS text into tokens: what lies between blanks. Comments are
// skipped. It holds one token at a time, cut at maxToken bytes, so that no input
// makes it grow.
type scanner struct {
	in    *bufio.Reader
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

// next reads the next token that is not part of a comment. At the end of the
// input the error is io.EOF.
func (s *scanner) next() error {
	s.at = max(s.at, 1)
	for {
		b, err := s.skipBlanks()
		if err != nil {
			return s.failed(err)
		}
		s.first, s.inRow = !s.inRow, true
		if s.first && b == 'c' {
			if err := s.skipLine(); err != nil {
				return s.failed(err)
			}
			continue
		}
		s.at = s.line
		return s.failed(s.readToken(b))
	}
}

// onSameLine reads the next token if it lies on the line of the present one. An
// error of the input is kept in broken.
func (s *scanner) onSameLine() bool {
	for {
		b, err := s.in.ReadByte()
		if err != nil {
			s.failed(err)
			return false
		}
		if b == '\n' {
			s.in.UnreadByte()
			return false
		}
		if !blank(b) {
			s.first = false
			return s.failed(s.readToken(b)) == nil
		}
	}
}

// readToken reads a token that begins with b and leaves the blank after it unread.
func (s *scanner) readToken(b byte) error {
	s.token = append(s.token[:0], b)
	for {
		b, err := s.in.ReadByte()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if blank(b) {
			return s.in.UnreadByte()
		}
		if len(s.token) < maxToken {
			s.token = append(s.token, b)
		}
	}
}

// skipBlanks returns the first byte that is not blank.
func (s *scanner) skipBlanks() (byte, error) {
	for {
		b, err := s.in.ReadByte()
		switch {
		case err != nil:
			return 0, err
		case b == '\n':
			s.line++
			s.inRow = false
		case !blank(b):
			return b, nil
		}
	}
}

// skipLine goes to the next line.
func (s *scanner) skipLine() error {
	for {
		b, err := s.in.ReadByte()
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

// failed keeps an error of the input, and where it was met, and returns it.
func (s *scanner) failed(err error) error {
	if err != nil && err != io.EOF && s.broken == nil {
		s.broken, s.at = err, s.line
	}
	return err
}

// quoted is the present token for an error message: on one line, short, and with
// what is not text escaped.
func (s *scanner) quoted() string {
	const shown = 20
	if len(s.token) > shown {
		return strconv.QuoteToASCII(string(s.token[:shown])) + "…"
	}
	return strconv.QuoteToASCII(string(s.token))
}

// blank says whether a byte separates tokens.
func blank(b byte) bool { return b == ' ' || b == '\n' || b == '\t' || b == '\r' }
