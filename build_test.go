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
