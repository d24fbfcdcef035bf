package drat

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"time"

	"github.com/klauspost/compress/gzip"
)

// square is an unsatisfiable formula.
var square = [][]int32{{1, 2}, {1, -2}, {-1, 2}, {-1, -2}}

// squareLemmas returns the number of lemmas in squareProof before the refutation. With more workers the proof is
// longer than the part that one worker checks alone.
func (o Options) squareLemmas() int {
	if o.Workers > 1 {
		return 40_000
	}
	return 4_000
}

// squareProof returns a proof of square in the format of the options.
func (o Options) squareProof() string {
	var proof strings.Builder
	lemmas := o.squareLemmas()
	for i := range lemmas {
		if o.Format == LRAT {
			fmt.Fprintf(&proof, "%d 1 %d 0 1 2 0\n", 5+i, 3+i)
		} else {
			fmt.Fprintf(&proof, "1 %d 0\n", 3+i)
		}
	}
	if o.Format == LRAT {
		return proof.String() + fmt.Sprintf("%d 1 0 1 2 0\n%d 0 %d 3 4 0\n", 5+lemmas, 6+lemmas, 5+lemmas)
	}
	return proof.String() + "1 0\n0\n"
}

// allModes returns the ways to check a proof.
func allModes() map[string]Options {
	return map[string]Options{
		"forward":       {Mode: Forward},
		"together":      {Mode: Forward, Workers: 3},
		"backward":      {Mode: Backward},
		"backward LRAT": {Mode: Backward, LRAT: io.Discard},
		"LRAT":          {Format: LRAT},
		"LRAT together": {Format: LRAT, Workers: 3},
		"any":           {Mode: Auto, Format: AnyFormat, Workers: 3},
	}
}

// A check that is interrupted at any moment returns ErrInterrupted and verifies nothing, in all modes and
// with more workers. A check that is asked fewer times than it asks is verified. It asks after a small number
// of steps, however many steps it reads at a time.
func TestInterrupted(t *testing.T) {
	for name, o := range allModes() {
		text := o.squareProof()
		check := func(limit int64) (r Report, asked int64, err error) {
			var count atomic.Int64
			o.Interrupted = func() bool { return count.Add(1) > limit }
			r, err = Check(slices.All(square), strings.NewReader(text), "p", o)
			return r, count.Load(), err
		}
		r, last, err := check(1 << 30)
		if err != nil || !r.Verified || last < int64(o.squareLemmas()/interruptSteps) {
			t.Fatalf("%s: %+v, %v; asked %d times", name, r, err, last)
		}
		for limit := int64(0); limit < last*9/10; limit += 1 + 2*limit { // workers ask a few times more or less
			if r, _, err := check(limit); !errors.Is(err, ErrInterrupted) || r.Verified {
				t.Fatalf("%s, %d: %+v, %v", name, limit, r, err)
			}
		}
	}
}

// chain returns a formula and a proof of n lemmas that are all needed: literal 1 holds, and each lemma is the
// next literal, which follows by cases.
func chain(n int) (formula [][]int32, proof string) {
	var lemmas strings.Builder
	formula = [][]int32{{1}, {int32(-n - 1)}}
	for x := int32(1); x <= int32(n); x++ {
		y := x + int32(n) + 1
		formula = append(formula, []int32{-x, y, x + 1}, []int32{-x, -y, x + 1})
		fmt.Fprintf(&lemmas, "%d 0\n", x+1)
	}
	return formula, lemmas.String() + "0\n"
}

// A check that is interrupted while it writes an LRAT proof has verified the proof.
func TestInterruptedWriting(t *testing.T) {
	formula, proof := chain(6000)
	written := 0
	out := writerFunc(func(p []byte) (int, error) {
		written += len(p)
		return len(p), nil
	})
	for _, interrupted := range []bool{false, true} {
		written = 0
		o := Options{Mode: Backward, LRAT: out, Interrupted: func() bool { return interrupted && written > 0 }}
		r, err := Check(slices.All(formula), strings.NewReader(proof), "p", o)
		if !r.Verified || errors.Is(err, ErrInterrupted) != interrupted {
			t.Fatalf("interrupted %v: verified %v, %v", interrupted, r.Verified, err)
		}
		if all := r.WrittenLemmas >= 6000; all == interrupted {
			t.Errorf("interrupted %v: %d lemmas written", interrupted, r.WrittenLemmas)
		}
	}
}

// A proof in LRAT has no mode, also if its first steps show the format.
func TestModeOfLRAT(t *testing.T) {
	for _, format := range []Format{LRAT, AnyFormat} {
		for mode, ok := range map[Mode]bool{Forward: false, Backward: false, Auto: true, "": true} {
			o := Options{Mode: mode, Format: format}
			_, err := Check(slices.All(square), strings.NewReader(Options{Format: LRAT}.squareProof()), "p", o)
			if (err == nil) != ok {
				t.Errorf("format %s, mode %q: %v", format, mode, err)
			}
		}
	}
}

