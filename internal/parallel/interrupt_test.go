package parallel

import (
	"errors"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"testing/iotest"
)

// A reader that is not interrupted returns the bytes and the error of its input, however the input gives them.
func TestInterruptibleReader(t *testing.T) {
	broken := errors.New("the disk is broken")
	text := strings.Repeat("1 2 0\n", 20_000)
	for name, in := range map[string]func(r io.Reader) io.Reader{
		"whole":    func(r io.Reader) io.Reader { return r },
		"halves":   iotest.HalfReader,
		"at once":  iotest.DataErrReader,
		"an error": func(r io.Reader) io.Reader { return io.MultiReader(r, iotest.ErrReader(broken)) },
	} {
		want, wantErr := io.ReadAll(in(strings.NewReader(text)))
		r := NewInterruptibleReader(in(strings.NewReader(text)), func() bool { return false }, io.ErrNoProgress)
		if got, err := io.ReadAll(r); string(got) != string(want) || err != wantErr {
			t.Errorf("%s: %d bytes, %v, want %d, %v", name, len(got), err, len(want), wantErr)
		}
	}
}

// A reader that is interrupted while its input is silent ends. A reader that is interrupted when its input ends
// returns its own error, and not the end.
func TestInterruptedReader(t *testing.T) {
	stopped := errors.New("stopped")
	silent, producer := io.Pipe()
	defer producer.Close()
	asked := 0
	r := NewInterruptibleReader(silent, func() bool { asked++; return asked > 2 }, stopped)
	if n, err := r.Read(make([]byte, 10)); n != 0 || err != stopped {
		t.Errorf("%d bytes, %v", n, err)
	}
	var ended atomic.Bool
	end := readerFunc(func([]byte) (int, error) { ended.Store(true); return 0, io.EOF })
	if got, err := io.ReadAll(NewInterruptibleReader(io.MultiReader(strings.NewReader("1 2 0\n"), end), ended.Load, stopped)); string(got) != "1 2 0\n" || err != stopped {
		t.Errorf("%q, %v", got, err)
	}
}

// readerFunc is a reader.
type readerFunc func(p []byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// OneAtATime lets the race detector find no race.
func TestOneAtATime(t *testing.T) {
	const goroutines, calls = 4, 1000
	n := 0
	count := OneAtATime(func() bool { n++; return true })
	done := make(chan struct{})
	for range goroutines {
		go func() {
			for range calls {
				count()
			}
			done <- struct{}{}
		}()
	}
	for range goroutines {
		<-done
	}
	if n != goroutines*calls {
		t.Errorf("%d calls, want %d", n, goroutines*calls)
	}
}
