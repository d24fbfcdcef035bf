package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// scripts/build stamps the commit that git reports, and nothing if git reports none.
func TestCommitStamp(t *testing.T) {
	lib, err := filepath.Abs("scripts/lib.sh")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	scripts := filepath.Join(dir, "scripts")
	if err := os.Mkdir(scripts, 0o755); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(lib)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(scripts, "lib.sh"), text, 0o644); err != nil {
		t.Fatal(err)
	}
	sh := func(script string) string {
		t.Helper()
		cmd := exec.Command("bash", "-euc", script)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir))
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", script, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	stamp := func() string { return sh("source scripts/lib.sh; commit") }
	if s := stamp(); s != "" {
		t.Errorf("no checkout: %q", s)
	}
	sh("git init -q . && git add . && git -c user.name=a -c user.email=a@b.c commit -qm one")
	head := sh("git rev-parse HEAD")
	if s := stamp(); s != head || len(s) != 40 {
		t.Errorf("clean: %q, HEAD is %q", s, head)
	}
	sh("echo >more.go")
	if s := stamp(); s != head+"-dirty" {
		t.Errorf("with a new file: %q", s)
	}
	if s := sh("source scripts/lib.sh; PATH=/nowhere; commit"); s != "" {
		t.Errorf("without git: %q", s)
	}
}

// scripts/build stamps the commit into each program that it builds.
func TestBuildsAreStamped(t *testing.T) {
	dir := t.TempDir()
	scripts, bin, log := filepath.Join(dir, "scripts"), filepath.Join(dir, "fake"), filepath.Join(dir, "log")
	for _, d := range []string{scripts, bin} {
		if err := os.Mkdir(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"build", "lib.sh"} {
		text, err := os.ReadFile(filepath.Join("scripts", name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(scripts, name), text, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range map[string]string{"go": "#!/bin/sh\necho \"$@\" >>" + log + "\n", "git": "#!/bin/sh\necho 0123456789abcdef\n", "mpicc.openmpi": "#!/bin/sh\n", "mpicc.mpich": "#!/bin/sh\n"} {
		if err := os.WriteFile(filepath.Join(bin, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(filepath.Join(scripts, "build"))
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	text, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	builds := strings.Split(strings.TrimSpace(string(text)), "\n")
	for _, b := range builds {
		if !strings.Contains(b, "-X treesplit/cli.commit=0123456789abcdef") {
			t.Errorf("without a stamp: go %s", b)
		}
	}
	if len(builds) != 3 {
		t.Errorf("%d builds, want 3:\n%s", len(builds), text)
	}
}
