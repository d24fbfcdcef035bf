package e2e

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// Documents are run: every command of a page, from the top to the bottom, as a reader would type it.

// elsewhere are the beginnings of commands that other tests run, each with the reason.
var elsewhere = map[string]string{
	"./scripts/test":  "runs this test",
	"./scripts/build": "scripts/test runs it; its programs are copied here",
}

// maxNotRun bounds the number of commands that documents mark as not run.
const maxNotRun = 8

// documents returns the pages whose commands are run, by their names from the root.
func documents(t *testing.T) []string {
	t.Helper()
	pages, err := filepath.Glob("../docs/*.md")
	if err != nil || len(pages) == 0 {
		t.Fatalf("no documents: %v", err)
	}
	for i, page := range pages {
		pages[i] = strings.TrimPrefix(page, "../")
	}
	return append(pages, "README.md", "CONTRIBUTING.md", "hostfiles/README.md", "sdk/README.md", "testdata/README.md")
}

// checkout returns a copy of the repository's root, in which commands may write files.
func checkout(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	entries, err := os.ReadDir("..")
	if err != nil {
		t.Fatal(err)
	}
	copies := []string{"cp", "-R"}
	for _, e := range entries {
		name := e.Name()
		if !strings.HasPrefix(name, ".") && !slices.Contains([]string{"bin", "out", "dist"}, name) {
			copies = append(copies, filepath.Join("..", name))
		}
	}
	writeByChild(t, nil, append(copies, dir)...)
	return dir
}

