package e2e

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// Documents are run: every line of every block marked sh, from the top to the bottom of a
// page, as a reader would type it.

// elsewhere are the commands of documents that are not run, each with the reason. Each must be found in
// a document.
var elsewhere = map[string]string{
	"./scripts/test":                        "runs this test",
	"./scripts/test --quick":                "runs most of these tests",
	"./scripts/build":                       "scripts/test runs it; its programs are copied here",
	"bin/treesplit reproduce all --out out": "takes minutes",
	"bin/treesplit uts --tree T1WL --checkpoint t1wl.ckpt --resume auto --checkpoint-every 10m --timeout 1h": "takes an hour",
	"bin/treesplit uts --tree T1WL --resume t1wl.ckpt --scheme grr-m -n 8":                                   "goes on from it, for hours",
	"bin/treesplit predict --ranks 64,256,1024,4096 cluster.yaml uts --tree T3L":                             "takes minutes",
	"sbatch hostfiles/treesplit.sbatch uts --tree T1XL --json --timeout 55m":                                 "takes minutes of 16 cores; slurm.md's is shorter",
	"sbatch hostfiles/treesplit.sbatch uts --tree T1XL --json":                                               "likewise",
	"sbatch hostfiles/treesplit-chain.sbatch uts --tree T1XXL --json":                                        "takes hours; TestSlurm runs this script on less",
	"bin/treesplit-mpich sweep testdata/cluster.yaml --batch slurm --out jobs --submit":                      "takes hours; TestSlurm submits a smaller plan",
}

// documents are run side by side.
var documents = []string{"README.md", "docs/tutorial.md", "docs/own-problem.md", "docs/checkpoints.md", "hostfiles/README.md", "docs/slurm.md"}

// commands are the lines of the blocks marked sh, without their comments.
func commands(t *testing.T, document string) (lines []string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", document))
	if err != nil {
		t.Fatal(err)
	}
	inside := false
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		switch {
		case !inside:
			inside = line == "```sh"
		case line == "```":
			inside = false
		default:
			line, _, _ = strings.Cut(line, " # ")
			if line = strings.TrimSpace(strings.TrimSuffix(line, " #")); line != "" && !strings.HasPrefix(line, "#") {
				lines = append(lines, strings.Join(strings.Fields(line), " "))
			}
		}
	}
	if len(lines) < 3 {
		t.Fatalf("%s has %d commands: expected more", document, len(lines))
	}
	return lines
}

// checkout is a copy of the repository's root, in which commands may write what they like.
func checkout(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	entries, err := os.ReadDir("..")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		name := e.Name()
		if strings.HasPrefix(name, ".") || slices.Contains([]string{"bin", "out", "dist"}, name) {
			continue
		}
		from, to := filepath.Join("..", name), filepath.Join(dir, name)
		if e.IsDir() {
			err = os.CopyFS(to, os.DirFS(from))
		} else {
			var data []byte
			if data, err = os.ReadFile(from); err == nil {
				err = os.WriteFile(to, data, 0o644)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// hostfiles are the hostfiles of the documents, for this machine alone, which takes all ranks. A
// reader too puts other names of hosts into them.
func hostfiles(t *testing.T, dir string) {
	t.Helper()
	for name, text := range map[string]string{"openmpi": "localhost slots=8\n", "mpich": "localhost:8\n"} {
		if err := os.WriteFile(filepath.Join(dir, "hostfiles", name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// lacking is the reason why a script cannot do its work on this machine, or "".
func lacking(status int, out []byte) string {
	for _, reason := range []string{"is not installed", "needs root", "makes no network namespaces"} {
		if status == 2 && strings.Contains(string(out), reason) {
			return reason
		}
	}
	return ""
}

// install puts the programs where scripts/build would.
func install(t *testing.T, dir string) {
	t.Helper()
	if err := os.Mkdir(filepath.Join(dir, "bin"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, l := range worlds {
		name := "treesplit"
		if l != none {
			name += "-" + string(l)
			if _, err := exec.LookPath("mpicc." + string(l)); err != nil {
				continue
			}
		}
		data, err := os.ReadFile(treesplit(t, l))
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, "bin", name), data, 0o755)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// bareEnvironment is this process's, without what documents tell readers to set.
func bareEnvironment() []string {
	return slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "OMPI_") })
}

// stops reports whether a command is to be ended by its time.
func stops(command string) bool {
	return strings.Contains(command, "-checkpoint") && strings.Contains(command, "-timeout")
}

// What the documents tell readers to type works. A verdict of sat has a status of its own,
// go run makes 1 of any, and what is stopped by its time has 3.
func TestDocumentsRun(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds the program once for each MPI, and runs some 50 commands")
	}
	found := map[string]bool{}
	for _, document := range documents {
		lines := commands(t, document)
		for _, line := range lines {
			found[line] = true
		}
		t.Run(document, func(t *testing.T) {
			t.Parallel() // each page has a checkout of its own
			dir := checkout(t)
			install(t, dir) // for pages that go on from another one
			hostfiles(t, dir)
			exports := ""
			for _, line := range lines {
				if elsewhere[line] != "" {
					continue
				}
				if strings.HasPrefix(line, "export ") {
					exports += line + "\n"
					continue
				}
				for _, l := range libraries {
					if strings.Contains(line, string(l)) || l == openMPI && (strings.Contains(line, "--mpi") || strings.Contains(line, "sbatch")) {
						l.need(t)
					}
				}
				cmd := exec.CommandContext(t.Context(), "bash", "-o", "pipefail", "-c", exports+line)
				cmd.Dir = dir
				// Builds elsewhere are taken from the cache, and linked without tables for
				// debuggers; eight ranks on two cores let others have the core.
				cmd.Env = append(bareEnvironment(), "GOFLAGS=-buildvcs=false -trimpath -ldflags=-w", "OMPI_MCA_mpi_yield_when_idle=1", "OMPI_MCA_orte_tmpdir_base="+session())
				if strings.Contains(line, "-tags mpi") {
					cmd.Env = append(cmd.Env, "CGO_ENABLED=") // as it is if it is not set
				}
				began := time.Now()
				out, err := cmd.CombinedOutput()
				t.Logf("%.1f s: %s", time.Since(began).Seconds(), line)
				status := 0
				if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
					status = exit.ExitCode()
				} else if err != nil {
					t.Fatal(err)
				}
				if reason := lacking(status, out); reason != "" {
					t.Logf("not run: %s: %s", line, reason)
					continue
				}
				sat := strings.Contains(line, " sat ") && (status == 10 || status == 20 || strings.HasPrefix(line, "go run") && strings.Contains(string(out), "exit status 20"))
				if ok := status == 0 || sat || status == 3 && stops(line); !ok || stops(line) && status == 0 && !strings.Contains(line, "./examples/") {
					t.Errorf("%s\nstatus %d\n%s", line, status, out)
				}
			}
		})
	}
	for line := range elsewhere {
		if !found[line] {
			t.Errorf("no document says %q any more", line)
		}
	}
}
