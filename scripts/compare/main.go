// Command compare maps generated graphs by strategies of this project, by METIS and by Scotch.
// scripts/compare-mapping runs it and describes its output.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"log"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"treesplit/mapping"
	"treesplit/mapping/auto"
	"treesplit/mapping/gen"
	"treesplit/mapping/graphfile"
)

// instance is a graph of the comparison.
type instance struct {
	name    string
	problem *mapping.Problem
}

// random returns 36 random graphs of 100 objects. They resemble the 36 graphs of the project's
// specification, of which only the results are known: relative to the best makespan, lpt has 1.33,
// METIS 1.17, Scotch 1.16 and the paper's greedy strategy 2.19.
func random() []instance {
	return graphs([]int{9, 20, 32}, []int{200, 400, 800}, []float64{300, 600})
}

// table1 returns 36 random graphs with the parameters of the paper's table 1. Most of them have so
// many arcs that no map saves much communication.
func table1() []instance {
	return graphs([]int{9, 20}, []int{400, 1000, 3000}, []float64{120, 300, 600})
}

// graphs returns random graphs of 100 objects, two seeds of each kind.
func graphs(processors, arcs []int, c []float64) (all []instance) {
	for _, processors := range processors {
		for _, arcs := range arcs {
			for _, c := range c {
				for seed := range uint64(2) {
					name := fmt.Sprintf("random P=%d arcs=%d c=%g seed=%d", processors, arcs, c, seed+1)
					all = append(all, instance{name, gen.RandomProblem(processors, 100, arcs, c, seed+1)})
				}
			}
		}
	}
	return all
}

// meshes returns graphs for which partitioners are designed, among them one with n = 1024 and P =
// 64.
func meshes() (all []instance) {
	for _, m := range []struct {
		width, height, processors int
		round                     bool
		share                     float64
	}{{32, 32, 64, false, 1}, {32, 32, 64, true, 1}, {32, 32, 64, false, 0.3}, {32, 32, 16, false, 1}, {64, 16, 20, false, 1}, {64, 64, 64, false, 1}} {
		name := fmt.Sprintf("mesh %dx%d P=%d share=%g", m.width, m.height, m.processors, m.share)
		if m.round {
			name += " round"
		}
		all = append(all, instance{name, gen.MeshProblem(m.processors, m.width, m.height, m.round, m.share, 1)})
	}
	return all
}

// mapper maps an instance whose files for METIS and Scotch are in a folder.
type mapper struct {
	name string
	run  func(in instance, dir string) mapping.Map
}

// ours returns a mapper that runs one of the project's strategies for the given time.
func ours(s mapping.Strategy, limit time.Duration) mapper {
	return mapper{s.Name, func(in instance, _ string) mapping.Map {
		end := time.Now().Add(limit)
		return s.Run(in.problem, mapping.Options{Seed: 1, Stop: func() bool { return time.Now().After(end) }})
	}}
}

// write writes a problem's graph for METIS and for Scotch.
func write(p *mapping.Problem, dir string) {
	for name, to := range map[string]func(io.Writer, *mapping.Problem, int64) error{
		"graph": graphfile.WriteMetis, "grf": graphfile.WriteScotch,
	} {
		var text bytes.Buffer
		if err := to(&text, p, graphfile.WeightUnit(p)); err != nil {
			log.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), text.Bytes(), 0o600); err != nil {
			log.Fatal(err)
		}
	}
}

// partition runs a partitioner and reads the map that it writes. A failed run gives no map.
func partition(in instance, name, command string, args ...string) mapping.Map {
	if out, err := exec.Command(command, args...).CombinedOutput(); err != nil {
		log.Printf("%s %v: %v\n%s", command, args, err, out)
		return nil
	}
	text, err := os.ReadFile(name)
	if err != nil {
		log.Fatal(err)
	}
	m, err := graphfile.ReadPart(name, bytes.NewReader(text), in.problem)
	if err != nil {
		log.Fatalf("%s %v: %v", command, args, err)
	}
	return m
}

// best returns the best of several maps.
func best(p *mapping.Problem, all []mapping.Map) (m mapping.Map) {
	for _, x := range all {
		if x != nil && (m == nil || p.EvaluateMap(x).Makespan < p.EvaluateMap(m).Makespan) {
			m = x
		}
	}
	return m
}

