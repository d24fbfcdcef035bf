package cli

import (
	"errors"
	"io"
)

// answer is standard output. It remembers the first error, so that commands need not check each line
// that they print.
type answer struct {
	to  io.Writer
	err error // the first
}

// Write writes a part of the answer. After an error it does nothing.
func (w *answer) Write(data []byte) (n int, err error) {
	if w.err == nil {
		n, w.err = w.to.Write(data)
	}
	return n, w.err
}

// Unwrap returns the writer that receives the answer.
func (w *answer) Unwrap() io.Writer { return w.to }

// addLostAnswer returns the error of a command, and also the error of standard output if the command has
// not returned it.
func (a *app) addLostAnswer(err error) error {
	out, ok := a.stdout.(*answer)
	if !ok || out.err == nil || errors.Is(err, out.err) {
		return err
	}
	return joinErrors(err, out.err)
}
