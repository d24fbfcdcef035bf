package sweep

import (
	"bytes"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// hostile are names that break a shell, a page, a table or a terminal if they are not quoted. If a
// name is executed, it leaves a file called canary.
var hostile = []string{
	"a b", " a", "a\tb", "it's", `say "x"`, "$(touch canary)", "`touch canary`", "'; touch canary; '", `"; touch canary; "`, "$HOME", "${IFS}",
	"a;touch canary", "a&touch canary", "a|touch canary", "a>canary", "*", "?", "[a]", "{a,b}", "~", "!!", "\\", "a\\", "-rf", "--help", "-",
	"<b>x</b>", "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "</svg><script>", "&lt;", "<!--", "]]>", "{{.}}", "%s%n", "%00",
	"[x](javascript:alert)", "| a | b |", "# a", "#SBATCH -p x", "#$ -q x", "=1+1", "@x", "+x", "a,b", "é", "日本", "%A%a",
	"a\nb", "a\n#SBATCH --wrap=x", "a\n#$ -q x", "a\r\nb", "a\x1b[2Jb", "\x7f", "a\u202eb", "a\u2028b", "a\u00a0b", "\xff\xfe", "\u0085",
}

// fileName makes a file name of a name.
func fileName(name string) string { return strings.ReplaceAll(name, "/", "_") }

// Every text in a plan is refused with its line, or kept unchanged in the command, the listing, and
// the line of the result, which can be read again.
func TestHostilePlans(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds, without goroutines")
	}
	dir := t.TempDir()
	machine, err := os.ReadFile("../../testdata/machine.yaml")
	if err != nil {
		t.Fatal(err)
	}
	accepted := map[string]int{}
	for _, name := range hostile {
		file := filepath.Join(dir, fileName(name)+".yaml")
		if err := os.WriteFile(file, machine, 0o644); err != nil {
			t.Fatal(err)
		}
		for field, value := range map[string]string{
			"name": name, "instances[0].name": name, "instances[0].verb": name, "instances[0].args[0]": name, "args[0]": name, "schemes[0]": name,
			"worlds[0]": file, "launcher": dir + "/" + name + "/mpirun", "launcher-args[0]": name, "directives[0]": name, "pe": name, "sequential": name,
		} {
			set := func(of, plain string) string {
				if of == field {
					plain = value
				}
				return fmt.Sprintf("%q", plain) // bytes that are not UTF-8 become escapes that YAML reads as characters
			}
			text := fmt.Sprintf("name: %s\nworlds: [%s, mpi]\nranks: [2]\nargs: [%s]\nschemes: [%s]\nsequential: %s\nlauncher: %s\nlauncher-args: [%s]\ninstances: [{name: %s, verb: %s, args: [%s]}]\nbatch: {pe: %s, directives: [%s]}\n",
				set("name", "x"), set("worlds[0]", "local"), set("args[0]", "--stall=1m"), set("schemes[0]", "rp"), set("sequential", "once"), set("launcher", "mpirun"), set("launcher-args[0]", "-x"),
				set("instances[0].name", "i"), set("instances[0].verb", "uts"), set("instances[0].args[0]", "a"), set("pe", "mpi"), set("directives[0]", "-A x"))
			p, err := ParsePlan([]byte(text), "p.yaml")
			if err == nil {
				err = p.SettleLauncher("")
			}
			if err != nil {
				if !strings.HasPrefix(err.Error(), "p.yaml:") || toOneLine(err.Error()) != err.Error() {
					t.Errorf("%s %q: %q", field, value, err)
				}
				continue
			}
			accepted[field]++
			launch := Launch{Binary: "/bin/ts", Launcher: p.Launcher, Args: p.LauncherArgs}
			var file bytes.Buffer
			for _, r := range p.ExpandRuns() {
				command := launch.CommandFor(r)
				if line := CommandLine(command); strings.ContainsAny(line, "\n\r\x1b") {
					t.Errorf("%s %q: listed as %q", field, value, line)
				}
				l := result(r)
				l.Sweep, l.Launcher, l.LauncherArgs, l.Command = p.Name, p.Launcher, p.LauncherArgs, command
				text, err := encodeLine(l)
				if err != nil {
					t.Fatal(err)
				}
				file.Write(text)
			}
			again := map[string]Line{}
			if _, err := ReadLines(&file, "r", func(l Line) error { again[l.Key] = l; return nil }); err != nil {
				t.Errorf("%s %q: what the sweep has written is refused: %v", field, value, err)
			}
			for _, r := range p.ExpandRuns() {
				if l, ok := again[r.Key]; !ok || l.World != r.World || !slices.Equal(l.Args, r.Args) || !slices.Equal(l.Command, launch.CommandFor(r)) {
					t.Errorf("%s %q: read again as %+v", field, value, l)
				}
			}
		}
	}
	for _, field := range []string{"args[0]", "instances[0].args[0]", "worlds[0]", "launcher"} {
		if accepted[field] < len(hostile)/2 {
			t.Errorf("%s: %d of %d names are accepted", field, accepted[field], len(hostile))
		}
	}
}

