// Package shelltest tests the shell scripts of the directory above, in small projects with fake programs.
package shelltest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// project returns a directory with copies of scripts and with other files, all of them executable.
func project(t *testing.T, files map[string]string, scripts ...string) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "a project")
	write := func(name string, text []byte) {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, text, 0o755)); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range append(scripts, "lib.sh") {
		text, err := os.ReadFile(filepath.Join("..", name))
		if err != nil {
			t.Fatal(err)
		}
		write("scripts/"+name, text)
	}
	for name, text := range files {
		write(name, []byte(text))
	}
	return dir
}

// run runs a command in a directory, with more variables of the environment, but without variables
// that name another repository.
func run(t *testing.T, dir string, env []string, command ...string) (out string, status int) {
	t.Helper()
	cmd := exec.Command(command[0], command[1:]...)
	others := slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "GIT_") })
	cmd.Dir, cmd.Env = dir, append(others, env...)
	text, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return string(text), cmd.ProcessState.ExitCode()
}

// tools returns a value of PATH without other commands than the given ones and the fakes, which are
// shell scripts.
func tools(t *testing.T, fakes map[string]string, names ...string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range fakes {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/bash\n"+text+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range names {
		path, err := exec.LookPath(name)
		if err == nil {
			err = os.Symlink(path, filepath.Join(dir, name))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return "PATH=" + dir
}

// Wrong options and arguments are refused by name, and --help prints the help.
func TestOptions(t *testing.T) {
	for _, c := range []struct {
		command string
		status  int
		says    string
	}{
		{"run-hosts --copi openmpi h 2 uts", 2, "run-hosts: unknown option --copi: expected --copy"},
		{"slurm-here --node 3 true", 2, "slurm-here: unknown option --node: expected --nodes, --cpus or --log"},
		{"netns-hosts --host 3 true", 2, "netns-hosts: unknown option --host: expected --mpi, --hosts or --slots"},
		{"pingpong many", 2, "pingpong: many: expected a number of runs"},
		{"pingpong 0", 2, "pingpong: 0: expected a number of runs"},
		{"pingpong 1 some", 2, "pingpong: some: expected a number of round trips"},
		{"pingpong 1 49", 2, "pingpong: 49: expected a number of round trips, 50 or more"},
		{"pingpong 1 50 2", 2, "pingpong: unexpected argument 2"},
		{"run-hosts --help", 0, "scripts/run-hosts [--copy]"},
		{"slurm-here -h", 0, "scripts/slurm-here [--nodes N]"},
		{"netns-hosts --help", 0, "scripts/netns-hosts [--mpi"},
		{"pingpong --help", 0, "scripts/pingpong [RUNS"},
	} {
		out, status := run(t, "../..", nil, append([]string{"bash"}, strings.Fields("scripts/"+c.command)...)...)
		if status != c.status || !strings.Contains(out, c.says) || status == 2 && strings.Count(out, "\n") != 1 {
			t.Errorf("%s: status %d: %s", c.command, status, out)
		}
	}
}

// --help works in every directory.
func TestHelpElsewhere(t *testing.T) {
	for _, name := range []string{"run-hosts", "run-local", "slurm-here", "netns-hosts", "pingpong", "test", "soak"} {
		if out, status := run(t, ".", nil, "bash", "../"+name, "--help"); status != 0 || !strings.Contains(out, "scripts/"+name) {
			t.Errorf("%s: status %d: %s", name, status, out)
		}
	}
}

// A file that gofmt cannot read is an error, also where its caller tests the status.
func TestFormatted(t *testing.T) {
	if _, err := exec.LookPath("gofmt"); err != nil {
		t.Skip("gofmt is not installed")
	}
	for text, want := range map[string]int{"package a\n": 0, "package  a\n": 1, "package a\nfunc {\n": 1} {
		dir := project(t, map[string]string{"a.go": text, "scripts/ask": "source scripts/lib.sh\nif ! formatted; then exit 1; fi\n"})
		if out, status := run(t, dir, nil, "bash", "scripts/ask"); status != want {
			t.Errorf("%q: status %d, want %d: %s", text, status, want, out)
		}
	}
}

// interrupt is shell that sends the signal of Ctrl-C to its process and to the parent process, if both
// are in one process group.
const interrupt = `read -r _ _ _ _ own _ </proc/$$/stat
read -r _ _ _ _ parents _ </proc/$PPID/stat
[[ $own == "$parents" ]] && kill -INT $PPID $$
`

// heedInterrupt makes scripts that the test starts heed SIGINT, also if this process was started with the
// signal ignored: a signal that this process handles has its default effect in new processes. It skips
// the test on systems without /proc, which interrupt reads.
func heedInterrupt(t *testing.T) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("process groups are read from /proc")
	}
	handled := make(chan os.Signal, 1)
	signal.Notify(handled, os.Interrupt)
	t.Cleanup(func() { signal.Stop(handled) })
}

