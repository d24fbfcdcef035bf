//go:build unix

package plain_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"treesplit/sat"
	"treesplit/sat/plain"
)

// Times are of the processor, user mode, so that they hold beside other load.

// solve goes through a tree to its end or a solution, and returns what it counts.
func solve(rule sat.Rule) sat.Counts {
	s := sat.NewSearch(rule, sat.Options{Root: true})
	for !s.Empty() && !s.Decided() {
		s.Expand(10_000)
	}
	return s.Counts()
}

// used is the processor time of this process.
func used() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano())
}

// random250 are the first ten unsatisfiable formulas of uniform random 3-SAT with
// n = 250 and m = 1150 by seed.
func random250(b *testing.B) (all []*sat.Formula) {
	for seed := uint64(1); len(all) < 10; seed++ {
		f := generate(b, "random", map[string]float64{"n": 250, "m": 1150}, seed)
		if solve(plain.New(f)).Solutions == 0 {
			all = append(all, f)
		}
	}
	return all
}

func median(all []time.Duration) float64 {
	slices.Sort(all)
	return (all[(len(all)-1)/2] + all[len(all)/2]).Seconds() / 2
}

// An operation is to compile and to search PHP(10) once, and each of the random formulas
// once; medians are compared with cadical's on the random formulas, where it is installed.
func BenchmarkAgainstCadical(b *testing.B) {
	pigeons, random := generate(b, "php", map[string]float64{"n": 10}, 1), random250(b)
	var php, own, cadical []time.Duration
	for b.Loop() {
		start := used()
		solve(plain.New(pigeons))
		php = append(php, used()-start)
		for _, f := range random {
			start = used()
			solve(plain.New(f))
			own = append(own, used()-start)
			if t, ok := cadicalTime(b, f); ok {
				cadical = append(cadical, t)
			}
		}
	}
	b.ReportMetric(median(php), "s/php10")
	b.ReportMetric(median(own), "s/random250")
	if cadical == nil {
		b.Log("cadical is not installed")
		return
	}
	reference := median(cadical)
	b.ReportMetric(reference, "s/cadical250")
	b.ReportMetric(median(php)/reference, "php10/cadical250")
	b.ReportMetric(median(own)/reference, "random250/cadical250")
}

// cadicalTime is how long cadical takes.
func cadicalTime(b *testing.B, f *sat.Formula) (t time.Duration, ok bool) {
	program, err := exec.LookPath("cadical")
	if err != nil {
		return 0, false
	}
	name := filepath.Join(b.TempDir(), "random.cnf")
	out, err := os.Create(name)
	if err != nil {
		b.Fatal(err)
	}
	if err := f.WriteDIMACS(out); err != nil {
		b.Fatal(err)
	}
	if err := out.Close(); err != nil {
		b.Fatal(err)
	}
	cmd := exec.Command(program, "-q", name)
	if err := cmd.Run(); cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != 20 {
		b.Fatalf("cadical: %v", err)
	}
	return cmd.ProcessState.UserTime(), true
}

// The rate of nodes on both.
func BenchmarkExpand(b *testing.B) {
	for _, c := range []struct {
		name string
		f    *sat.Formula
	}{
		{"php-10", generate(b, "php", map[string]float64{"n": 10}, 1)},
		{"random-250", random250(b)[0]},
		{"random-5-sat-60", generate(b, "random", map[string]float64{"n": 60, "k": 5, "ratio": 22}, 1)},
		{"vdw-3-8-58", generate(b, "vdw", map[string]float64{"j": 3, "k": 8, "n": 58}, 1)},
	} {
		b.Run(c.name, func(b *testing.B) {
			rule := plain.New(c.f)
			s := sat.NewSearch(rule, sat.Options{Root: true, All: true})
			start := used()
			for left := b.N; left > 0; {
				left -= s.Expand(min(left, 10_000))
				if s.Empty() {
					s = sat.NewSearch(rule, sat.Options{Root: true, All: true})
				}
			}
			b.ReportMetric(float64(b.N)/(used()-start).Seconds()/1e6, "Mnodes/s")
		})
	}
}
