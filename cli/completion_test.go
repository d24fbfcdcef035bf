package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// free are flags of text that nobody can know beforehand.
var free = []string{"ranks", "size", "launcher-args", "only-index", "message"}

// eachVerb calls f for every verb below root, with the path to it.
func eachVerb(root *cobra.Command, f func(cmd *cobra.Command, path []string)) {
	var visit func(cmd *cobra.Command, path []string)
	visit = func(cmd *cobra.Command, path []string) {
		f(cmd, path)
		for _, sub := range cmd.Commands() {
			visit(sub, append(slices.Clone(path), sub.Name()))
		}
	}
	visit(root, nil)
}

// Every flag that takes a word has completions, and those that are words are spoken of
// in its help.
func TestFlagsComplete(t *testing.T) {
	flags := 0
	eachVerb((&app{args: []string{cobra.ShellCompRequestCmd}}).rootCommand(), func(cmd *cobra.Command, path []string) {
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			complete, ok := cmd.GetFlagCompletionFunc(f.Name)
			if !ok {
				if f.Value.Type() == "string" && !slices.Contains(free, f.Name) {
					t.Errorf("%v --%s has no completions", path, f.Name)
				}
				return
			}
			flags++
			values, directive := complete(cmd, nil, "")
			if directive&cobra.ShellCompDirectiveFilterFileExt != 0 {
				return
			}
			for _, v := range values {
				if help := f.Usage + cmd.Long + topicOf(cmd, f); !strings.Contains(help, v) && !strings.HasPrefix(v, "static+") && f.Name != "machine" {
					t.Errorf("%v --%s: %q is completed, but help does not know it: %s", path, f.Name, v, f.Usage)
				}
			}
		})
	})
	if flags < 100 {
		t.Errorf("only %d flags have completions", flags)
	}
}

// reproduce accepts every scheme that is completed for it. Other commands have more schemes.
func TestSchemesOfTablesComplete(t *testing.T) {
	cmd, _, err := (&app{args: []string{cobra.ShellCompRequestCmd}}).rootCommand().Find([]string{"reproduce"})
	if err != nil {
		t.Fatal(err)
	}
	complete, _ := cmd.GetFlagCompletionFunc("schemes")
	words, _ := complete(cmd, nil, "")
	if len(words) < 2 {
		t.Errorf("completed to %q", words)
	}
	for _, word := range words {
		if _, err := parseTableSchemes(word); err != nil {
			t.Error(err)
		}
	}
}

// topicOf returns the topic of help that the text of a flag names.
func topicOf(cmd *cobra.Command, f *pflag.Flag) string {
	for _, topic := range cmd.Root().Commands() {
		if topic.IsAdditionalHelpTopicCommand() && strings.Contains(f.Usage, "treesplit help "+topic.Name()) {
			return topic.Long
		}
	}
	return ""
}

// replies lets bash itself complete lines, with the script that the program writes. What
// the package bash-completion would do for the script, taking the line apart, is done here.
const replies = `
_get_comp_words_by_ref() { cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} words=("${COMP_WORDS[@]}") cword=$COMP_CWORD; }
_filedir() { if [[ $1 == -d ]]; then COMPREPLY+=(DIRECTORIES); else COMPREPLY+=("FILES $1"); fi; }
compopt() { :; }
source <(treesplit completion bash)
eval "COMP_WORDS=($1)"
if [[ $1 == *' ' ]]; then COMP_WORDS+=(''); fi
COMP_LINE=$1 COMP_POINT=${#1} COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMP_TYPE=9
complete -p treesplit | grep -q __start_treesplit || exit 1
__start_treesplit
printf '%s\n' "${COMPREPLY[@]}"
`