// Ctrl-C while packages are installed ends the tests.
func TestInterruptedInstallation(t *testing.T) {
	heedInterrupt(t)
	dir := project(t, map[string]string{"scripts/install": "#!/bin/bash\n" + interrupt}, "test")
	path := tools(t, map[string]string{"go": "exit 0"}, "bash", "awk", "mktemp", "mkdir", "rm", "cat", "tail", "sort", "grep", "paste", "dirname")
	if out, status := run(t, dir, []string{path}, "/bin/bash", "scripts/test"); status != 3 || strings.Contains(out, "lint") {
		t.Errorf("status %d: %s", status, out)
	}
}

// The number of ranks goes to the search, and not to the command of its worker.
func TestRunLocal(t *testing.T) {
	dir := project(t, map[string]string{"bin/treesplit": "#!/bin/bash\necho \"$@\"\n"}, "run-local")
	for args, want := range map[string]string{
		"uts --tree T3":              "uts -n 4 --tree T3",
		"ring tree --levels 8":       "ring -n 4 tree --levels 8",
		"run --json -- ./worker -v":  "run -n 4 --json -- ./worker -v",
		"run -- python3 queens.py 6": "run -n 4 -- python3 queens.py 6",
	} {
		out, status := run(t, dir, nil, append([]string{"bash", "scripts/run-local", "goroutines", "4"}, strings.Fields(args)...)...)
		if out != want+"\n" || status != 0 {
			t.Errorf("%s: status %d: %s", args, status, out)
		}
	}
}

// run-hosts copies the program to the same path, also if the path has blanks.
func TestRunHostsCopies(t *testing.T) {
	dir := project(t, map[string]string{"bin/treesplit-openmpi": "", "hosts": "\t# hosts\n\tnode1\tslots=2\n"}, "run-hosts")
	elsewhere := filepath.Join(t.TempDir(), "root") // the root of the other host
	path := tools(t, map[string]string{
		"ssh":            `[[ $1 == node1 ]] || exit 1; shift; bash -c "${*/\//$ELSEWHERE/}"`, // a shell reads the words of a command, joined by blanks
		"scp":            `cp "$2" "$ELSEWHERE/${3#*:}"`,
		"mpirun.openmpi": "echo started",
	}, "bash", "awk", "sort", "dirname", "mkdir", "cp")
	out, status := run(t, dir, []string{path, "ELSEWHERE=" + elsewhere}, "/bin/bash", "scripts/run-hosts", "--copy", "openmpi", "hosts", "2", "uts")
	if _, err := os.Stat(filepath.Join(elsewhere, dir, "bin/treesplit-openmpi")); err != nil || status != 0 || out != "started\n" {
		t.Errorf("status %d, %v: %s", status, err, out)
	}
}

// The wording is checked in a checkout of any user. Without a repository nothing is checked.
func TestWords(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	dir := project(t, map[string]string{"good.md": "# Good\n", "bad.md": "It begins ane" + "w.\n"}, "words")
	words := func(status int, says string) {
		t.Helper()
		out, got := run(t, dir, []string{"GIT_CONFIG_GLOBAL=/dev/null", "GIT_CEILING_DIRECTORIES=" + filepath.Dir(dir), "GIT_TEST_ASSUME_DIFFERENT_OWNER=1"}, "bash", "scripts/words")
		if got != status || !strings.Contains(out, says) {
			t.Errorf("status %d, want %d and %q: %s", got, status, says, out)
		}
	}
	words(0, "words: skipped, ")
	for _, command := range [][]string{{"init", "-q"}, {"add", "good.md"}} {
		if out, status := run(t, dir, nil, append([]string{"git"}, command...)...); status != 0 {
			t.Fatal(out)
		}
	}
	words(0, "never     0  ")
	if out, status := run(t, dir, nil, "git", "add", "bad.md"); status != 0 {
		t.Fatal(out)
	}
	words(1, "bad.md:1:")
}

