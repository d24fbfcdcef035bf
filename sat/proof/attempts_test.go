package proof_test

import (
	"bytes"
	"strings"
	"testing"

	"treesplit/sat/proof"
)

// newAttemptLog returns a log and its bytes.
func newAttemptLog() (*proof.AttemptLog, *bytes.Buffer) {
	data := new(bytes.Buffer)
	return proof.NewAttemptLog(func(block []byte) { data.Write(block) }), data
}

// threeLogs returns logs of attempts 7 and 9. Attempt 7 has refuted the formula in three parts, of
// which the last two are connected: it began again in part 1.
func threeLogs() [][]byte {
	a, first := newAttemptLog()
	b, second := newAttemptLog()
	c, third := newAttemptLog()
	a.BeginPart(7, 0)
	a.WriteLearnt([]int32{100})
	a.ContinuePart(7, 2, 2)
	a.WriteLearnt([]int32{-3})
	a.WriteLearnt(nil)
	a.WriteRefuted(4)
	b.BeginPart(7, 1)
	b.WriteLearnt([]int32{1, -2})
	b.WriteDeleted([]int32{1, -2})
	c.BeginPart(9, 0)
	c.WriteLearnt([]int32{50})
	for _, l := range []*proof.AttemptLog{a, b, c} {
		l.Flush()
	}
	return [][]byte{first.Bytes(), second.Bytes(), third.Bytes()}
}

// mergeAttempts returns the proof of logs as text.
func mergeAttempts(logs ...[]byte) (text string, attempt uint64, err error) {
	var out bytes.Buffer
	w := proof.NewWriter(&out, proof.Text)
	if attempt, err = proof.MergeAttempts(w, streamsOf(logs)); err == nil {
		err = w.Flush()
	}
	return out.String(), attempt, err
}

// The proof has the parts of the attempt that has refuted the formula, in their order, from the
// place where the attempt began last.
func TestMergeAttempts(t *testing.T) {
	text, attempt, err := mergeAttempts(threeLogs()...)
	if want := "1 -2 0\nd 1 -2 0\n-3 0\n0\n"; err != nil || attempt != 7 || text != want {
		t.Errorf("attempt %d, %v, %q: want attempt 7 and %q", attempt, err, text, want)
	}
}

// Logs that are not the logs of one portfolio are refused.
func TestWrongAttempts(t *testing.T) {
	logs := threeLogs()
	for name, c := range map[string]struct {
		logs [][]byte
		want string
	}{
		"nothing":             {nil, "no attempt that refutes"},
		"no refutation":       {logs[1:], "no attempt that refutes"},
		"a part is missing":   {logs[:1], "the part before part 2 of attempt 7"},
		"a part twice":        {append(logs[:3:3], logs[1]), "part 1 of attempt 7"},
		"no empty clause":     {[][]byte{{4, 1, 0, 0, 5, 1, 2, 7, 1}}, "does not end with the empty clause"},
		"no part":             {[][]byte{{5, 1, 2}}, "cannot follow"},
		"after the end":       {[][]byte{{4, 1, 0, 0, 5, 0, 7, 1, 5, 1, 2}}, "cannot follow"},
		"cut short":           {[][]byte{{4, 1, 0, 0, 5, 9, 2}}, "cut short"},
		"a log of a tree":     {[][]byte{{2, 0}}, "cannot follow"},
		"a wrong sum":         {[][]byte{{4, 1, 0, 0, 5, 0, 7, 2}}, "1 clauses of attempt 1, expected 2"},
		"a wrong sum between": {[][]byte{{4, 1, 0, 0, 5, 1, 2, 4, 1, 1, 3, 5, 0, 7, 2}}, "1 clauses before part 1 of attempt 1, expected 2"},
		"a literal 0":         {[][]byte{{4, 1, 0, 0, 5, 1, 0, 7, 1}}, "out of range"},
		"a record of a node":  {[][]byte{{4, 1, 0, 0, 2, 0}}, "unknown kind 2"},
		"a number of 2^70":    {[][]byte{{4, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1}}, "cut short"},
		"the first of a pair": {[][]byte{{4, 1, 0, 1, 5, 0, 7, 1}}, "the part before part 0"},
	} {
		text, _, err := mergeAttempts(c.logs...)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
		if strings.HasSuffix(text, "\n0\n") || text == "0\n" {
			t.Errorf("%s: the refused logs give the empty clause: %q", name, text)
		}
	}
	if _, _, err := merge(streamsOf(logs), proof.Text); err == nil {
		t.Error("MergeLogs accepts the logs of attempts")
	}
}

// Logs that were cut off are refused, also between two records. Only a log of an attempt that is not
// in the proof may be shorter.
func TestTornAttempts(t *testing.T) {
	logs := threeLogs()
	whole, _, err := mergeAttempts(logs...)
	if err != nil {
		t.Fatal(err)
	}
	for j, log := range logs {
		for n := range log {
			cut := append([][]byte(nil), logs...)
			cut[j] = log[:n]
			if text, _, err := mergeAttempts(cut...); err == nil && (text != whole || j < 2) {
				t.Errorf("log %d cut off after %d of %d bytes: %q", j, n, len(log), text)
			}
		}
	}
}

// MergeAttempts refuses any bytes that are no log, and never panics or runs on.
func FuzzAttempts(f *testing.F) {
	logs := threeLogs()
	f.Add(logs[0], logs[1])
	f.Add([]byte{4, 1, 0, 0, 5, 0, 7, 1}, []byte{4, 1, 1, 1})
	f.Fuzz(func(t *testing.T, a, b []byte) {
		text, _, err := mergeAttempts(a, b)
		if err == nil && (!strings.HasSuffix(text, "0\n") || len(text) > 20*(len(a)+len(b))) {
			t.Errorf("%d bytes give the proof %q", len(a)+len(b), text)
		}
	})
}
