package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"treesplit/mpi"
)

// facts say how this program was built. What Go was not told, as the commit where
// -buildvcs=false, is left out.
type facts struct {
	Version string `json:"version"`
	Commit  string `json:"commit,omitempty"`
	Time    string `json:"commitTime,omitempty"`
	Dirty   bool   `json:"dirty,omitempty"` // there were changes that were in no commit
	Go      string `json:"go"`
	OS      string `json:"os"`
	Arch    string `json:"arch"`
	Level   string `json:"archLevel,omitempty"` // such as v1 of amd64
	Tags    string `json:"tags,omitempty"`
	Cgo     bool   `json:"cgo"`
	MPI     string `json:"mpiLibrary,omitempty"` // as the library names itself
}

// commit is what scripts/build stamps into the program: the commit, perhaps followed by
// unclean. It is empty in other builds.
var commit string

// unclean follows the name of a commit where there were changes that were in none.
const unclean = "-dirty"

// buildFacts looks into the program that runs.
func buildFacts() facts {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	return factsOf(info, mpi.Library())
}

// factsOf reads them from what Go has noted.
func factsOf(info *debug.BuildInfo, library string) facts {
	f := facts{Version: info.Main.Version, Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH, MPI: library}
	if f.Version == "" {
		f.Version = "unknown"
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			f.Commit = s.Value
		case "vcs.time":
			f.Time = s.Value
		case "vcs.modified":
			f.Dirty = s.Value == "true"
		case "-tags":
			f.Tags = s.Value
		case "CGO_ENABLED":
			f.Cgo = s.Value == "1"
		case "GOAMD64", "GOARM64":
			f.Level = s.Value
		}
	}
	if f.Commit == "" {
		f.Commit, f.Dirty = strings.CutSuffix(commit, unclean)
	}
	return f
}

// String is the text of --version, a fact a line.
func (f facts) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "treesplit %s\n", f.Version)
	line := func(name string, values ...string) {
		if text := strings.TrimSpace(strings.Join(values, " ")); text != "" {
			fmt.Fprintf(&b, "%-7s %s\n", name, text)
		}
	}
	dirty := ""
	if f.Dirty {
		dirty = "with changes"
	}
	line("commit", f.Commit, f.Time, dirty)
	line("go", f.Go)
	line("system", f.OS+"/"+f.Arch, f.Level)
	line("tags", f.Tags)
	if f.MPI == "" {
		f.MPI = "none: goroutine and simulated ranks alone"
	}
	line("mpi", f.MPI)
	return b.String()
}

// oneLine is the version, with the commit if it is known.
func (f facts) oneLine() string {
	s := f.Version
	if f.Commit != "" {
		s += ", commit " + f.Commit
	}
	if f.Dirty {
		s += " with changes"
	}
	return s
}

func (a *app) versionCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Say how this program was built: commit, Go, MPI",
		Long:  "version says how this program was built, as --version does.",
		Example: `  treesplit version
  treesplit version --json`,
		Args: exactArguments(0, "flags alone"),
		RunE: func(*cobra.Command, []string) error {
			f := buildFacts()
			if mpi.LaunchedRank() > 0 {
				return nil
			}
			if asJSON {
				return a.printJSON(f)
			}
			_, err := fmt.Fprint(a.stdout, f)
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}