// A benchmark without METIS or Scotch leaves out their part and makes the others.
func TestBenchWithoutMappers(t *testing.T) {
	const part = "#!/bin/bash\necho \"${0##*/} $*\"\n"
	dir := project(t, map[string]string{"scripts/build": part, "scripts/bench-uts": part}, "bench", "compare-mapping")
	out, status := run(t, dir, []string{tools(t, nil, "bash", "dirname")}, "/bin/bash", "scripts/bench", "3", "mapping", "uts")
	if status != 0 || !strings.Contains(out, "skipped, METIS or Scotch is not installed") || !strings.HasSuffix(out, "bench-uts 3\n") {
		t.Errorf("status %d: %s", status, out)
	}
}

// Ctrl-C ends a benchmark and each of its parts, although the running program handles the signal and exits.
func TestInterruptedBench(t *testing.T) {
	heedInterrupt(t)
	const child = "#!/bin/bash\ntrap 'exit 3' INT\n" + interrupt
	dir := project(t, map[string]string{
		"scripts/build":     "#!/bin/bash\n",
		"scripts/bench-uts": child,
		"scripts/bench-sat": "#!/bin/bash\necho continued\n",
		"child":             child,
		"scripts/part":      "source scripts/lib.sh\nsource scripts/bench.sh\n./child || echo continued\n",
	}, "bench", "bench.sh")
	path := tools(t, nil, "bash", "dirname", "mktemp", "rm")
	for _, args := range [][]string{{"scripts/bench", "1", "uts", "sat"}, {"scripts/part", "1"}} {
		if out, status := run(t, dir, []string{path}, append([]string{"/bin/bash"}, args...)...); status != 3 || out != "" {
			t.Errorf("%s: status %d: %s", args, status, out)
		}
	}
}

// A benchmark continues after a failed comparison of maps, and names it at the end.
func TestBenchAfterFailedMapping(t *testing.T) {
	dir := project(t, map[string]string{
		"scripts/build":           "#!/bin/bash\n",
		"scripts/compare-mapping": "#!/bin/bash\nexit 1\n",
		"scripts/bench-uts":       "#!/bin/bash\necho measured\n",
	}, "bench")
	path := tools(t, map[string]string{"gpmetis": "exit 0", "scotch_gpart": "exit 0"}, "bash", "dirname")
	out, status := run(t, dir, []string{path}, "/bin/bash", "scripts/bench", "1", "mapping", "uts")
	if status != 1 || !strings.HasSuffix(out, "measured\nbench: missed a target or failed: mapping\n") {
		t.Errorf("status %d: %s", status, out)
	}
}

