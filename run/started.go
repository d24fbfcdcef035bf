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

// Started describes how a rank was started. A launcher can start each rank differently (mpirun -n
// 1 … : -n 1 …). All ranks compare their Started before anything else. Without the comparison,
// ranks with different work would wait for one another for ever or end with misleading errors.
type Started struct {
	Build     string            // version and build of the program
	Command   string            // digest of the program; "": it could not be read
	Arguments []string          // arguments that are not flags
	Flags     map[string]string // values of the flags that must be equal on all ranks, including defaults
	Failed    string            // why the rank cannot take part: an error of its input; or ""
}

// NewStarted describes how this process was started, by its unchanged command line.
func NewStarted() *Started {
	return &Started{Build: describeBuild(), Arguments: os.Args[1:]}
}

// describeBuild returns the version and the build of the program.
func describeBuild() string {
	return fmt.Sprintf("%s, %s, %s/%s, build %s", programVersion(), runtime.Version(), runtime.GOOS, runtime.GOARCH, linkerBuildID())
}

// linkerBuildID returns the digest of the program that Go's linker has stored in it, or "unknown" if
// the file cannot be read.
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
	return id[strings.LastIndex(id, "/")+1:] // the last part is a digest of the contents
}

// agreeOnStart compares how all ranks were started. A difference is an error on all ranks.
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
		text = s.Failed // the error of rank 0, which all ranks return
	}
	data, err := c.Broadcast(0, []byte(text))
	if err != nil || len(data) == 0 {
		return err
	}
	return InputError{errors.New(string(data))}
}

// compareStarts returns an error that names the first difference between rank 0 and another rank.
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

// AgreeOnFailure reports to all ranks of a launcher that this rank cannot take part, for the
// reason in s.Failed. It returns the error of the first failed rank. Every other rank must run a
// search or call AgreeOnFailure too. It must be called on the main goroutine. finish ends MPI.
func AgreeOnFailure(s *Started) (finish func() error, err error) {
	return runMPIRank(Hooks{Started: s}, func(*mpi.World, func(error)) error { return InputError{errors.New(s.Failed)} })
}
