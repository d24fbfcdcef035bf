package graphfile

import (
	"bufio"
	"fmt"
	"io"
	"math"
)

// scanner reads whole numbers line by line, holding no line as a whole, so that memory
// does not depend on what a hostile file has in one.
type scanner struct {
	name  string
	in    *bufio.Reader
	line  int  // the current one, from 1; 0 before the first
	ended bool // the line has no more fields
	word  [maxWord]byte
}

// maxWord is the most bytes that a field may have; no number has more.
const maxWord = 32

func newScanner(name string, r io.Reader) *scanner {
	return &scanner{name: name, in: bufio.NewReaderSize(r, 1<<16), ended: true}
}

// errorInLine is an error in the current line.
func (s *scanner) errorInLine(format string, args ...any) error {
	return s.errorAtLine(s.line, format, args...)
}

func (s *scanner) errorAtLine(line int, format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", s.name, max(line, 1), fmt.Sprintf(format, args...))
}

// advanceLine goes to the next line, which comment, unless it is 0, does not begin. False: there
// is none. All fields of the current line must have been read.
func (s *scanner) advanceLine(comment byte) (bool, error) {
	for {
		c, err := s.in.ReadByte()
		if err == io.EOF {
			return false, nil
		}
		if err != nil {
			return false, s.readError(err)
		}
		s.line++
		if c != comment || comment == 0 {
			s.ended = false
			return true, s.in.UnreadByte()
		}
		for c != '\n' {
			if c, err = s.in.ReadByte(); err == io.EOF {
				return false, nil
			} else if err != nil {
				return false, s.readError(err)
			}
		}
	}
}

// readError is an error of reading, which says so itself.
func (s *scanner) readError(err error) error {
	return fmt.Errorf("%s:%d: %w", s.name, s.line+1, err)
}

// nextField returns the next field of the line, nothing at its end. It is valid until the
// next call.
func (s *scanner) nextField() ([]byte, error) {
	n := 0
	for !s.ended {
		c, err := s.in.ReadByte()
		switch {
		case err == io.EOF || c == '\n' && err == nil:
			s.ended = true
		case err != nil:
			return nil, s.readError(err)
		case c == ' ' || c == '\t' || c == '\r':
			if n > 0 {
				return s.word[:n], nil
			}
		case n == maxWord:
			return nil, s.errorInLine("%q…: expected a whole number", s.word[:n])
		default:
			s.word[n] = c
			n++
		}
	}
	return s.word[:n], nil
}

// readNumber returns the next field of the line, a number from low to high; false at its end.
func (s *scanner) readNumber(what string, low, high int64) (int64, bool, error) {
	word, err := s.nextField()
	if err != nil || len(word) == 0 {
		return 0, false, err
	}
	n := int64(0)
	for _, c := range word {
		if c < '0' || c > '9' {
			return 0, false, s.errorInLine("%s %q: expected a whole number", what, word)
		}
		if n > (math.MaxInt64-9)/10 {
			n = math.MaxInt64
			break
		}
		n = 10*n + int64(c-'0')
	}
	if n < low || n > high {
		return 0, false, s.errorInLine("%s %s: expected %d to %d", what, word, low, high)
	}
	return n, true, nil
}

// requireNumber is readNumber where the line must not be at its end.
func (s *scanner) requireNumber(what string, low, high int64) (int64, error) {
	n, ok, err := s.readNumber(what, low, high)
	if err == nil && !ok {
		err = s.errorInLine("the line ends: expected %s", what)
	}
	return n, err
}

// readNumberAcross is requireNumber where the number may be on a later line.
func (s *scanner) readNumberAcross(what string, low, high int64) (int64, error) {
	for {
		if n, ok, err := s.readNumber(what, low, high); ok || err != nil {
			return n, err
		}
		if more, err := s.advanceLine(0); err != nil {
			return 0, err
		} else if !more {
			return 0, s.errorInLine("the file ends: expected %s", what)
		}
	}
}

// requireLineEnd refuses more fields on the line.
func (s *scanner) requireLineEnd(after string) error {
	word, err := s.nextField()
	if err == nil && len(word) > 0 {
		err = s.errorInLine("%q after %s: expected the end of the line", word, after)
	}
	return err
}

// requireFileEnd refuses anything but blank lines and comments.
func (s *scanner) requireFileEnd(comment byte, after string) error {
	for {
		word, err := s.nextField()
		if err != nil {
			return err
		}
		if len(word) > 0 {
			return s.errorInLine("%q after %s: expected the end of the file", word, after)
		}
		if more, err := s.advanceLine(comment); !more {
			return err
		}
	}
}

// splitFlags takes a number of up to three digits, each 0 or 1, apart.
func (s *scanner) splitFlags(what string, n int64) (hundreds, tens, units bool, err error) {
	if n > 111 || n%10 > 1 || n/10%10 > 1 {
		return false, false, false, s.errorInLine("%s %d: expected up to three digits, each 0 or 1", what, n)
	}
	return n/100 == 1, n/10%10 == 1, n%10 == 1, nil
}
