package main

import (
	"go/ast"
	"go/token"
	"os"
	"strings"
	"testing"
)

// A package that uses features of unix compiles for darwin, and not for windows.
func TestCheck(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"go.mod": "module small\n\ngo 1.26\n",
		"a.go":   "package small\n\nimport \"syscall\"\n\nfunc end() error { return syscall.Kill(1, syscall.SIGTERM) }\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	c := checker{fset: token.NewFileSet(), files: map[string]*ast.File{}}
	for target, want := range map[string]string{
		"darwin/arm64":  "",
		"windows/amd64": "a.go:5:35: undefined: syscall.Kill",
		"windows":       "expected GOOS/GOARCH",
	} {
		wrong := c.check(target)
		if want == "" && len(wrong) > 0 || want != "" && (len(wrong) != 1 || !strings.Contains(wrong[0].Error(), want)) {
			t.Errorf("%s: %v, want %q", target, wrong, want)
		}
	}
}