// writerFunc is a function that writes.
type writerFunc func(p []byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// checkSilent checks a proof in a pipe that is silent after some bytes. The check is interrupted when all bytes
// are read.
func checkSilent(t *testing.T, o Options, proof string) {
	t.Helper()
	in, out := io.Pipe()
	defer out.Close()
	var silent atomic.Bool
	go func() {
		io.WriteString(out, proof)
		silent.Store(true)
	}()
	o.Interrupted = silent.Load
	failed := make(chan error, 1)
	go func() {
		_, err := Check(slices.All(square), in, "p", o)
		failed <- err
	}()
	select {
	case err := <-failed:
		if !errors.Is(err, ErrInterrupted) {
			t.Error(err)
		}
	case <-time.After(time.Minute):
		t.Fatal("the check waits for the pipe")
	}
}

// A check is interrupted while the pipe with the proof is silent, in all modes, at the begin and later, and if the
// proof is compressed.
func TestInterruptedSilence(t *testing.T) {
	for name, o := range allModes() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, proof := range []string{"", o.squareProof()[:o.squareLemmas()*7], compressed(t, o.squareProof())[:4000]} {
				checkSilent(t, o, proof)
			}
		})
	}
}

// compressed returns a proof in the format of gzip.
func compressed(t *testing.T, proof string) string {
	t.Helper()
	var data bytes.Buffer
	w := gzip.NewWriter(&data)
	if _, err := io.WriteString(w, proof); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return data.String()
}

// If the proof ends in the moment of the interruption, the check is interrupted, and the proof is not refused: the
// same Ctrl-C has ended the program that writes it.
func TestInterruptedAtEnd(t *testing.T) {
	for name, o := range allModes() {
		text := o.squareProof()
		for _, cut := range []int{0, 100, 7*o.squareLemmas() + 3, len(text) - 1} {
			var ended atomic.Bool
			o.Interrupted = ended.Load
			end := readerFunc(func([]byte) (int, error) { ended.Store(true); return 0, io.EOF })
			r, err := Check(slices.All(square), io.MultiReader(strings.NewReader(text[:cut]), end), "p", o)
			if !errors.Is(err, ErrInterrupted) || r.Verified {
				t.Errorf("%s, %d bytes: %+v, %v", name, cut, r, err)
			}
		}
	}
}

// readerFunc is a reader.
type readerFunc func(p []byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// A check that is interrupted while compressed data is read returns ErrInterrupted, and not that the data is
// damaged or truncated.
func TestInterruptedDecoding(t *testing.T) {
	proof := "1 0\n0\n"
	zstd := "\x28\xb5\x2f\xfd\x20\x06\x31\x00\x00" + proof // one block that is not compressed
	for _, data := range []string{proof, zstd, compressed(t, proof)} {
		check := func(limit int) (asked int, err error) {
			o := Options{Mode: Backward, Interrupted: func() bool { asked++; return asked > limit }}
			_, err = Check(slices.All(square), iotest.OneByteReader(strings.NewReader(data)), "p", o)
			return asked, err
		}
		last, err := check(1 << 30)
		if err != nil || last < 2*len(data) {
			t.Fatalf("%q: %v; asked %d times", data, err, last)
		}
		for limit := range last {
			if _, err := check(limit); !errors.Is(err, ErrInterrupted) {
				t.Errorf("%q, %d: %v", data, limit, err)
			}
		}
	}
}

// If the lemmas take too much memory for a backward check, the steps that were read are checked forward. An
// interruption ends this check too.
func TestInterruptedContinuation(t *testing.T) {
	const lemmas = 300
	var proof strings.Builder
	for i := range lemmas {
		fmt.Fprintf(&proof, "1 %d 0\nd 1 %d 0\n", 3+i, 3+i)
	}
	proof.WriteString("1 0\n0\n")
	asked := 0
	check := func(limit int) (Report, error) {
		asked = 0
		b := newBackward()
		b.room, b.slack = 4*lemmas, 0
		o := Options{Mode: Auto, Interrupted: func() bool { asked++; return asked > limit }}
		return b.checkProof(slices.All(square), newParser(strings.NewReader(proof.String())), "p", o)
	}
	if r, err := check(1 << 30); err != nil || !r.Verified || r.Backward || asked < 3 {
		t.Fatalf("%+v, %v; asked %d times", r, err, asked)
	}
	for limit := range asked {
		if r, err := check(limit); !errors.Is(err, ErrInterrupted) || r.Verified {
			t.Fatalf("%d: %+v, %v", limit, r, err)
		}
	}
}
