// Package e2e tests the built program through its command line, without a launcher
// and under those of Open MPI and MPICH, where they are installed.
package e2e

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// dir holds what the tests build.
var dir string

func TestMain(m *testing.M) {
	var err error
	if dir, err = os.MkdirTemp("", "treesplit"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	flag.Parse()
	leaveLaunch()
	// Many tests wait: for launchers, for clocks and for the disk. But ranks of MPICH spin while they start, and
	// with three tests at once e2e needed a third more processor time, and longer, on two cores.
	if err := flag.Set("test.parallel", "2"); err != nil {
		panic(err)
	}
	status := m.Run()
	os.RemoveAll(dir)
	os.Exit(status)
}

// leaveLaunch removes the variables of the launcher under which the tests may run (mpirun, srun, a job of
// Slurm), because the program would take itself for one of its ranks. Settings of the user remain. Tests
// set their own variables later, for one command each.
func leaveLaunch() {
	launched := os.Getenv("OMPI_COMM_WORLD_SIZE") != ""
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		isSetting := strings.HasPrefix(name, "OMPI_ALLOW_RUN_AS_ROOT") || strings.HasPrefix(name, "OMPI_MCA_") && !launched // mpirun sets some too
		isOf := func(prefix string) bool { return strings.HasPrefix(name, prefix) }
		if !isSetting && slices.ContainsFunc([]string{"OMPI_", "PMI", "SLURM_", "HYDI_"}, isOf) {
			os.Unsetenv(name)
		}
	}
}

// library is an MPI by Debian's name of it; "" is none: goroutine ranks.
type library string

const (
	none    library = ""
	openMPI library = "openmpi"
	mpich   library = "mpich"
)

var libraries = []library{openMPI, mpich}

// worlds are all ways to run the program.
var worlds = []library{none, openMPI, mpich}

func (l library) String() string {
	if l == none {
		return "goroutines"
	}
	return string(l)
}

// need skips a test where the MPI is not installed.
func (l library) need(t testing.TB) {
	t.Helper()
	if l == none {
		return
	}
	for _, tool := range []string{"mpicc." + string(l), "mpirun." + string(l)} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not installed: run scripts/install", tool)
		}
	}
}

// launch is the command line that starts ranks on this machine. Open MPI looks for special networks for 0.2 s
// otherwise, and then chooses ob1 where there are none.
func (l library) launch(ranks int) []string {
	args := []string{"mpirun." + string(l)}
	if l == openMPI {
		args = append(args, "--oversubscribe", "--mca", "pml", "ob1", "--mca", "orte_tmpdir_base", session())
		if os.Geteuid() == 0 {
			args = append(args, "--allow-run-as-root")
		}
	}
	return append(args, "-n", strconv.Itoa(ranks))
}

// session makes a directory for the session files of one launch of Open MPI. Launches of one
// user share a directory otherwise, which one of them removes while another makes it: mpirun
// then fails with "mkdir was unable to create the desired directory".
func session() string {
	path, err := os.MkdirTemp(dir, "ompi")
	if err != nil {
		panic(err)
	}
	return path
}

// hasty keeps Open MPI from waiting for seconds after a rank that has failed.
func (l library) hasty() []string {
	if l == openMPI {
		return []string{"--mca", "odls_base_sigkill_timeout", "0"}
	}
	return nil
}

// built is a package that has been built once for a world.
type built struct {
	once sync.Once
	path string
	err  error
}

var (
	builds   = map[string]*built{}
	buildsMu sync.Mutex
)

// program builds a package of this project for a world, once, and returns its path.
func program(t testing.TB, l library, pkg string) string {
	t.Helper()
	return programWith(t, l, pkg)
}

// programWith is program with further flags for the compiler.
func programWith(t testing.TB, l library, pkg string, flags ...string) string {
	t.Helper()
	l.need(t)
	path := filepath.Join(dir, filepath.Base(pkg)+"-"+l.String())
	buildsMu.Lock()
	b := builds[path]
	if b == nil {
		b = &built{path: path}
		builds[path] = b
	}
	buildsMu.Unlock()
	b.once.Do(func() {
		// Without the tables for debuggers a program is linked in two thirds of the time.
		build := exec.Command("go", "build", "-buildvcs=false", "-ldflags=-w", "-o", path)
		if l != none {
			build.Args = append(build.Args, "-tags", "mpi")
			build.Env = append(build.Environ(), "CGO_ENABLED=1", "CC=mpicc."+string(l))
		}
		build.Args = append(append(build.Args, flags...), pkg)
		if out, err := build.CombinedOutput(); err != nil {
			b.err = fmt.Errorf("%v: %s", err, out)
		}
	})
	if b.err != nil {
		t.Fatal(b.err)
	}
	return b.path
}

// treesplit builds the program for a world.
func treesplit(t testing.TB, l library) string {
	t.Helper()
	return program(t, l, "treesplit")
}

