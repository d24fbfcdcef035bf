package sweep

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// buildProgram builds a small program of a module. Its version is the text of a variable of the environment.
func buildProgram(t *testing.T, module string) string {
	t.Helper()
	const code = `package main

import "os"

func main() {
	if len(os.Args) == 3 && os.Args[1] == "version" && os.Args[2] == "--json" {
		os.Stdout.WriteString(os.Getenv("` + versionVariable + `"))
	}
}
`
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module " + module + "\n", "main.go": code} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags", "-w -X treesplit/cli.commit=1ab", "-o", "program", ".")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOWORK=off", "CGO_ENABLED=0", "GOFLAGS=")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return filepath.Join(dir, "program")
}

const versionVariable = "SWEEP_TEST_VERSION"

// The commit is known also for programs of scripts/build, which gives it to the linker. Go notes the flags of the
// linker only without -trimpath. So the sweep asks treesplit itself, and starts no other program for this.
func TestStampedCommit(t *testing.T) {
	treesplit, another := buildProgram(t, "treesplit"), buildProgram(t, "another")
	for _, c := range []struct {
		program, version string
		want             map[string]string
	}{
		{treesplit, `{"version":"(devel)","commit":"1ab"}` + "\n", map[string]string{"vcs.revision": "1ab", "vcs.modified": "false"}},
		{treesplit, `{"commit":"1ab","dirty":true}`, map[string]string{"vcs.revision": "1ab", "vcs.modified": "true"}},
		{treesplit, `{"version":"(devel)"}`, map[string]string{}},
		{treesplit, `treesplit`, map[string]string{}},
		{another, `{"commit":"1ab"}`, map[string]string{}},
	} {
		t.Setenv(versionVariable, c.version)
		b, err := readBuild(c.program)
		if err != nil {
			t.Fatal(err)
		}
		maps.DeleteFunc(b.Settings, func(key, _ string) bool { return key != "vcs.revision" && key != "vcs.modified" })
		if !maps.Equal(b.Settings, c.want) {
			t.Errorf("%s: %v, want %v", c.version, b.Settings, c.want)
		}
	}
}