// The packages contain the browser that apt knows, also if apt knows no package before an update.
func TestInstalledBrowser(t *testing.T) {
	for _, c := range []struct {
		known, want string
		updated     bool
	}{
		{"chromium-headless-shell chromium", "chromium-headless-shell", true},
		{"chromium-headless-shell chromium", "chromium-headless-shell", false},
		{"chromium", "chromium", true},
		{"chromium", "chromium", false},
	} {
		dir := project(t, nil, "install")
		asked, updated := filepath.Join(dir, "asked"), filepath.Join(dir, "updated")
		path := tools(t, map[string]string{
			"dpkg-query":     "exit 1", // nothing is installed
			"apt-cache":      `[[ -e $UPDATED && " $KNOWN " == *" $2 "* ]]`,
			"apt-get":        `echo "$*" >>"$ASKED"; if [[ $* == *update ]]; then : >"$UPDATED"; fi; [[ -e $UPDATED ]]`,
			"sudo":           `exec "$@"`,
			"install":        "cat >/dev/null", // of /usr/sbin/policy-rc.d
			"rm":             "exit 0",
			"go":             "exit 0",
			"ip":             "exit 0",
			"mpicc.openmpi":  "exit 0",
			"mpirun.openmpi": "exit 0",
			"mpicc.mpich":    "exit 0",
			"mpirun.mpich":   "exit 0",
		}, "bash", "dirname", "env", "cat")
		if c.updated {
			if err := os.WriteFile(updated, nil, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		out, status := run(t, dir, []string{path, "KNOWN=" + c.known, "ASKED=" + asked, "UPDATED=" + updated}, "/bin/bash", "scripts/install")
		text, err := os.ReadFile(asked)
		requests := strings.Split(strings.TrimSpace(string(text)), "\n")
		browsers := slices.DeleteFunc(strings.Fields(requests[len(requests)-1]), func(p string) bool { return !strings.HasPrefix(p, "chromium") })
		if status != 0 || err != nil || !slices.Equal(browsers, []string{c.want}) || c.updated != (len(requests) == 1) {
			t.Errorf("apt knows %s, updated %t: status %d, %v, requests %q: %s", c.known, c.updated, status, err, requests, out)
		}
	}
}

// A release has the libraries for workers without their tests. Files that git ignores do not change its bytes.
func TestReleasedFiles(t *testing.T) {
	for _, name := range []string{"tar", "gzip", "sha256sum"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skip(name + " is not installed")
		}
	}
	dir := project(t, map[string]string{
		"README.md": "", "CHANGELOG.md": "", "docs/a.md": "", "docs/a.go": "", "hostfiles/openmpi": "", "testdata/a.cnf": "",
		"sdk/c/treesplit.h": "", "sdk/python/treesplit.py": "", "sdk/a_test.go": "", "sdk/testdata/a.c": "",
	}, "release", "run-hosts", "run-local")
	// The program that this go builds prints its arguments.
	path := tools(t, map[string]string{"go": `while (($# > 1)); do
	if [[ $1 == -o ]]; then printf '#!/bin/bash\necho "$@"\n' >"$2"; chmod +x "$2"; fi
	shift
done
echo "$1"`}) + ":" + os.Getenv("PATH")
	release := func() (names []string, archive string) {
		t.Helper()
		to := t.TempDir()
		env := []string{path, "GIT_CEILING_DIRECTORIES=" + filepath.Dir(dir)}
		if out, status := run(t, dir, env, "bash", "scripts/release", "--dirty", to); status != 0 {
			t.Fatalf("status %d: %s", status, out)
		}
		archive = filepath.Join(to, "treesplit-unknown-GOOS-GOARCH.tar.gz")
		list, status := run(t, dir, nil, "tar", "-tzf", archive)
		bytes, err := os.ReadFile(archive)
		if status != 0 || err != nil {
			t.Fatalf("status %d, %v: %s", status, err, list)
		}
		return strings.Fields(list), string(bytes)
	}
	names, before := release()
	for name, want := range map[string]bool{"sdk/c/treesplit.h": true, "sdk/python/treesplit.py": true, "scripts/run-local": true, "testdata/a.cnf": true, "docs/a.go": false, "sdk/a_test.go": false, "sdk/testdata/": false} {
		if got := slices.Contains(names, "treesplit-unknown-GOOS-GOARCH/"+name); got != want {
			t.Errorf("%s is in the release: %t, want %t", name, got, want)
		}
	}
	for _, name := range []string{"sdk/python/__pycache__/treesplit.pyc", "docs/a.prof", "testdata/a.test"} {
		file := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, nil, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	if names, after := release(); after != before {
		t.Errorf("files that git ignores change the release: %q", names)
	}
}

// slurm-here draws different ports: of a thousand random ports some are equal.
func TestPorts(t *testing.T) {
	const n = 1000
	text, err := os.ReadFile("../slurm-here")
	if err != nil {
		t.Fatal(err)
	}
	_, body, found := strings.Cut(string(text), "\nports() {\n")
	body, _, ends := strings.Cut(body, "\n}\n")
	if !found || !ends {
		t.Fatal("slurm-here has no function ports")
	}
	out, status := run(t, "", nil, "bash", "-euc", fmt.Sprintf("ports() {\n%s\n}\nports %d", body, n))
	ports := strings.Fields(out)
	slices.Sort(ports)
	if different := len(slices.Compact(slices.Clone(ports))); status != 0 || len(ports) != n || different != n {
		t.Errorf("status %d, %d ports, %d different, want %d", status, len(ports), different, n)
	}
}

// Temporary files are kept in memory only if it has room for them, and TMPDIR names no other directory.
func TestKeptInMemory(t *testing.T) {
	const memory = "/dev/shm"
	if out, err := exec.Command("bash", "-c", `f=$(mktemp -p /dev/shm) && trap 'rm "$f"' EXIT && chmod +x "$f" && "$f"`).CombinedOutput(); err != nil {
		t.Skipf("no programs run in %s: %v: %s", memory, err, out)
	}
	dir := project(t, nil)
	for _, c := range []struct{ free, named, want string }{
		{free: "8388608", want: memory},
		{free: "8388607"},
		{free: "8388608", named: dir, want: dir},
	} {
		path := tools(t, map[string]string{"awk": "echo " + c.free}, "bash", "df", "mktemp", "rm", "chmod", "dirname")
		out, status := run(t, dir, []string{path, "TMPDIR=" + c.named}, "/bin/bash", "-c", `set -eu; source scripts/lib.sh; keep_in_memory; echo "$TMPDIR"`, "scripts/x")
		if status != 0 || out != c.want+"\n" {
			t.Errorf("%+v: status %d: %s", c, status, out)
		}
	}
}
