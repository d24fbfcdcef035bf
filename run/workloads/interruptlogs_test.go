package workloads_test

import (
	"bytes"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"treesplit/run"
	"treesplit/run/workloads"
	"treesplit/sat/proof"
)

// readLog is a log that counts the reads.
type readLog struct {
	*bytes.Reader
	reads *int
}

func (l readLog) ReadAt(p []byte, from int64) (int, error) {
	*l.reads++
	return l.Reader.ReadAt(p, from)
}

// logBytes returns logs with one node, or one attempt.
func logBytes(rule string) []byte {
	var data bytes.Buffer
	sink := func(block []byte) { data.Write(block) }
	if rule == "cdcl" {
		l := proof.NewAttemptLog(sink)
		l.BeginPart(1, 1)
		l.Flush()
	} else {
		l := proof.NewLog(sink)
		l.WriteRoot()
		l.Flush()
	}
	return data.Bytes()
}

// All logs are read before the first lemma is written. A run that is interrupted meanwhile reads no further log. The
// mistake in the logs, which have the same node twice, is not found any more.
func TestInterruptedReadingOfLogs(t *testing.T) {
	for _, v := range []learning{{"paper", ""}, {"cdcl", ""}, {"cubes", workloads.LearnShared}} {
		w := satOf(t, made(t, "php", map[string]float64{"n": 4}, 0), v.rule)
		w.Learn, w.Simplify = v.learn, "off"
		dir := t.TempDir()
		w.Proof = filepath.Join(dir, "proof")
		if _, err := w.Load(); err != nil {
			t.Fatal(err)
		}
		reads := 0
		logs := make([]run.Stream, 5)
		for i := range logs {
			logs[i] = readLog{bytes.NewReader(logBytes(v.rule)), &reads}
		}
		err := w.Prove(logs, &run.Result{Counts: run.Counts{Sums: make([]int64, workloads.SATSteps+1)}}, func() bool { return reads >= 2 })
		if !errors.Is(err, run.ErrInterrupted) || reads != 2 {
			t.Errorf("%+v: %v after %d reads", v, err, reads)
		}
		w.Close()
		if left := files(t, dir); len(left) > 0 {
			t.Errorf("%+v: files %v are left", v, left)
		}
	}
}

// A run that resumes a complete search and is interrupted while it writes the proof fails, also if it has no
// checkpoint of its own. The advice is more time: the checkpoint that it has resumed has the complete search.
func TestUnprovedAgain(t *testing.T) {
	f := made(t, "php", map[string]float64{"n": 5}, 0)
	dir := t.TempDir()
	file := filepath.Join(dir, "checkpoint")
	search := func(checkpoint, resume string, hooks run.Hooks) (*run.Result, *workloads.Proof) {
		w := satOf(t, f, "paper")
		w.Proof, w.Simplify = filepath.Join(dir, "proof"), "off"
		defer w.Close()
		p := proofPlan("rp", 1, 2)
		p.Checkpoint, p.Resume = checkpoint, resume
		r, err := run.RunOnGoroutines(p, w, hooks)
		if err != nil {
			t.Fatal(err)
		}
		return r, proofOf(t, w, r)
	}
	if r, _ := search("", "", afterSearch()); r.Saved != nil || r.Trouble != nil {
		t.Fatalf("%+v, trouble %v", r.Saved, r.Trouble)
	}
	if r, _ := search(file, "", afterSearch()); r.Saved == nil || r.Trouble != nil {
		t.Fatalf("%+v, trouble %v: expected a checkpoint", r.Saved, r.Trouble)
	}
	r, written := search("", file, afterSearch())
	if r.Trouble == nil || !strings.Contains(r.Trouble.Error(), "give the next run more time") || r.Saved != nil || written != nil {
		t.Errorf("%+v, proof %v, trouble %v", r.Saved, written, r.Trouble)
	}
	if r, written := search("", file, run.Hooks{}); r.Trouble != nil || written == nil {
		t.Errorf("proof %v, trouble %v", written, r.Trouble)
	}
}