// metis returns METIS with its defaults, or the best of 30 runs: both methods, five tolerances of
// imbalance, three seeds.
func metis(all bool) mapper {
	run := func(in instance, dir string, args ...string) mapping.Map {
		name, p := filepath.Join(dir, "graph"), strconv.Itoa(in.problem.Processors)
		return partition(in, name+".part."+p, "gpmetis", append(args, name, p)...)
	}
	if !all {
		return mapper{"metis", func(in instance, dir string) mapping.Map { return run(in, dir) }}
	}
	return mapper{"metis-30", func(in instance, dir string) mapping.Map {
		maps := []mapping.Map{run(in, dir)}
		for _, method := range []string{"kway", "rb"} {
			for _, tolerance := range []string{"1", "10", "30", "100", "200"} {
				for seed := range 3 {
					maps = append(maps, run(in, dir, "-ptype="+method, "-ufactor="+tolerance, fmt.Sprint("-seed=", seed)))
				}
			}
		}
		return best(in.problem, maps)
	}}
}

// scotch returns Scotch with its defaults, or the best of 15 runs: three strategies, five
// tolerances.
func scotch(all bool) mapper {
	run := func(in instance, dir string, args ...string) mapping.Map {
		out := filepath.Join(dir, "out.map")
		args = append([]string{strconv.Itoa(in.problem.Processors), filepath.Join(dir, "grf"), out}, args...)
		return partition(in, out, "scotch_gpart", args...)
	}
	if !all {
		return mapper{"scotch", func(in instance, dir string) mapping.Map { return run(in, dir) }}
	}
	return mapper{"scotch-15", func(in instance, dir string) mapping.Map {
		maps := []mapping.Map{run(in, dir)}
		for _, strategy := range []string{"-cq", "-cs", "-cb"} {
			for _, tolerance := range []string{"-b0.01", "-b0.03", "-b0.05", "-b0.1", "-b0.2"} {
				maps = append(maps, run(in, dir, strategy, tolerance))
			}
		}
		return best(in.problem, maps)
	}}
}

// compare prints a row for each instance, and the geometric means. Each value is a makespan divided
// by the smallest makespan of its row.
func compare(title string, all []instance, by []mapper) {
	fmt.Printf("\n%-40s", title)
	for _, m := range by {
		fmt.Printf(" %10s", m.name)
	}
	fmt.Println()
	sums := make([]float64, len(by))
	for _, in := range all {
		dir, err := os.MkdirTemp("", "compare")
		if err != nil {
			log.Fatal(err)
		}
		write(in.problem, dir)
		makespans, least := make([]float64, len(by)), math.Inf(1)
		for k, m := range by {
			makespans[k] = math.Inf(1) // without a map
			if found := m.run(in, dir); found != nil {
				makespans[k] = float64(in.problem.EvaluateMap(found).Makespan)
			}
			least = min(least, makespans[k])
		}
		fmt.Printf("%-40s", in.name)
		for k := range by {
			fmt.Printf(" %10.4f", makespans[k]/least)
			sums[k] += math.Log(makespans[k]/least) / float64(len(all))
		}
		fmt.Println()
		if err := os.RemoveAll(dir); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Printf("%-40s", "geometric mean")
	for _, s := range sums {
		fmt.Printf(" %10.4f", math.Exp(s))
	}
	fmt.Println()
}

func main() {
	log.SetFlags(0)
	limit := flag.Duration("time", 2*time.Second, "for each of our strategies")
	names := flag.String("strategies", "lpt,comm-greedy,anneal,pair-bb,auto", "ours, separated by commas")
	part := flag.String("graphs", "random,table1,meshes", "which, separated by commas")
	flag.Parse()
	by := []mapper{metis(false), metis(true), scotch(false), scotch(true)}
	for _, name := range strings.Split(*names, ",") {
		s, err := auto.FindStrategy(name)
		if err != nil {
			log.Fatal(err)
		}
		by = append(by, ours(s, *limit))
	}
	families := map[string]func() []instance{"random": random, "table1": table1, "meshes": meshes}
	for _, name := range strings.Split(*part, ",") {
		family, ok := families[name]
		if !ok {
			log.Fatalf("graphs %q: expected random, table1 or meshes", name)
		}
		compare(name+": makespan / the row's least", family(), by)
	}
}
