package proofs

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
)

// spoolOf returns a spool in the test's directory.
func spoolOf(t *testing.T) *Spool {
	t.Helper()
	t.Setenv("TMPDIR", t.TempDir())
	s, err := Open(false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// filled appends random blocks to streams in turn. It returns the expected contents of each
// stream.
func filled(rng *rand.Rand, s *Spool, streams, blocks int) [][]byte {
	want := make([][]byte, streams)
	for range streams {
		s.stream()
	}
	for range blocks {
		i := rng.IntN(streams)
		data := make([]byte, rng.IntN(200))
		for j := range data {
			data[j] = byte(rng.Uint32())
		}
		s.append(s.streams[i], data)
		want[i] = append(want[i], data...)
	}
	return want
}

func contents(t *testing.T, s *spooled) []byte {
	t.Helper()
	data, err := io.ReadAll(io.NewSectionReader(s, 0, s.Size()))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// A stream is read back as it was written, from any offset.
func TestSpoolReadsWhatWasAppended(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	s := spoolOf(t)
	for i, want := range filled(rng, s, 5, 300) {
		stream := s.streams[i]
		if got := contents(t, stream); !bytes.Equal(got, want) {
			t.Fatalf("stream %d: %d bytes differ from the %d appended", i, len(got), len(want))
		}
		for range 500 {
			from, p := rng.IntN(len(want)+10), make([]byte, rng.IntN(700))
			n, err := stream.ReadAt(p, int64(from))
			rest := want[min(from, len(want)):]
			if rest = rest[:min(len(p), len(rest))]; !bytes.Equal(p[:n], rest) || (err == io.EOF) != (n < len(p)) {
				t.Fatalf("stream %d from %d: %d bytes of %d, %v", i, from, n, len(p), err)
			}
		}
	}
}

// Packed streams arrive unchanged, for every size of a shipment. Damaged shipments give an error,
// not a panic.
func TestLogsAreShipped(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	from := spoolOf(t)
	want := filled(rng, from, 7, 200)
	for _, limit := range []int{1, 100, 1000, 1 << 20} {
		if testing.Short() && limit == 1 {
			continue
		}
		to := spoolOf(t)
		var arrived []*spooled
		var sent []byte
		for m := (manifest{left: from.streams}); ; {
			data, err := m.pack(limit)
			if err != nil {
				t.Fatal(err)
			}
			if len(data) == 0 {
				break
			}
			arrived, sent = to.unpack(arrived, data), data
		}
		for i, stream := range arrived {
			if !bytes.Equal(contents(t, stream), want[i]) {
				t.Fatalf("limit %d: stream %d differs", limit, i)
			}
		}
		if len(arrived) != len(want) || to.Failed() != nil {
			t.Errorf("limit %d: %d streams of %d, %v", limit, len(arrived), len(want), to.Failed())
		}
		to.unpack(nil, sent[:len(sent)-1])
		if to.Failed() == nil {
			t.Errorf("limit %d: a shipment that was cut short was taken", limit)
		}
		for range 100 {
			torn := slices.Clone(sent)
			torn[rng.IntN(min(len(torn), 12))] ^= byte(1 + rng.IntN(255))
			spoolOf(t).unpack(nil, torn)
		}
	}
}

// After a write error the spool keeps returning that error.
func TestSpoolThatFails(t *testing.T) {
	s := spoolOf(t)
	stream := s.stream()
	s.append(stream, []byte("fits"))
	if s.Failed() != nil {
		t.Fatal(s.Failed())
	}
	s.file.Close()
	s.append(stream, []byte("does not"))
	if !errors.Is(s.Failed(), os.ErrClosed) {
		t.Error(s.Failed())
	}
	if stream.Size() != 4 {
		t.Errorf("%d bytes", stream.Size())
	}
}
