package proof_test

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"treesplit/sat/proof"
)

// logOf returns the log that write writes.
func logOf(write func(l *proof.Log)) []byte {
	var data bytes.Buffer
	l := proof.NewLog(func(block []byte) { data.Write(block) })
	write(l)
	l.Flush()
	return data.Bytes()
}

// exchangedLogs are the logs of two shares. The second share refutes the tree. It has taken in the clause 1 of
// the first share, and the first share the clause 2 of the second.
func exchangedLogs() [][]byte {
	return [][]byte{
		logOf(func(l *proof.Log) {
			l.WriteRunStart(0)
			l.WriteNode(1, 5, false)
			l.WriteLearnt([]int32{9})
			l.SetClock(3)
			l.WriteLearnt([]int32{2})
			l.WriteDeleted([]int32{2})
			l.SetClock(3)
			l.WriteLearnt([]int32{3})
			l.WriteAbandoned()
		}),
		logOf(func(l *proof.Log) {
			l.WriteRoot()
			l.WriteLearnt([]int32{1})
			l.SetClock(2)
			l.SetClock(2)
			l.WriteKept([]int32{2})
			l.SetClock(7)
			l.WriteLearnt([]int32{4})
		}),
	}
}

// mergeLearnt merges logs and returns the proof as text.
func mergeLearnt(logs [][]byte) (string, int64, error) {
	var text bytes.Buffer
	out := proof.NewWriter(&text, proof.Text)
	nodes, err := proof.MergeLearntFirst(out, streamsOf(logs))
	err = cmp.Or(err, out.Flush())
	return text.String(), nodes, err
}

// Learnt clauses are in the order of their clocks, and clauses of one log in its order.
func TestClocksOrderClauses(t *testing.T) {
	got, nodes, err := mergeLearnt(exchangedLogs())
	if want := "9 0\n1 0\n2 0\n2 0\nd 2 0\n3 0\n4 0\n0\n"; got != want || nodes != 1 || err != nil {
		t.Errorf("%q of %d nodes, %v, want %q of 1", got, nodes, err, want)
	}
}

// randomClocks returns logs of learnt clauses with random clocks, and the clauses in the order that the proof has: by
// clock, then by log, then as in the log. The clause k has the literal k alone.
func randomClocks(rng *rand.Rand, shares int) (logs [][]byte, want string) {
	type learnt struct{ clock, clause int }
	var all []learnt
	for range shares {
		logs = append(logs, logOf(func(l *proof.Log) {
			l.WriteRoot()
			for clock := 0; rng.IntN(8) > 0; clock += rng.IntN(4) {
				l.SetClock(uint64(clock))
				for range rng.IntN(3) * rng.IntN(1000) {
					all = append(all, learnt{clock, len(all) + 1})
					l.WriteLearnt([]int32{int32(len(all))})
				}
			}
		}))
	}
	slices.SortStableFunc(all, func(a, b learnt) int { return a.clock - b.clock })
	var text strings.Builder
	for _, c := range all {
		fmt.Fprintf(&text, "%d 0\n", c.clause)
	}
	return logs, text.String()
}

// The order holds for many logs of any length, of which some are empty.
func TestClocksOrderManyLogs(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 6))
		logs, want := randomClocks(rng, rng.IntN(20))
		got, _, err := mergeLearnt(logs) // without a tree if the number of logs is not 1
		if len(logs) == 1 && err != nil || !strings.HasPrefix(got, want) || strings.Count(got, "\n") > strings.Count(want, "\n")+1 {
			t.Errorf("seed %d, %d logs: %d bytes, %v, want %d", seed, len(logs), len(got), err, len(want))
		}
	}
}

// A merge of many logs needs neither a window for each log nor a comparison of all logs for each clock.
func BenchmarkMergeManyLogs(b *testing.B) {
	const shares, clocks = 10_000, 10
	streams := make([]proof.Stream, shares)
	for i := range streams {
		streams[i] = bytes.NewReader(logOf(func(l *proof.Log) {
			if i == 0 {
				l.WriteRoot()
			} else {
				l.WriteRunStart(0)
				l.WriteNode(1, 5, false)
			}
			for k := range clocks {
				l.WriteLearnt([]int32{int32(i + 1)})
				l.SetClock(uint64(1 + i%7 + k))
			}
			if i > 0 {
				l.WriteAbandoned()
			}
		}))
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := proof.MergeLearntFirst(proof.NewWriter(io.Discard, proof.Binary), streams); err != nil {
			b.Fatal(err)
		}
	}
}

// Clocks that go back or stand still are refused, and so are logs that are cut off.
func TestClocksMustAdvance(t *testing.T) {
	logs := exchangedLogs()
	for from, to := range map[string]string{"\x0a\x07": "\x0a\x02", "\x0a\x02": "\x0a\x00"} {
		damaged := [][]byte{logs[0], bytes.Replace(logs[1], []byte(from), []byte(to), 1)}
		if bytes.Equal(damaged[1], logs[1]) {
			t.Fatalf("%q is not in %q", from, logs[1])
		}
		if got, _, err := mergeLearnt(damaged); err == nil {
			t.Errorf("%q as %q gives %q", from, to, got)
		}
	}
	for n := range len(logs[1]) {
		mergeLearnt([][]byte{logs[0], logs[1][:n]})
	}
	if _, _, err := mergeLearnt([][]byte{logs[0], logs[1][:len(logs[1])-1]}); err == nil {
		t.Error("a log that is cut off is accepted")
	}
}

// In the order of the tree clocks are ignored, and the clauses of an abandoned node are dropped.
func TestClocksInTreeOrder(t *testing.T) {
	data, nodes, err := merge(streamsOf(exchangedLogs()), proof.Text)
	if want := "1 0\n2 0\n4 0\n0\n"; string(data) != want || nodes != 1 || err != nil {
		t.Errorf("%q of %d nodes, %v, want %q", data, nodes, err, want)
	}
}

// FuzzMergeLearnt merges anything without a fault.
func FuzzMergeLearnt(f *testing.F) {
	logs := exchangedLogs()
	f.Add(logs[0], logs[1])
	f.Fuzz(func(_ *testing.T, a, b []byte) { mergeLearnt([][]byte{a, b}) })
}