// hostfiles writes the hostfiles of the documents for this machine, which takes all ranks. Readers
// too put other names of hosts into them.
func hostfiles(t *testing.T, dir string) {
	t.Helper()
	for name, text := range map[string]string{"openmpi": "localhost slots=8\n", "mpich": "localhost:8\n"} {
		if err := os.WriteFile(filepath.Join(dir, "hostfiles", name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// install puts the programs that a page uses where scripts/build would.
func install(t *testing.T, dir, text string) {
	t.Helper()
	if err := os.Mkdir(filepath.Join(dir, "bin"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, l := range worlds {
		name := "treesplit"
		if l != none {
			name += "-" + string(l)
			if _, err := exec.LookPath("mpicc." + string(l)); err != nil || !strings.Contains(text, name) && !strings.Contains(text, "sbatch") {
				continue
			}
		}
		writeByChild(t, nil, "cp", treesplit(t, l), filepath.Join(dir, "bin", name)) // no link: a page may build the program there
	}
}

// unavailable returns the reason why a command cannot do its work on this machine, or "".
func unavailable(status int, out []byte) string {
	reasons := map[int][]string{2: {"is not installed", "needs root", "makes no network namespaces"}, 127: {"command not found"}}
	for _, reason := range reasons[status] {
		if strings.Contains(string(out), reason) {
			return reason
		}
	}
	return ""
}

// missingMPI returns the MPI that a command needs and that is not installed, or "".
func missingMPI(command string) library {
	for _, l := range libraries {
		needed := strings.Contains(command, string(l)) || l == openMPI && (strings.Contains(command, "--mpi") || strings.Contains(command, "sbatch"))
		if _, err := exec.LookPath("mpicc." + string(l)); needed && err != nil {
			return l
		}
	}
	return none
}

// missingCores returns why a command cannot run on one core, or "": calibrate measures one rank per core,
// unless it is told otherwise, and needs two.
func missingCores(command string) string {
	alone := strings.HasPrefix(command, "bin/treesplit calibrate ") && !strings.Contains(command, " -n ")
	if alone && runtime.GOMAXPROCS(0) < 2 {
		return "needs 2 cores"
	}
	return ""
}

// bareEnvironment returns the environment of this process without the variables that documents
// tell readers to set.
func bareEnvironment() []string {
	return slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "OMPI_") })
}

// stops reports whether a command is ended by its time.
func stops(command string) bool {
	return strings.Contains(command, "-checkpoint") && strings.Contains(command, "-timeout")
}

// page is a document whose commands are run.
type page struct {
	dir     string // a checkout of its own
	exports string // the variables that the commands so far have set
}

// openPage makes a checkout with the programs that a page uses.
func openPage(t *testing.T, text string) *page {
	t.Helper()
	p := &page{dir: checkout(t)}
	install(t, p.dir, text)
	hostfiles(t, p.dir)
	return p
}

// runBlock writes the file of a block, or runs its commands. If one of them is unavailable, the rest of the block
// depends on it.
func (p *page) runBlock(t *testing.T, b block) {
	t.Helper()
	if b.file != "" {
		if err := os.WriteFile(filepath.Join(p.dir, b.file), []byte(b.text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, command := range b.commands {
		if b.reason != "" || isElsewhere(command) {
			continue
		}
		if strings.HasPrefix(command, "export ") {
			p.exports += command + "\n"
			continue
		}
		reason := cmp.Or(string(missingMPI(command)), missingCores(command))
		if reason == "" {
			reason = p.runCommand(t, command)
		}
		if reason != "" {
			t.Logf("not run: %s: %s", command, reason)
			return
		}
	}
}

// isElsewhere reports whether a command is left to other tests.
func isElsewhere(command string) bool {
	for beginning := range elsewhere {
		if strings.HasPrefix(command, beginning) {
			return true
		}
	}
	return false
}

// runCommand runs a command and checks its status. It returns the reason if the command is
// unavailable. Jobs of Slurm are submitted to one on this machine. Experiments of reproduce
// take minutes: their names are checked. Go tests run elsewhere in the suite: tests of these names must exist.
func (p *page) runCommand(t *testing.T, command string) (reason string) {
	t.Helper()
	line := command
	if strings.HasPrefix(command, "sbatch ") {
		line = "export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1\n./scripts/slurm-here sbatch --wait " + strings.TrimPrefix(command, "sbatch ")
	}
	if _, experiments, found := strings.Cut(command, "treesplit reproduce "); found {
		line = checkOfExperiments(experiments)
	}
	if arguments, found := strings.CutPrefix(command, "go test -v -run "); found {
		line = "go test -list " + arguments + " | grep ^Test"
	}
	began := time.Now()
	status, out := p.runShell(t, line)
	t.Logf("%.1f s: %s", time.Since(began).Seconds(), command)
	if reason := unavailable(status, out); reason != "" {
		return reason
	}
	if !isExpected(command, status, out) {
		t.Errorf("%s\nstatus %d\n%s", command, status, out)
	}
	return ""
}

// checkOfExperiments returns a command that fails if reproduce does not list the experiments.
func checkOfExperiments(arguments string) string {
	names, _, _ := strings.Cut(arguments, " --")
	check := "bin/treesplit reproduce > experiments && echo all >> experiments"
	for _, name := range strings.Fields(names) {
		check += fmt.Sprintf(" && grep '^%s\\b' experiments", name)
	}
	return check
}

// isExpected reports whether a command may end with this status. A verdict of sat has a status of
// its own, which go run replaces by 1; a search that its time has ended has 3.
func isExpected(command string, status int, out []byte) bool {
	verdict := strings.Contains(command, " sat ") && (status == 10 || status == 20 ||
		strings.HasPrefix(command, "go run") && strings.Contains(string(out), "exit status 20"))
	if stops(command) && !strings.Contains(command, "./examples/") {
		return status == 3
	}
	return status == 0 || verdict || status == 3 && stops(command)
}

// runShell runs a line of shell in the page's checkout.
func (p *page) runShell(t *testing.T, line string) (status int, out []byte) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "bash", "-o", "pipefail", "-c", p.exports+line)
	cmd.Dir = p.dir
	if strings.Contains(line, string(mpich)) { // a script may start MPICH's mpirun
		cmd.Stdin = endlessInput(t)
	}
	// Builds elsewhere have the flags of this test, so that they are taken from the cache, and are
	// linked without tables for debuggers.
	cmd.Env = append(bareEnvironment(), "PATH="+filepath.Join(p.dir, "bin")+":"+os.Getenv("PATH"),
		"GOFLAGS="+os.Getenv("GOFLAGS")+" -buildvcs=false -trimpath -ldflags=-w", "OMPI_MCA_orte_tmpdir_base="+session())
	if strings.Contains(line, "-tags mpi") {
		cmd.Env = append(cmd.Env, "CGO_ENABLED=") // as it is if it is not set
	}
	out, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return exit.ExitCode(), out
	} else if err != nil {
		t.Fatal(err)
	}
	return 0, out
}

// The commands that documents print work. The commands that are marked as not run are few.
func TestDocumentsRun(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds the program once for each MPI, and runs some 100 commands")
	}
	notRun := 0
	for _, document := range documents(t) {
		text, err := os.ReadFile(filepath.Join("..", document))
		if err != nil {
			t.Fatal(err)
		}
		blocks, err := readBlocks(string(text))
		if err != nil {
			t.Errorf("%s: %v", document, err)
		}
		for _, b := range blocks {
			if b.reason != "" {
				notRun += len(b.commands)
			}
		}
		t.Run(document, func(t *testing.T) {
			t.Parallel()
			if !slices.ContainsFunc(blocks, func(b block) bool { return len(b.commands) > 0 }) {
				return
			}
			p := openPage(t, string(text))
			for _, b := range blocks {
				p.runBlock(t, b)
			}
		})
	}
	if notRun > maxNotRun {
		t.Errorf("%d commands are marked as not run: expected at most %d", notRun, maxNotRun)
	}
}
