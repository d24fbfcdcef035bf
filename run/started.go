package run

import (
	"debug/elf"
	"errors"
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"

	"treesplit/comm"
	"treesplit/mpi"
	"treesplit/spmd"
)

// Started is how a rank was started. Under a launcher that can start each rank in another
// way (mpirun -n 1 … : -n 1 …) all ranks compare it before anything else, since ranks that
// do different things wait for one another for ever, or end in errors that say nothing.
type Started struct {
	Build     string            // version and build of the program
	Command   string            // of the program; "": it could not be read
	Arguments []string          // what is no flag
	Flags     map[string]string // values of flags that must be the same, with those not given
	Failed    string            // why the rank cannot take part: an error of its input; or ""
}

// NewStarted is how this process was started, by its command line as it is.
func NewStarted() *Started {
	return &Started{Build: describeBuild(), Arguments: os.Args[1:]}
}

// describeBuild names the program's version and build.
func describeBuild() string {
	return fmt.Sprintf("%s, %s, %s/%s, build %s", programVersion(), runtime.Version(), runtime.GOOS, runtime.GOARCH, linkerBuildID())
}

// linkerBuildID is what Go's linker has noted of the contents, where the file can be read.
func linkerBuildID() string {
	const unknown = "unknown"
	path, err := os.Executable()
	if err != nil {
		return unknown
	}
	f, err := elf.Open(path)
	if err != nil {
		return unknown
	}
	defer f.Close()
	note := f.Section(".note.go.buildid")
	if note == nil {
		return unknown
	}
	data, err := note.Data()
	const header = 16 // three words, and the name "Go"
	if err != nil || len(data) < header {
		return unknown
	}
	id := strings.TrimRight(string(data[header:]), "\x00")
	return id[strings.LastIndex(id, "/")+1:] // a sum of the contents
}

// agreeOnStart compares how all ranks were started, and makes what differs the error of all.
func (s *Started) agreeOnStart(c comm.Collective) error {
	all, err := spmd.GatherJSON(c, s)
	if err != nil {
		return err
	}
	text := ""
	for rank, other := range all {
		if err := s.compareStarts(rank, other); err != nil {
			text = err.Error()
			break
		}
	}
	if text == "" {
		text = s.Failed // rank 0's, which all ranks return
	}
	data, err := c.Broadcast(0, []byte(text))
	if err != nil || len(data) == 0 {
		return err
	}
	return InputError{errors.New(string(data))}
}

// compareStarts names the first difference between rank 0 and another one.
func (s *Started) compareStarts(rank int, other *Started) error {
	differ := func(what, own, others string) error {
		return fmt.Errorf("rank %d was started %s, rank 0 %s: expected the same %s on all ranks", rank, others, own, what)
	}
	with := func(flag string, f map[string]string) string {
		if value, ok := f[flag]; ok {
			return fmt.Sprintf("with --%s %q", flag, value)
		}
		return "without --" + flag
	}
	switch {
	case s.Build != other.Build:
		return differ("build of the program", "as "+s.Build, "as "+other.Build)
	case s.Command != other.Command && s.Command != "" && other.Command != "":
		return differ("command", fmt.Sprintf("as %q", s.Command), fmt.Sprintf("as %q", other.Command))
	case s.Failed != other.Failed && other.Failed != "":
		return fmt.Errorf("rank %d: %s", rank, other.Failed)
	case s.Failed != other.Failed:
		return fmt.Errorf("rank 0, but not rank %d: %s", rank, s.Failed)
	case !slices.Equal(s.Arguments, other.Arguments):
		return differ("input", fmt.Sprintf("with %q", s.Arguments), fmt.Sprintf("with %q", other.Arguments))
	}
	for _, flag := range slices.Sorted(maps.Keys(s.Flags)) {
		if with(flag, s.Flags) != with(flag, other.Flags) {
			return differ("flags", with(flag, s.Flags), with(flag, other.Flags))
		}
	}
	return nil
}

// AgreeOnFailure tells all ranks of a launcher that this one cannot take part, as
// s.Failed says, and returns what is wrong on any of them. Every other rank must run
// something, or call it too. It must be called on the main goroutine; finish ends MPI.
func AgreeOnFailure(s *Started) (finish func() error, err error) {
	return runMPIRank(Hooks{Started: s}, func(*mpi.World, func(error)) error { return InputError{errors.New(s.Failed)} })
}
