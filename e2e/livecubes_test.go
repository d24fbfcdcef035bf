package e2e

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// numbersOfCubes are the keys of the numbers of cubes in the JSON of a result and of the progress, and
// the identifiers of their tiles. The values are the metrics for Prometheus.
var numbersOfCubes = map[string]string{"cubes": "treesplit_cubes_total", "cubesSplit": "treesplit_cubes_split_total", "refutedByLookahead": "treesplit_refuted_nodes_total"}

// compareCubes compares the numbers of cubes on the page with the JSON of a run. The page of another run
// does not show them.
func (p *livePage) compareCubes(r map[string]any) {
	p.t.Helper()
	for key := range numbersOfCubes {
		want, ofCubes := r[key]
		var shown bool
		if err := p.Eval("!document.getElementById('"+key+"').parentNode.hidden", &shown); err != nil || shown != ofCubes {
			p.t.Errorf("the tile %s is shown: %v, expected %v (%v)", key, shown, ofCubes, err)
		}
		if !ofCubes {
			continue
		}
		if got := p.tile(key); got != want {
			p.t.Errorf("%s on the page: %v, in the JSON: %v", key, got, want)
		}
	}
}

// get returns the body of an address of the page.
func (p *livePage) get(path string) string {
	p.t.Helper()
	address, query, _ := strings.Cut(p.url, "?")
	answer, err := http.Get(address + path + "?" + query)
	if err != nil {
		p.t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		p.t.Fatalf("%s: status %d, %v", path, answer.StatusCode, err)
	}
	return string(body)
}

// progressOf returns the numbers of cubes in each line of a progress file.
func progressOf(t *testing.T, path string) (all []map[string]float64) {
	t.Helper()
	for line := range strings.Lines(string(readFile(t, path))) {
		var one struct{ Counts map[string]float64 }
		if err := json.Unmarshal([]byte(line), &one); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		all = append(all, one.Counts)
	}
	return all
}

// compareProgress compares the last line of a progress file with the JSON of the run. No number falls.
func compareProgress(t *testing.T, path string, r map[string]any) {
	t.Helper()
	lines := progressOf(t, path)
	for key := range numbersOfCubes {
		for i, line := range lines[1:] {
			if line[key] < lines[i][key] {
				t.Errorf("line %d: %s falls from %v to %v", i+2, key, lines[i][key], line[key])
			}
		}
		if got := lines[len(lines)-1][key]; got != r[key] {
			t.Errorf("%s in the last line: %v, in the JSON: %v", key, got, r[key])
		}
	}
}

// While a formula is searched under rule cubes, page, status.json, metrics and progress file show the
// numbers of cubes. At the end these are the numbers of the JSON. The run that resumes a checkpoint begins with
// the numbers of the checkpoint.
func TestLiveCubes(t *testing.T) {
	t.Parallel()
	in := openBrowser(t)
	formula := write(t, "vdw.cnf", []byte(generate(t, "vdw", "--j", "3", "--k", "12", "--n", "135")))
	// The search has a million nodes. They are paced, because a browser on a busy machine opens the page late.
	args := []string{"sat", formula, "--rule", "cubes", "--cut", "assigned=40", "--budget", "30", "--pace", "2ms", "--json", "--live", "--live-control"}
	inEachWorld(t, worlds, func(t *testing.T, l library) {
		dir := t.TempDir()
		saved, before := filepath.Join(dir, "saved"), map[string]any{}
		for i, more := range [][]string{{"--checkpoint", saved}, {"--resume", saved}} {
			lines := filepath.Join(dir, fmt.Sprint("progress", i))
			b := beginUntil(t, l, 3, served, "", slices.Concat(args, more, []string{"--progress-file", lines})...)
			p := watch(t, in, b)
			for key, metric := range numbersOfCubes {
				number, _ := before[key].(float64)
				p.await(fmt.Sprintf("document.getElementById('%s').dataset.value > %v", key, number))
				least := p.tile(key)
				var status struct{ Counts map[string]float64 }
				if err := json.Unmarshal([]byte(p.get("status.json")), &status); err != nil || status.Counts[key] < least {
					t.Errorf("%s in the status: %v, on the page before: %v (%v)", key, status.Counts, least, err)
				}
				if !strings.Contains(p.get("metrics"), "\n"+metric+" ") {
					t.Errorf("no metric %s in\n%s", metric, p.get("metrics"))
				}
			}
			p.click("#stop")
			status := b.ends(t, 2*time.Minute)
			before = object(t, outcome{status: status, stdout: b.out.String()}, 3)
			p.compareWith(before)
			compareProgress(t, lines, before)
		}
	})
}

// The page of a simulation shows the numbers of cubes of the result.
func TestLiveCubesSimulation(t *testing.T) {
	t.Parallel()
	in := openBrowser(t)
	formula := write(t, "vdw.cnf", []byte(generate(t, "vdw", "--j", "3", "--k", "9", "--n", "77")))
	lines := filepath.Join(t.TempDir(), "progress")
	args := []string{"sat", formula, "--rule", "cubes", "--cut", "assigned=20", "--budget", "30", "--json", "--machine", "ncube2", "--termination", "tree"}
	b := beginUntil(t, none, 16, served, "", slices.Concat(args, []string{"--live", "--live-speed", "max", "--progress-file", lines})...)
	p := watch(t, in, b)
	status := b.ends(t, 2*time.Minute)
	r := object(t, outcome{status: status, stdout: b.out.String()}, 20)
	for key := range numbersOfCubes {
		if r[key].(float64) == 0 {
			t.Errorf("%s is 0: expected another formula", key)
		}
	}
	p.compareWith(r)
	compareProgress(t, lines, r)
}
