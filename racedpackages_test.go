package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The race detector runs the packages of commands, runs and experiments that start goroutines.
func TestRacedPackages(t *testing.T) {
	text, err := os.ReadFile("scripts/lib.sh")
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(text), "raced=(")
	list, _, _ = strings.Cut(list, ")")
	raced := strings.Fields(list)
	starts, found := regexp.MustCompile(`(?m)^\s*go (func|[\w.]+\()|\.Go\(`), 0
	for _, root := range []string{"cli", "run", "spmd", "local", "worker", "internal/parallel", "study"} {
		err := filepath.WalkDir(root, func(name string, _ fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(name) != ".go" {
				return err
			}
			source, err := os.ReadFile(name)
			if err != nil || !starts.Match(source) {
				return err
			}
			found++
			if directory := "./" + filepath.ToSlash(filepath.Dir(name)); !slices.Contains(raced, directory) {
				t.Errorf("%s starts goroutines: expected %s among the packages for the race detector in scripts/lib.sh", name, directory)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if found == 0 {
		t.Error("no package starts goroutines")
	}
}
