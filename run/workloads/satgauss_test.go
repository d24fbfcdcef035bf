package workloads_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"treesplit/run"
	"treesplit/run/workloads"
	"treesplit/sat/ruletest"
)

// If the sums of parities of a checkpoint are others, the error names the flags that select them. With auto the
// formula depends on them too.
func TestOtherSums(t *testing.T) {
	if testing.Short() {
		t.Skip("seconds under the race detector, for errors that are found before ranks exchange messages")
	}
	const (
		all, short, none = "all", "short", "none"
		noEffect         = "for no sums of parities with an effect"
		flags            = "--proof or --gauss is "
		formula          = "the formula, or what --simplify leaves of it, is another"
	)
	proof := filepath.Join(t.TempDir(), "proof")
	f := ruletest.MakeFamily(t, "parity-learning", 0, "n=16 samples=40 errors=3")
	search := func(rule, sums string, p run.Plan) error {
		w := satOf(t, f, rule)
		defer w.Close()
		switch rule {
		case "auto":
			w.SetLimits(0, 5000)
			w.ShortenDives()
		case "cubes":
			w.Cut = "assigned=4"
		}
		switch sums {
		case short:
			w.Proof = proof
		case none:
			w.Gauss = workloads.GaussOff
		}
		_, err := run.RunOnGoroutines(p, w, run.Hooks{Interrupted: func() bool { return true }})
		return err
	}
	for _, c := range []struct{ rule, saved, own, want string }{
		{"cubes", all, all, ""},
		{"cubes", short, short, ""},
		{"cubes", short, all, flags + "for short sums of parities there and for all sums of parities here"},
		{"cubes", short, none, flags + "for short sums of parities there and " + noEffect + " here"},
		{"cubes", none, all, flags + noEffect + " there and for all sums of parities here"},
		{"auto", all, all, ""},
		{"auto", all, none, flags + "for all sums of parities there and " + noEffect + " here, " + formula},
		{"auto", short, all, formula + ", " + flags + noEffect + " there and for all sums of parities here"},
	} {
		p := proofPlan("rp", 0, 2)
		p.Checkpoint = filepath.Join(t.TempDir(), "checkpoint")
		if err := search(c.rule, c.saved, p); err != nil {
			t.Fatal(err)
		}
		p.Resume = p.Checkpoint
		err := search(c.rule, c.own, p)
		if c.want == "" {
			if err != nil {
				t.Errorf("%+v: %v", c, err)
			}
			continue
		}
		want := ": the checkpoint is of another search of sat: " + c.want
		if !errors.As(err, &run.InputError{}) || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%+v: %v\nwant it to end with %s", c, err, want)
		}
	}
}

// Ranks of other processes learn that the formula depends on sums of parities.
func TestSumsAreEncoded(t *testing.T) {
	w := satOf(t, ruletest.MakeFamily(t, "parity-learning", 0, "n=16 samples=40 errors=3"), "auto")
	defer w.Close()
	w.SetLimits(0, 5000)
	w.ShortenDives()
	problem, err := w.Load()
	if err != nil {
		t.Fatal(err)
	}
	data, err := problem.Encode()
	if err != nil {
		t.Fatal(err)
	}
	decoded, err := workloads.NewSAT(workloads.SATOptions{Rule: "auto"}).Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	a, b := problem.(run.Savable).Identity(), decoded.(run.Savable).Identity()
	if a != b || !strings.Contains(a, "parities all") {
		t.Errorf("the identities are %q and %q", a, b)
	}
}