// ownProgram is treesplit under a name of its own, by which the processes of a test are
// told from those of others that run beside it.
func ownProgram(t testing.TB, l library) string {
	t.Helper()
	program := treesplit(t, l)
	f, err := os.CreateTemp(dir, filepath.Base(program)+"-*")
	if err == nil {
		err = cmp.Or(f.Close(), os.Remove(f.Name()), os.Link(program, f.Name()))
	}
	if err != nil {
		t.Fatal(err)
	}
	return f.Name()
}

// outcome is what a command left behind.
type outcome struct {
	status         int
	stdout, stderr string
	took           time.Duration
}

// lines returns the lines that the program itself wrote to standard error, without its log. Launchers
// write other lines there.
func (o outcome) lines() (own []string) {
	for line := range strings.Lines(o.stderr) {
		if strings.HasPrefix(line, "treesplit: ") && !logged.MatchString(line) {
			own = append(own, strings.TrimSuffix(line, "\n"))
		}
	}
	return own
}

// logged matches a line of the log, which ends with a rank and a time.
var logged = regexp.MustCompile(`^treesplit: (error|warning|info|debug): .* \((rank \d+, )?\d{4}-\d\d-\d\d [\d:]{8}\)\n?$`)

// limit ends a command that hangs.
func limit() time.Duration {
	if whole() {
		return 10 * time.Minute
	}
	return 5 * time.Minute // a machine may have much else to do
}

// start prepares a command that is ended, with its children, when it hangs.
func start(t testing.TB, input string, args ...string) (cmd *exec.Cmd, out, errors *bytes.Buffer) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), limit())
	t.Cleanup(cancel)
	cmd = exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.WaitDelay = limit() // a short time would cut the output off on a busy machine
	out, errors = new(bytes.Buffer), new(bytes.Buffer)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin(t, input, args), out, errors
	return cmd, out, errors
}

// stdin returns what a command reads.
func stdin(t testing.TB, input string, command []string) io.Reader {
	t.Helper()
	switch {
	case input != "":
		return strings.NewReader(input)
	case slices.Contains(command, "mpirun.mpich") && !slices.Contains(command, "-"): // "-": rank 0 reads to the end
		return endlessInput(t)
	}
	return nil
}

// endlessInput returns an empty input that does not end before the test. MPICH's launcher tells the ranks
// the end of its input. If all ranks have ended before the launcher reads it, a broken pipe ends the
// launcher, with /dev/null too (docs/lab-notes.md).
func endlessInput(t testing.TB) *os.File {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close(); w.Close() })
	return r
}

// run runs a command to its end.
func run(t testing.TB, input string, args ...string) outcome {
	t.Helper()
	cmd, out, errs := start(t, input, args...)
	begin := time.Now()
	err := cmd.Run()
	o := outcome{status: cmd.ProcessState.ExitCode(), stdout: out.String(), stderr: errs.String(), took: time.Since(begin)}
	if exit := (*exec.ExitError)(nil); err != nil && (!errors.As(err, &exit) || o.status < 0) {
		t.Fatalf("%v: %v after %v\n%s%s", args, err, o.took, o.stdout, o.stderr)
	}
	return o
}

// runIn runs the program on a number of ranks of a world, which the launcher or -n sets.
func runIn(t testing.TB, l library, ranks int, input string, args ...string) outcome {
	t.Helper()
	return run(t, input, onRanks(t, l, ranks, args...)...)
}

// runWith is runIn with a variable of the environment.
func runWith(t testing.TB, l library, ranks int, variable string, args ...string) outcome {
	t.Helper()
	return run(t, "", slices.Concat([]string{"env", variable}, onRanks(t, l, ranks, args...))...)
}

// onRanks is the command line of runIn.
func onRanks(t testing.TB, l library, ranks int, args ...string) []string {
	t.Helper()
	if l == none {
		return slices.Concat([]string{treesplit(t, l)}, args, []string{"-n", strconv.Itoa(ranks)})
	}
	return slices.Concat(l.launch(ranks), l.hasty(), []string{treesplit(t, l)}, args)
}

// inEachWorld runs a test in each of the worlds.
func inEachWorld(t *testing.T, of []library, test func(t *testing.T, l library)) {
	for _, l := range of {
		t.Run(l.String(), func(t *testing.T) {
			l.need(t)
			test(t, l)
		})
	}
}

// someUnder returns the names of a table of cases in order, and for an MPI every fourth of them,
// others for each: cases that differ in what one process reads are no different there. Those
// of always are among them.
func someUnder[T any](l library, cases map[string]T, always ...string) (names []string) {
	for i, name := range slices.Sorted(maps.Keys(cases)) {
		if l == none || i%4 == len(l)%4 || slices.Contains(always, name) {
			names = append(names, name)
		}
	}
	return names
}

// writeByChild runs a command that writes programs. If this process wrote one, a child that another test
// starts at this moment would hold the file open until its exec, and the program could not be started:
// "text file busy".
func writeByChild(t testing.TB, input []byte, command ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), command[0], command[1:]...)
	cmd.Stdin = bytes.NewReader(input)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", command, err, out)
	}
}

// write writes a file for the program to read.
func write(t testing.TB, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}
