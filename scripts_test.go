package main

import (
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// small returns a project with the scripts of this project. The scripts that install, lint and
// build do nothing in it. Its packages are the root, which is also tested under the race detector,
// and e2e.
func small(t *testing.T, files map[string]string) (dir string) {
	t.Helper()
	if testing.Short() {
		t.Skip("builds test programs")
	}
	dir = t.TempDir()
	all := map[string]string{
		"go.mod":          "module m\n",
		"m_test.go":       "package m\n\nimport \"testing\"\n\nfunc TestGood(t *testing.T) {\n\tif testing.Short() {\n\t\tt.Skip(\"too short\")\n\t}\n}\n",
		"mpi/m.go":        "package mpi\n",
		"scripts/m.go":    "package scripts\n",
		"scripts/build":   "#!/bin/bash\n",
		"scripts/lint":    "#!/bin/bash\n",
		"scripts/install": "#!/bin/bash\n",
	}
	for _, name := range []string{"scripts/lib.sh", "scripts/soak", "scripts/test"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all[name] = string(text)
	}
	before, after, found := strings.Cut(all["scripts/lib.sh"], "raced=(")
	if !found {
		t.Fatal("lib.sh has no list of packages for the race detector")
	}
	_, after, _ = strings.Cut(after, ")")
	all["scripts/lib.sh"] = before + "raced=(.)" + after
	maps.Copy(all, files)
	for name, text := range all {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o755)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// script runs a script of a small project.
func script(t *testing.T, dir, name string, args ...string) (out string, status int) {
	t.Helper()
	cmd := exec.Command("bash", append([]string{"scripts/" + name}, args...)...)
	cmd.Dir = dir
	text, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return string(text), cmd.ProcessState.ExitCode()
}

// contains checks that the output contains words, in any order. A run of blanks counts as one
// blank.
func contains(t *testing.T, out string, wants ...string) {
	t.Helper()
	blanks := strings.Join(strings.Fields(out), " ")
	for _, want := range wants {
		if !strings.Contains(blanks, want) {
			t.Errorf("no %q in %s", want, out)
		}
	}
}

// e2eTest returns a file of package e2e with a single test that has the given body.
func e2eTest(body string) map[string]string {
	return map[string]string{"e2e/e_test.go": "package e2e\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\nfunc TestOnce(t *testing.T) {\n\tif os.Getenv(\"never\") == \"\" {\n\t\t" + body + "\n\t}\n}\n"}
}

// scripts/test runs all tests, and tests of some packages also under the race detector. It prints
// the skipped tests. After a failure it prints the output of the failed test and exits with status
// 1. With --quick it runs no tests that start launchers.
func TestScriptTest(t *testing.T) {
	good := small(t, e2eTest(`t.Skip("no launcher here")`))
	out, status := script(t, good, "test")
	if contains(t, out, "ok m ", "ok m/e2e", "TestOnce: no launcher here", "== passed in"); status != 0 {
		t.Errorf("status %d: %s", status, out)
	}
	if _, err := exec.LookPath("gcc"); err == nil {
		contains(t, out, "race: ok m ", "TestGood: too short")
	}
	bad := small(t, e2eTest(`t.Error("the first run")`))
	out, status = script(t, bad, "test")
	if contains(t, out, "the first run", "== FAILED: tests with launchers", "== failed after"); status != 1 {
		t.Errorf("status %d with a failure: %s", status, out)
	}
	out, status = script(t, bad, "test", "--quick")
	if contains(t, out, "ok m ", "TestGood: too short", "== passed in"); status != 0 || strings.Contains(out, "m/e2e") {
		t.Errorf("status %d of the quick test: %s", status, out)
	}
	if out, status := script(t, bad, "test", "--fast"); status != 2 || !strings.HasPrefix(out, "test: unexpected arguments --fast") {
		t.Errorf("status %d: %s", status, out)
	}
}

// scripts/soak runs all tests the given number of times, continues after a failure, keeps the
// output of failed test programs, counts failures by test, and exits with status 1.
func TestScriptSoak(t *testing.T) {
	dir := small(t, e2eTest(`if os.Mkdir("begun", 0o755) == nil { t.Error("the first run") }`))
	out, status := script(t, dir, "soak", "--suite", "2", "--loaded", "1", "--e2e", "2", "--log", "log")
	contains(t, out, "e2e 2 runs, 0 with", "loaded 1 runs, 0 with", "suite 1 runs, 1 with", "1 m_e2e TestOnce")
	kept, err := os.ReadFile(filepath.Join(dir, "log", "suite-1", "m_e2e.log"))
	if contains(t, string(kept), "the first run"); status != 1 || err != nil {
		t.Errorf("status %d, %v: %s", status, err, out)
	}
	if out, status := script(t, dir, "soak", "--suite", "1", "--loaded", "0", "--e2e", "0"); status != 0 {
		t.Errorf("status %d without a failure: %s", status, out)
	}
	if out, status := script(t, dir, "soak", "--minutes", "0"); status != 0 || !strings.Contains(out, "0 minutes are over") {
		t.Errorf("status %d without time: %s", status, out)
	}
	if out, status := script(t, dir, "soak", "--e2e", "some"); status != 2 || out != "soak: --e2e: expected a number, got 'some'\n" {
		t.Errorf("status %d: %s", status, out)
	}
}

// A signal also ends the running tests.
func TestScriptSoakStops(t *testing.T) {
	dir := small(t, e2eTest(`os.WriteFile("begun", nil, 0o644); time.Sleep(time.Hour)`))
	file := filepath.Join(dir, "e2e", "e_test.go")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(strings.Replace(string(text), "\t\"testing\"\n", "\t\"testing\"\n\t\"time\"\n", 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("bash", "scripts/soak", "--suite", "0", "--loaded", "0", "--e2e", "1")
	cmd.Dir = dir
	var out strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &out // Wait returns when no process has them open any more
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	begun, end := filepath.Join(dir, "e2e", "begun"), time.Now().Add(5*time.Minute)
	for _, err := os.Stat(begun); err != nil && time.Now().Before(end); _, err = os.Stat(begun) {
		time.Sleep(10 * time.Millisecond)
	}
	cmd.Process.Signal(syscall.SIGTERM)
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() != 3 || !strings.Contains(out.String(), "failures by test") {
		t.Errorf("%v: %s", err, &out)
	}
}
