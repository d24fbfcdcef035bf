package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"treesplit/mpi"
)

// facts describe how this program was built. Facts that Go has not recorded, such as the commit
// with -buildvcs=false, are left out.
type facts struct {
	Version string `json:"version"`
	Commit  string `json:"commit,omitempty"`
	Time    string `json:"commitTime,omitempty"`
	Dirty   bool   `json:"dirty,omitempty"` // there were uncommitted changes
	Go      string `json:"go"`
	OS      string `json:"os"`
	Arch    string `json:"arch"`
	Level   string `json:"archLevel,omitempty"` // such as v1 of amd64
	Tags    string `json:"tags,omitempty"`
	Cgo     bool   `json:"cgo"`
	MPI     string `json:"mpiLibrary,omitempty"` // as reported by the library
}

// commit is the text that scripts/build stamps into the program: the commit, followed by unclean if
// there were uncommitted changes. It is empty in other builds.
var commit string

// unclean follows the name of a commit if there were uncommitted changes.
const unclean = "-dirty"

// buildFacts reads the facts of the running program.
func buildFacts() facts {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	return factsOf(info, mpi.Library())
}

// factsOf reads the facts from Go's build information.
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

// String returns the text of --version, with one fact per line.
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

func (a *app) versionCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print how this program was built: commit, Go, MPI",
		Long:  "version prints how this program was built: the commit, the versions of Go and MPI. --version prints the same.",
		Example: `  treesplit version
  treesplit version --json`,
		Args: exactArguments(0, "flags only"),
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
	cmd.Flags().BoolVar(&asJSON, "json", false, jsonHelp)
	setExit(cmd, "the version is printed")
	return cmd
}
