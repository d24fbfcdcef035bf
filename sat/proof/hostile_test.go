package proof_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"treesplit/sat"
	"treesplit/sat/proof"
)

// Logs that were cut off are refused. If only children of a node are lost that now looks like a
// leaf, the number of nodes shows the loss. Logs that were overwritten do not give another proof.
func TestDamagedLogs(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 1))
	f := formula(t, "php", 0, map[string]float64{"n": 5})
	s := newShares(rng, sat.NewPaper(f), 3, true)
	s.work(t)
	s.streams()
	var logs [][]byte
	for _, d := range s.data {
		logs = append(logs, d.Bytes())
	}
	text, all, err := merge(streamsOf(logs), proof.Text)
	if err != nil {
		t.Fatal(err)
	}
	for j, whole := range logs {
		for n := range len(whole) {
			logs[j] = whole[:n]
			if _, nodes, err := merge(streamsOf(logs), proof.Text); err == nil && nodes >= all {
				t.Fatalf("log %d cut off after %d of %d bytes: %d nodes", j, n, len(whole), nodes)
			}
		}
		logs[j] = whole
	}
	for range 2000 { // another byte may be another tree's, but not one with another proof of this
		j := rng.IntN(len(logs))
		at, to := rng.IntN(len(logs[j])), byte(rng.IntN(256))
		was := logs[j][at]
		logs[j][at] = to
		if got, _, err := merge(streamsOf(logs), proof.Text); err == nil && !bytes.Equal(got, text) {
			if lines, err := parseText(got); err != nil || refutes(f, lines) == nil {
				t.Fatalf("byte %d of log %d, %#x made %#x, gave another proof", at, j, was, to)
			}
		}
		logs[j][at] = was
	}
}

func streamsOf(logs [][]byte) (streams []proof.Stream) {
	for _, l := range logs {
		streams = append(streams, bytes.NewReader(l))
	}
	return streams
}

// unreadable is a stream whose data is not there.
type unreadable struct{ err error }

func (u unreadable) ReadAt([]byte, int64) (int, error) { return 0, u.err }
func (unreadable) Size() int64                         { return 10 }

// full accepts the given number of bytes and then returns an error.
type full int

var errFull = errors.New("no space left")

func (f *full) Write(p []byte) (int, error) {
	n := min(len(p), int(*f))
	if *f -= full(n); n < len(p) {
		return n, errFull
	}
	return n, nil
}

func TestErrorsOfFiles(t *testing.T) {
	gone := errors.New("gone")
	if _, _, err := merge([]proof.Stream{unreadable{gone}}, proof.Text); !errors.Is(err, gone) {
		t.Errorf("a log that cannot be read: %v", err)
	}
	rng := rand.New(rand.NewPCG(9, 1))
	s := newShares(rng, sat.NewPaper(formula(t, "php", 0, map[string]float64{"n": 6})), 2, true)
	s.work(t)
	streams := s.streams()
	text, _, err := merge(streams, proof.Text)
	if err != nil {
		t.Fatal(err)
	}
	for _, room := range []int{0, 1, len(text) / 2, len(text) - 1} {
		out := full(room)
		w := proof.NewWriter(&out, proof.Text)
		_, err := proof.MergeLogs(w, streams)
		if flushed := w.Flush(); !errors.Is(flushed, errFull) || err != nil && !errors.Is(err, errFull) {
			t.Errorf("room for %d bytes of %d: %v, %v", room, len(text), err, flushed)
		}
	}
	if _, err := proof.ParseFormat("lrat"); err == nil || !strings.Contains(err.Error(), "text or binary") {
		t.Errorf("format lrat: %v", err)
	}
}

// Merge refuses any bytes that are no log, and never panics or runs on.
func FuzzMerge(f *testing.F) {
	rng := rand.New(rand.NewPCG(10, 1))
	for _, n := range []int{1, 2} {
		s := newShares(rng, sat.NewPaper(formula(f, "php", 0, map[string]float64{"n": 3})), n, true)
		s.work(f)
		s.streams()
		f.Add(s.data[0].Bytes(), s.data[n-1].Bytes())
	}
	f.Add([]byte{2, 0, 3, 1, 4, 2, 1, 8, 2, 1, 7}, []byte{1, 1, 7, 2, 2, 2})
	f.Fuzz(func(t *testing.T, a, b []byte) {
		text, nodes, err := merge(streamsOf([][]byte{a, b}), proof.Text)
		if err == nil && (nodes > int64(len(a)+len(b)) || nodes%2 == 0 || !bytes.HasSuffix(text, []byte("0\n"))) {
			t.Errorf("%d nodes of %d bytes: %q", nodes, len(a)+len(b), text)
		}
	})
}
