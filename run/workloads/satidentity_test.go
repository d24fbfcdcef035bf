package workloads_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"treesplit/run"
	"treesplit/run/checkpoint"
	"treesplit/run/workloads"
)

// A checkpoint of look-ahead has the version of the tree, and a run refuses the nodes of another version.
// Other rules have no version.
func TestTreeVersions(t *testing.T) {
	const version = ", tree 2"
	f := made(t, "php", map[string]float64{"n": 7}, 0)
	for _, rule := range workloads.RuleNames() {
		if rule == "auto" {
			continue
		}
		p := proofPlan("rp", 0, 2)
		p.Checkpoint = filepath.Join(t.TempDir(), "checkpoint")
		search := func() error {
			_, err := run.RunOnGoroutines(p, satOf(t, f, rule), run.Hooks{Interrupted: func() bool { return true }})
			return err
		}
		if err := search(); err != nil {
			t.Fatal(err)
		}
		saved, _, err := checkpoint.Load(p.Checkpoint)
		if err != nil {
			t.Fatal(err)
		}
		hasTree := rule == "lookahead" || rule == "cubes"
		if strings.Contains(saved.Identity, version) != hasTree {
			t.Errorf("rule %s: the identity is %q; want a version of the tree: %v", rule, saved.Identity, hasTree)
		}
		if !hasTree {
			continue
		}
		for _, other := range []string{"", ", tree 1"} {
			one := *saved
			one.Identity = strings.Replace(saved.Identity, version, other, 1)
			if err := (checkpoint.Files{}).Save(p.Checkpoint, &one); err != nil {
				t.Fatal(err)
			}
			p.Resume = p.Checkpoint
			err := search()
			if !errors.As(err, &run.InputError{}) || !strings.Contains(err.Error(), "another search of sat: the version of the rule's tree is ") || !strings.HasSuffix(err.Error(), " there and 2 here") {
				t.Errorf("rule %s, %q: %v; want an error about the version of the tree", rule, other, err)
			}
		}
	}
}
