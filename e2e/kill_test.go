package e2e

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// killed is a search that is killed again and again, and goes on each time.
type killed struct {
	args []string
	// same reports whether the results of two searches that were made to the end are equal.
	keys []string
}

var toBeKilled = []killed{
	{[]string{"uts", "-t", "1", "-a", "3", "-d", "10", "-b", "4", "-r", "19"}, []string{"expanded", "size", "depth", "leaves"}},
	{[]string{"sat", "../testdata/php8.cnf", "--rule", "paper", "--proof", "/dev/null"}, []string{"expanded", "result", "conflicts", "depth", "proofLemmas", "proofBytes"}},
	{[]string{"puzzle", "14 1 9 6 4 8 12 5 7 2 3 0 10 11 13 15"}, []string{"expanded", "length", "generated"}},
}

// manyKills is how many kills the test must make, and fewKills under each MPI, whose runs
// take longer to begin. With PUZZLE_ALL there are allKills.
const (
	allKills  = 200
	manyKills = 60
	fewKills  = 12
)

// A search whose process is killed, or one of its ranks, or mpirun, at any moment, and whose
// checkpoint is cut short now and then as by a loss of power, goes on from the checkpoint on
// another number of ranks under another scheme: in the end it has expanded exactly the
// sequential W, and the answer is the same.
func TestKilled(t *testing.T) {
	t.Parallel()
	kills := manyKills
	if whole() {
		kills = allKills
	} else if testing.Short() {
		kills = manyKills / 3
	}
	inEachWorld(t, worlds, func(t *testing.T, l library) {
		kills := kills
		if l != none {
			kills = min(kills, fewKills)
		}
		rng := rand.New(rand.NewPCG(9, uint64(len(l))))
		done, searches := 0, 0
		for ; done < kills; searches++ {
			k := toBeKilled[searches%len(toBeKilled)]
			done += k.chain(t, l, rng, kills-done)
		}
		t.Logf("%d kills in %d searches", done, searches)
	})
}

// chain makes a search that is killed until it ends, but not more than so often, and returns
// how often it was.
func (k killed) chain(t *testing.T, l library, rng *rand.Rand, most int) (kills int) {
	t.Helper()
	began := time.Now()
	want := object(t, run(t, "", slices.Concat([]string{treesplit(t, none)}, k.args, []string{"-n", "1", "--json"})...), k.status(none))
	took := time.Since(began)
	all := schemes(t)
	file := filepath.Join(t.TempDir(), "checkpoint")
	for {
		ranks := 1 + rng.IntN(3)
		args := slices.Concat(k.args, []string{
			"--checkpoint", file, "--checkpoint-every", "15ms", "--resume", "auto", "--json", "--scheme", all[rng.IntN(len(all))],
		})
		if kills == most { // enough
			r := object(t, runIn(t, l, ranks, "", args...), k.status(l))
			k.compare(t, r, want)
			return kills
		}
		after := time.Duration(rng.Int64N(int64(took/2 + 80*time.Millisecond)))
		if l != none {
			after += 300 * time.Millisecond
		}
		over := k.runAndKill(t, l, ranks, after, rng, args)
		if over {
			// Whether it ended before the kill is seen in a run that is left alone.
			r := object(t, runIn(t, l, ranks, "", args...), k.status(l))
			k.compare(t, r, want)
			return kills
		}
		kills++
		if rng.IntN(4) == 0 {
			cutShort(t, file, rng)
		}
	}
}

func fileThere(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// status is that of the search's end.
func (k killed) status(l library) int {
	if k.args[0] == "sat" && l == none {
		return 20
	}
	return 0
}

// compare compares the results of two searches.
func (k killed) compare(t *testing.T, got, want map[string]any) {
	t.Helper()
	for _, key := range k.keys {
		if got[key] != want[key] || want[key] == nil {
			t.Fatalf("%v: %s is %v, want %v", k.args, key, got[key], want[key])
		}
	}
}

// runAndKill starts the program and kills it, one of its ranks or the launcher, after a time.
// over reports whether it had ended before.
func (k killed) runAndKill(t *testing.T, l library, ranks int, after time.Duration, rng *rand.Rand, args []string) (over bool) {
	t.Helper()
	program := ownProgram(t, l)
	all := slices.Concat([]string{program}, args)
	if l == none {
		all = append(all, "-n", strconv.Itoa(ranks))
	} else {
		all = slices.Concat(l.launch(ranks), l.hasty(), all)
	}
	cmd := exec.CommandContext(t.Context(), all[0], all[1:]...)
	said, err := os.Create(filepath.Join(t.TempDir(), "stderr")) // a file: ranks that outlive mpirun would keep a pipe open
	if err != nil {
		t.Fatal(err)
	}
	defer said.Close()
	cmd.Stdin, cmd.Stderr = stdin(t, "", all), said
	mark := markProcesses(cmd, program)
	b := &background{Cmd: cmd, program: program}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { cmd.Wait(); close(ended) }()
	select {
	case <-ended:
		over = true
	case <-time.After(after):
		victim := cmd.Process
		if victims := b.ranks(); l != none && len(victims) > 0 && rng.IntN(3) > 0 {
			victim = victims[rng.IntN(len(victims))]
		}
		victim.Signal(syscall.SIGKILL)
	}
	select {
	case <-ended:
	case <-time.After(10 * time.Second): // Open MPI's mpirun may miss that a rank has died while it began
		t.Logf("%s did not notice that a rank was killed", all[0])
		cmd.Process.Kill()
		<-ended
	}
	// Ranks may outlive mpirun that was killed, and helpers of it may start ranks later.
	killMarked(mark)
	if over && cmd.ProcessState.ExitCode() != k.status(l) {
		text, _ := os.ReadFile(said.Name())
		t.Fatalf("%s: %v: %s", strings.Join(all, " "), cmd.ProcessState, text)
	}
	return over
}

// markProcesses lets killMarked find what a command starts. program is a name that only this command has.
func markProcesses(cmd *exec.Cmd, program string) (mark string) {
	mark = "TREESPLIT_E2E_RUN=" + program
	cmd.Env = append(cmd.Environ(), mark)
	return mark
}

// killMarked kills all processes that have a mark, also processes that start meanwhile.
func killMarked(mark string) {
	for left := marked(mark); len(left) > 0; left = marked(mark) {
		for _, p := range left {
			p.Kill()
		}
	}
}

// marked are the processes that have a variable in their environment: a launcher's helpers and
// the ranks.
func marked(variable string) (all []*os.Process) {
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	for _, d := range dirs {
		environment, _ := os.ReadFile(d + "/environ")
		if !slices.Contains(strings.Split(string(environment), "\x00"), variable) {
			continue
		}
		pid, _ := strconv.Atoi(filepath.Base(d))
		if p, err := os.FindProcess(pid); err == nil {
			all = append(all, p)
		}
	}
	return all
}

// cutShort does to the checkpoint what a loss of power may: the one before it is whole.
func cutShort(t *testing.T, file string, rng *rand.Rand) {
	t.Helper()
	info, err := os.Stat(file)
	if err != nil || info.Size() == 0 || !fileThere(file+".previous") { // it may be cut to nothing already
		return
	}
	if err := os.Truncate(file, rng.Int64N(info.Size())); err != nil {
		t.Fatal(err)
	}
}
