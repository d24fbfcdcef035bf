package workloads_test

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"treesplit/run"
	"treesplit/run/checkpoint"
	"treesplit/run/workloads"
)

// A checkpoint of look-ahead or of cubes has the version of the tree, and a run refuses the nodes of another version.
// Other rules have no version.
func TestTreeVersions(t *testing.T) {
	versions := map[string]string{"lookahead": "3", "cubes": "6"}
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
		number, hasTree := versions[rule]
		version := ", tree " + number
		if strings.Contains(saved.Identity, ", tree ") != hasTree || hasTree && !strings.Contains(saved.Identity, version) {
			t.Errorf("rule %s: the identity is %q; want a version of the tree: %v", rule, saved.Identity, hasTree)
		}
		if !hasTree {
			continue
		}
		for _, other := range []string{"", ", tree 1", ", tree 2"} {
			one := *saved
			one.Identity = strings.Replace(saved.Identity, version, other, 1)
			if err := (checkpoint.Files{}).Save(p.Checkpoint, &one); err != nil {
				t.Fatal(err)
			}
			p.Resume = p.Checkpoint
			err := search()
			if !errors.As(err, &run.InputError{}) || !strings.Contains(err.Error(), "another search of sat: the version of the rule's tree is ") || !strings.HasSuffix(err.Error(), " there and "+number+" here") {
				t.Errorf("rule %s, %q: %v; want an error about the version of the tree", rule, other, err)
			}
		}
	}
}

// A checkpoint of rule cubes whose cut is no valid cut, or whose presearch is too long, is refused.
func TestInvalidCuts(t *testing.T) {
	if testing.Short() {
		t.Skip("seconds under the race detector, without a second rank")
	}
	f := made(t, "php", map[string]float64{"n": 6}, 0)
	p := proofPlan("rp", 0, 1)
	p.Checkpoint = filepath.Join(t.TempDir(), "checkpoint")
	search := func(polls int) error {
		_, err := run.RunOnGoroutines(p, satOf(t, f, "cubes"), run.Hooks{Interrupted: func() bool { polls--; return polls < 0 }})
		return err
	}
	if err := search(2); err != nil {
		t.Fatal(err)
	}
	saved, _, err := checkpoint.Load(p.Checkpoint)
	if err != nil {
		t.Fatal(err)
	}
	before, text, _ := strings.Cut(saved.Identity, ", cut ")
	tag, err := hex.DecodeString(text)
	if err != nil || len(tag) != 33 {
		t.Fatalf("the identity is %q: %v", saved.Identity, err)
	}
	p.Resume = p.Checkpoint
	cube := math.Float64frombits(binary.BigEndian.Uint64(tag[9:]))
	for _, c := range []struct {
		anchor, cube float64
		presearch    uint64
		valid        bool
	}{
		{math.NaN(), cube, 0, false}, {math.Inf(-1), cube, 0, false}, {cube, math.Inf(1), 0, false}, {0, math.NaN(), 0, false}, {cube + 1, cube, 0, false}, {cube, cube, 0, true},
		{cube, cube, 1<<30 + 1, false}, {cube, cube, math.MaxUint64, false},
	} {
		binary.BigEndian.PutUint64(tag[1:], math.Float64bits(c.anchor))
		binary.BigEndian.PutUint64(tag[9:], math.Float64bits(c.cube))
		binary.BigEndian.PutUint64(tag[25:], c.presearch)
		one := *saved
		one.Identity = before + ", cut " + hex.EncodeToString(tag)
		if err := (checkpoint.Files{}).Save(p.Checkpoint, &one); err != nil {
			t.Fatal(err)
		}
		if err := search(0); errors.As(err, &run.InputError{}) == c.valid {
			t.Errorf("%+v: %v", c, err)
		}
	}
}
