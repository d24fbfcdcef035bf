package sweep

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
)

// Run is one run of a plan, given by its coordinates. For a coordinate "" the program uses its
// default.
type Run struct {
	Key        string   `json:"key"`
	World      string   `json:"world"`
	Instance   string   `json:"instance"`
	Verb       string   `json:"verb"`
	Args       []string `json:"args"`
	Ranks      int      `json:"ranks"`
	Scheme     string   `json:"scheme"`
	Detector   string   `json:"detector"`
	Seed       uint64   `json:"seed"`
	Repeat     int      `json:"repeat"`     // from 1
	Sequential bool     `json:"sequential"` // one rank alone, the base of speedups

	Index int `json:"-"` // in the order of the plan
}

// HasTreeOfSeed reports whether the tree of a run depends on the seed. Then a time with another seed is the time of
// another problem.
func (r Run) HasTreeOfSeed() bool { return r.Verb == "ring" && slices.Contains(r.Args, "random") }

// ExpandRuns lists all runs of a settled plan. Runs are grouped by number of ranks and world, the
// sequential runs first, so that a group can be one job array. Within a group, repeats and seeds
// are in the outer loops: if the machine is slow for a while, all schemes are affected alike.
func (p *Plan) ExpandRuns() []Run {
	var all []Run
	add := func(r Run) {
		r.Index = len(all)
		r.Key = p.makeRunKey(r)
		all = append(all, r)
	}
	if p.Sequential != never {
		for _, world := range p.Worlds {
			seeds := p.Seeds
			if p.Sequential == once {
				seeds = seeds[:1]
			}
			p.forEachRun(world, seeds, func(r Run, _ Instance) {
				r.Ranks, r.Sequential = 1, true
				add(r)
			})
		}
	}
	for _, ranks := range p.Ranks {
		for _, world := range p.Worlds {
			p.forEachRun(world, p.Seeds, func(r Run, in Instance) {
				r.Ranks = ranks
				for _, r.Scheme = range in.Schemes {
					for _, r.Detector = range in.Detectors {
						add(r)
					}
				}
			})
		}
	}
	return all
}

// forEachRun calls f for every repeat, seed and instance.
func (p *Plan) forEachRun(world string, seeds []uint64, f func(Run, Instance)) {
	for repeat := range p.Repeats {
		for _, seed := range seeds {
			for _, in := range p.Instances {
				args := append(append([]string{}, p.Args...), in.Args...)
				f(Run{World: world, Instance: in.Name, Verb: in.Verb, Args: args, Seed: seed, Repeat: repeat + 1}, in)
			}
		}
	}
}

// makeRunKey returns the key of a run. The key stays the same if the plan's lists grow or change
// order, and changes with every property of the run. It is readable, and its last part is a hash of
// the command's arguments.
func (p *Plan) makeRunKey(r Run) string {
	launcher := ""
	if r.World == WorldMPI {
		launcher = fmt.Sprintf("%s %q", p.Launcher, p.LauncherArgs)
	}
	text, err := json.Marshal([]any{r, launcher}) // r has no key yet
	if err != nil {
		panic(err) // strings and numbers
	}
	sum := sha256.Sum256(text)
	scheme, detector := r.Scheme, r.Detector
	if r.Sequential {
		scheme = "sequential"
	}
	setDefault(&scheme, "default")
	setDefault(&detector, "default")
	return fmt.Sprintf("%s/%s/%s/%d/%s/%s/%d/%d/%x", p.Name, r.Instance, r.World, r.Ranks, scheme, detector, r.Seed, r.Repeat, sum[:4])
}