// Bash completes verbs, flags, words by the registries, and files by their endings.
func TestBashCompletes(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the built program, which the race detector does not see")
	}
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("bash is not installed")
	}
	program := builtProgram(t)
	for line, want := range map[string]string{
		"treesplit ut":                            "uts",
		"treesplit help det":                      "detectors",
		"treesplit uts --scheme static+":          "static+\nstatic+clustered\nstatic+rp",
		"treesplit uts --scheme=gr":               "grr\ngrr-m",
		"treesplit uts --termination ":            "credit\nmesh\nring\ntree",
		"treesplit sat x.cnf --rule paper":        "paper\npaper-static",
		"treesplit map g --strategy comm-greedy-": "comm-greedy-refine",
		"treesplit uts --machine nc":              "ncube2",
		"treesplit ring tree --scheme ks":         "ks-bf\nks-load",
		"treesplit predict --schemes rp,grr":      "rp,grr\nrp,grr-m",
		"treesplit uts --tree T3W":                "T3WL",
		"treesplit gen php --":                    "--help\n--n\n--output",
		"treesplit sat ":                          "FILES cnf|dnf|icnf|gz|zst|xz|bz2|",
		"treesplit sweep ":                        "FILES yaml|yml|",
		"treesplit puzzle --batch ":               "FILES csv|",
		"treesplit report --out ":                 "DIRECTORIES",
		"treesplit check a.cnf ":                  "FILES drat|lrat|gz|zst|xz|bz2|",
		"treesplit check a.cnf a.drat ":           "",
		"treesplit uts ":                          "",
		"treesplit reproduce ring-t":              "ring-table1",
		"treesplit reproduce --schemes s":         "sb",
	} {
		cmd := exec.Command("bash", "-c", replies, "bash", line)
		cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(program)+":"+os.Getenv("PATH"))
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil || stderr.Len() > 0 {
			t.Fatalf("%q: %v\n%s", line, err, &stderr)
		}
		var got []string
		for reply := range strings.Lines(string(out)) {
			word, _, _ := strings.Cut(strings.TrimSpace(reply), "  ") // descriptions follow
			got = append(got, word)
		}
		slices.Sort(got)
		if all := strings.Join(got, "\n"); all != want {
			t.Errorf("%q: %q, want %q", line, all, want)
		}
	}
}

// There are scripts for all shells, and each names the program.
func TestCompletionScripts(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		var out, errs bytes.Buffer
		if status := Main([]string{"completion", shell}, nil, &out, &errs); status != 0 || errs.Len() > 0 || !strings.Contains(out.String(), "treesplit") {
			t.Errorf("%s: status %d: %s", shell, status, &errs)
		}
	}
}

// The stamp of scripts/build is the commit where Go has noted none.
func TestVersionStamp(t *testing.T) {
	defer func() { commit = "" }()
	for stamp, want := range map[string]facts{"": {}, "abc": {Commit: "abc"}, "abc-dirty": {Commit: "abc", Dirty: true}} {
		commit = stamp
		if f := factsOf(&debug.BuildInfo{}, ""); f.Commit != want.Commit || f.Dirty != want.Dirty {
			t.Errorf("stamp %q: %+v", stamp, f)
		}
	}
	commit = "abc"
	info := &debug.BuildInfo{Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: "def"}}}
	if f := factsOf(info, ""); f.Commit != "def" {
		t.Errorf("Go has noted def, the program says %s", f.Commit)
	}
}

// --version and version say the same; what Go was not told is left out.
func TestVersion(t *testing.T) {
	var flag, verb, object, errs bytes.Buffer
	for args, out := range map[string]*bytes.Buffer{"--version": &flag, "version": &verb, "version --json": &object} {
		if status := Main(strings.Fields(args), nil, out, &errs); status != 0 || errs.Len() > 0 {
			t.Fatalf("%s: status %d: %s", args, status, &errs)
		}
	}
	if flag.String() != verb.String() || !strings.HasPrefix(flag.String(), "treesplit ") {
		t.Errorf("--version: %q, version: %q", &flag, &verb)
	}
	var f facts
	if err := json.Unmarshal(object.Bytes(), &f); err != nil || f.Go != runtime.Version() || f.OS+"/"+f.Arch != runtime.GOOS+"/"+runtime.GOARCH || f.Version == "" {
		t.Errorf("%s, %v", &object, err)
	}
	set := func(pairs ...string) *debug.BuildInfo {
		info := &debug.BuildInfo{Main: debug.Module{Version: "v1.2.3"}}
		for i := 0; i < len(pairs); i += 2 {
			info.Settings = append(info.Settings, debug.BuildSetting{Key: pairs[i], Value: pairs[i+1]})
		}
		return info
	}
	system := fmt.Sprintf("go      %s\nsystem  %s/%s", runtime.Version(), runtime.GOOS, runtime.GOARCH)
	for _, c := range []struct {
		f    facts
		want string
	}{
		{factsOf(&debug.BuildInfo{}, ""), "treesplit unknown\n" + system + "\nmpi     none: goroutine and simulated ranks alone\n"},
		{
			factsOf(set("vcs.revision", "abc", "vcs.time", "2026-01-02T03:04:05Z", "vcs.modified", "true", "-tags", "mpi", "GOAMD64", "v3"), "Some MPI 4.1"),
			"treesplit v1.2.3\ncommit  abc 2026-01-02T03:04:05Z with changes\n" + system + " v3\ntags    mpi\nmpi     Some MPI 4.1\n",
		},
		{
			factsOf(set("vcs.revision", "abc", "vcs.modified", "false"), ""),
			"treesplit v1.2.3\ncommit  abc\n" + system + "\nmpi     none: goroutine and simulated ranks alone\n",
		},
	} {
		if got := c.f.String(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