// bash reads the lines that --list prints as the command.
func TestCommandLine(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	words := slices.Clone(hostile)
	for range 300 {
		word := make([]byte, rng.IntN(12))
		for i := range word {
			word[i] = byte(1 + rng.IntN(255))
		}
		words = append(words, string(word))
	}
	out, err := exec.Command("bash", "-c", `printf '%s\0' `+CommandLine(words)).Output()
	if err != nil || string(out) != strings.Join(words, "\x00")+"\x00" {
		t.Errorf("%v: %q", err, out)
	}
}

// bash runs the job scripts of all schedulers. They start the program in the directory and with the
// names for which they were written, and execute nothing else.
func TestHostileScripts(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds, without goroutines")
	}
	root := t.TempDir()
	jobs := filepath.Join(root, "jobs")
	called := filepath.Join(root, "called")
	program := fmt.Sprintf("#!/bin/sh\nprintf '%%s\\0' \"$PWD\" \"$0\" \"$@\" >'%s'\n", called)
	written := 0
	for i, name := range hostile {
		name := fileName(name)
		dir := filepath.Join(root, fmt.Sprint(i), name)
		binary := filepath.Join(dir, name+"x")
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(binary, []byte(program), 0o755); err != nil {
			t.Fatal(err)
		}
		p := parse(t, "name: x\nranks: [2]\nworlds: [mpi]\nlauncher: mpirun\nsequential: never\ninstances: [{name: a, verb: uts}]\n")
		launcher := filepath.Join(dir, "mpirun")
		for _, scheduler := range Schedulers {
			all, err := p.BuildJobs(scheduler, Launch{Binary: binary, Launcher: launcher}, Places{binary, jobs, dir})
			if clean := toOneLine(name) == name; (err == nil) != clean {
				t.Fatalf("%s %q: %v", scheduler, name, err)
			} else if !clean {
				continue
			}
			if err := p.WriteJobs(scheduler, jobs, all); err != nil {
				t.Fatal(err)
			}
			os.Remove(called)
			cmd := exec.Command("bash", all[0].File)
			cmd.Dir = root
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%s %q: %v: %s", scheduler, name, err, out)
			}
			got, err := os.ReadFile(called)
			if err != nil {
				t.Fatal(err)
			}
			words := strings.Split(string(got), "\x00")
			if words[0] != dir || words[1] != binary || words[2] != "sweep" || !slices.Contains(words, launcher) {
				t.Errorf("%s %q: called as %q", scheduler, name, words)
			}
			script, _ := os.ReadFile(all[0].File)
			for line := range bytes.Lines(script[bytes.Index(script, []byte("\n\n")):]) { // after the directives
				if bytes.HasPrefix(line, []byte("#$")) || bytes.HasPrefix(line, []byte("#BSUB")) {
					t.Errorf("%s %q: a directive %q", scheduler, name, line)
				}
			}
			written++
		}
	}
	filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() == "canary" {
			t.Errorf("%s: %v: something was executed", path, err)
		}
		return nil
	})
	if written < 2*len(hostile) {
		t.Errorf("%d scripts", written)
	}
}

// Long and unusual names of machines give directories of checkpoints that file systems accept, one
// for each run.
func TestCheckpointDirectories(t *testing.T) {
	s := &Sweep{Checkpoints: t.TempDir()}
	seen := map[string]bool{}
	for i := range 3 {
		dir := s.checkpoints(Run{Key: "x/i/" + strings.Repeat("日/../", 40) + "/2/rp/ring/1/1/" + fmt.Sprint(i)})
		if err := os.Mkdir(dir, 0o755); err != nil || seen[dir] || filepath.Dir(dir) != s.Checkpoints {
			t.Errorf("%q: %v", dir, err)
		}
		seen[dir] = true
	}
}
