// Package fileiotest has inputs without end, for tests of bounds.
package fileiotest

import "io"

// Endless returns a reader that repeats a text, which must not be empty, for ever.
func Endless(text string) io.Reader { return &endless{text: text} }

type endless struct {
	text string
	at   int // the next byte of text
}

// Read fills p.
func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = e.text[e.at]
		e.at = (e.at + 1) % len(e.text)
	}
	return len(p), nil
}
