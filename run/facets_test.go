package run

import (
	"errors"
	"strings"
	"testing"

	"treesplit/search"
	"treesplit/sim"
	"treesplit/uts"
)

// bare is a share with only the methods that every Work has.
type bare struct{ search.Work }

// A scheme that needs more methods than the shares have is refused in every world, by name. The
// other schemes run.
func TestSchemesAndFacets(t *testing.T) {
	params := uts.DefaultParams()
	work := Made(func(split search.Splitting, root bool) search.Work {
		w, err := uts.New(params, split, root)
		if err != nil {
			t.Fatal(err)
		}
		return bare{w}
	})
	machine, err := sim.FindMachine("ideal")
	if err != nil {
		t.Fatal(err)
	}
	for scheme, want := range map[string]string{
		"rp": "", "grr-m": "", "sb": "", "lifeline": "",
		"sl": "Subtasker", "ml": "Subtasker", "ra": "Subtasker", "ranade": "Subtasker",
		"static": "Bisecter", "static+nn": "Bisecter", "shuffle": "Packer",
	} {
		p := DefaultPlan(3)
		p.Scheme = scheme
		run := map[string]func() (*Result, error){
			"goroutines":  func() (*Result, error) { return RunOnGoroutines(p, work, Hooks{}) },
			"a simulator": func() (*Result, error) { return RunSimulation(machine, p, work, Hooks{}) },
		}
		for world, run := range run {
			r, err := run()
			switch {
			case want == "" && (err != nil || r.Expanded != 1732): // Reference: the UTS program's sample
				t.Errorf("%s on %s: %v, %v", scheme, world, r, err)
			case want != "" && (!errors.As(err, &InputError{}) || !strings.Contains(err.Error(), want)):
				t.Errorf("%s on %s: %v, want an error of the input that names search.%s", scheme, world, err, want)
			}
		}
	}
}
