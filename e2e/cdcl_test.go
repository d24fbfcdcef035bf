package e2e

import (
	"path/filepath"
	"testing"
)

// Under rule cdcl the ranks decide a formula, stop at a timeout, are saved, and resume; check
// verifies the proof of the resumed search.
func TestClauseLearning(t *testing.T) {
	t.Parallel()
	easy := write(t, "easy.cnf", []byte(generate(t, "random", "--n", "110", "--ratio", "4.8", "--seed", "4")))
	hard := generate(t, "php", "--n", "12")
	inEachWorld(t, worlds, func(t *testing.T, l library) {
		dir := t.TempDir()
		saved, path := filepath.Join(dir, "saved"), filepath.Join(dir, "proof")
		common := []string{"sat", "--rule", "cdcl", "--json", "--proof", path}
		first := object(t, runWith(t, l, 2, "TMPDIR="+dir, append(common, easy, "--checkpoint", saved, "--timeout", "1ms")...), 3)
		if first["reason"] != "timeout" || first["varies"] != true || first["attempts"].(float64) > 2 || first["attempt"] != nil {
			t.Errorf("%v", first)
		}
		last := object(t, runWith(t, l, 3, "TMPDIR="+dir, append(common, easy, "--resume", saved)...), verdictStatus(l, 20))
		if last["attempt"] == nil || last["expanded"].(float64) < first["expanded"].(float64) || last["conflicts"].(float64) < 1 {
			t.Errorf("%v after %v", last, first)
		}
		if c := object(t, run(t, "", treesplit(t, none), "check", easy, path, "--json"), 0); c["result"] != "VERIFIED" {
			t.Errorf("%v", c)
		}
		if r := object(t, runIn(t, l, 2, hard, "sat", "-", "--rule", "cdcl", "--timeout", "200ms", "--json"), 3); r["reason"] != "timeout" || r["audit"] != "ok" {
			t.Errorf("%v", r)
		}
	})
}
