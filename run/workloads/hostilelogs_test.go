package workloads_test

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc64"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"treesplit/run"
	"treesplit/run/checkpoint"
	"treesplit/run/workloads"
	"treesplit/sat"
)

// provable is a search with a proof that was saved before its end.
type provable struct {
	rule    string
	formula *sat.Formula
	state   *run.Checkpoint
	logs    []byte
}

// provables returns a search under each rule that was saved with remaining pieces, and a complete search if the
// rule can save one.
func provables(t *testing.T) (all []provable) {
	f := made(t, "random", map[string]float64{"n": 16, "ratio": 6}, 4)
	for _, rule := range workloads.RuleNames() {
		s := provable{rule: rule, formula: f}
		for often := int64(16); s.state == nil || s.state.Complete; often /= 2 {
			s.save(t, run.Hooks{Interrupted: asked(often)})
		}
		all = append(all, s)
		whole := provable{rule: rule, formula: f}
		if whole.save(t, afterSearch()); (whole.state != nil) != (rule != "cdcl") {
			t.Fatalf("rule %s: a complete search has the state %+v", rule, whole.state)
		}
		if whole.state != nil {
			all = append(all, whole)
		}
	}
	return all
}

// afterSearch returns hooks that interrupt a run when its search is complete.
func afterSearch() run.Hooks {
	var searched atomic.Bool
	return run.Hooks{Interrupted: searched.Load, Step: func(run.Step) { searched.Store(true) }}
}

// save saves a search that hooks interrupt. If the search ends before, s does not change.
func (s *provable) save(t *testing.T, hooks run.Hooks) {
	t.Helper()
	dir := t.TempDir()
	p := run.DefaultPlan(3)
	p.Store = checkpoint.Files{}
	p.Quantum, p.Checkpoint = 8, filepath.Join(dir, "saved")
	w := satOf(t, s.formula, s.rule)
	w.Proof, w.Simplify = filepath.Join(dir, "proof"), "off"
	r, err := run.RunOnGoroutines(p, w, hooks)
	w.Close()
	if err != nil {
		t.Fatal(err)
	}
	if r.Saved == nil {
		return
	}
	if s.state, _, err = checkpoint.Load(p.Checkpoint); err != nil {
		t.Fatal(err)
	}
	if s.logs, err = os.ReadFile(checkpoint.LogsOf(p.Checkpoint)); err != nil {
		t.Fatal(err)
	}
}

// tamper changes the logs or the pieces and corrects the checksum.
func (s provable) tamper(rng *rand.Rand) (state *run.Checkpoint, logs []byte) {
	state = &run.Checkpoint{Header: s.state.Header}
	for _, p := range s.state.Pieces {
		state.Pieces = append(state.Pieces, bytes.Clone(p))
	}
	logs = bytes.Clone(s.logs)
	const magic = len("treesplit logs 1\n")
	at := magic + rng.IntN(len(logs)-magic+1)
	switch rng.IntN(6) {
	case 0, 1:
		if at < len(logs) {
			logs[at] ^= byte(1 + rng.IntN(255))
		}
	case 2:
		logs = append(logs[:at:at], logs[min(at+1+rng.IntN(8), len(logs)):]...)
	case 3:
		logs = append(logs, logs[magic:]...) // every log twice
	case 4:
		logs = logs[:magic] // no log
	case 5:
		if len(state.Pieces) > 0 {
			i := rng.IntN(len(state.Pieces))
			if p := state.Pieces[i]; rng.IntN(2) == 0 {
				p[rng.IntN(len(p))] ^= byte(1 << rng.IntN(8))
			} else {
				state.Pieces = append(state.Pieces[:i], state.Pieces[i+1:]...)
			}
		}
	}
	state.Logs = &run.LogMark{Bytes: int64(len(logs)), Sum: crc64.Checksum(logs, crc64.MakeTable(crc64.ECMA))}
	return state, logs
}

// Logs with a right checksum may have any contents. If a search has remaining pieces, its logs give no proof or a
// right proof. The logs of a complete search may give a wrong proof, which only a check detects.
func TestHostileLogs(t *testing.T) {
	all, dir := provables(t), t.TempDir()
	file, counts := filepath.Join(dir, "hostile"), map[string]int{}
	for i := range hostile(150) {
		rng := rand.New(rand.NewPCG(uint64(i), 10))
		s := all[i%len(all)]
		state, logs := s.tamper(rng)
		data, err := checkpoint.Encode(state)
		if err != nil {
			t.Fatal(err)
		}
		for name, data := range map[string][]byte{file: data, checkpoint.LogsOf(file): logs} {
			if err := os.WriteFile(name, data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		counts[s.resumed(t, file, fmt.Sprintf("%d, rule %s", i, s.rule))]++
	}
	t.Log(counts)
}

// resumed resumes the search and checks its proof, if there is one.
func (s provable) resumed(t *testing.T, file, how string) string {
	p := run.DefaultPlan(2)
	p.Store = checkpoint.Files{}
	p.Resume, p.Quantum = file, 64
	w := satOf(t, s.formula, s.rule)
	w.Proof, w.Simplify = file+".proof", "off"
	r, err := run.RunOnGoroutines(p, w, run.Hooks{Interrupted: asked(20000)})
	w.Close()
	_, missing := os.Stat(w.Proof)
	defer os.Remove(w.Proof)
	switch {
	case errors.As(err, &run.InputError{}) && missing != nil:
		return "refused"
	case err != nil:
		t.Errorf("%s: %v, proof %v", how, err, missing)
		return "failed"
	case r.Trouble != nil && errors.Is(missing, fs.ErrNotExist) && proofOf(t, w, r) == nil:
		return "no proof"
	case missing != nil || proofOf(t, w, r) == nil:
		t.Errorf("%s: %+v: neither trouble nor a proof: %v", how, r, missing)
		return "nothing"
	}
	if s.state.Complete { // all its lemmas are in the logs
		return "a proof to check"
	}
	checked(t, s.formula, w.Proof)
	return "proved"
}
