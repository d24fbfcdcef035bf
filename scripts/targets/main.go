// Targets checks that the project compiles for other systems:
//
//	go run ./scripts/targets GOOS/GOARCH...
//
// It checks names and types of all packages, without tests, and generates no code. A cross build
// would compile the standard library and all dependencies for each target, which takes minutes with
// an empty cache. Declarations of other packages are enough to check the project's own packages.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

func main() {
	c := checker{fset: token.NewFileSet(), files: map[string]*ast.File{}}
	failed := false
	for _, target := range os.Args[1:] {
		for _, err := range c.check(target) {
			fmt.Fprintf(os.Stderr, "targets: %s: %v\n", target, err)
			failed = true
		}
	}
	if failed {
		os.Exit(1)
	}
}

// checker checks targets one after the other. Most files are the same for all targets and are
// parsed once.
type checker struct {
	fset  *token.FileSet
	files map[string]*ast.File
}

// listed is the output of go list for a package.
type listed struct {
	Dir, ImportPath string
	GoFiles         []string
	ImportMap       map[string]string
	Module          *struct{ Main bool }
	Error           *struct{ Err string }
}

// check returns the errors of the project for a target.
func (c *checker) check(target string) (wrong []error) {
	system, processor, _ := strings.Cut(target, "/")
	sizes := types.SizesFor("gc", processor)
	if sizes == nil {
		return []error{errors.New("expected GOOS/GOARCH")}
	}
	packages, err := list(system, processor)
	if err != nil {
		return []error{err}
	}
	done := imported{"unsafe": types.Unsafe}
	for _, p := range packages {
		if p.Error != nil {
			wrong = append(wrong, errors.New(p.Error.Err))
			continue
		}
		if p.ImportPath == "unsafe" {
			continue
		}
		ours := p.Module != nil && p.Module.Main
		files, err := c.parse(p)
		if err != nil {
			wrong = append(wrong, err)
		}
		config := types.Config{IgnoreFuncBodies: !ours, Sizes: sizes, Importer: done.through(p.ImportMap), Error: func(err error) {
			if ours {
				wrong = append(wrong, err)
			}
		}}
		done[p.ImportPath], _ = config.Check(p.ImportPath, c.fset, files, nil)
	}
	return wrong
}

// list returns the project's packages and all packages that they import, every package after its
// imports.
func list(system, processor string) (all []listed, err error) {
	cmd := exec.Command("go", "list", "-e", "-deps", "-json=Dir,ImportPath,GoFiles,ImportMap,Module,Error", "./...")
	cmd.Env = append(os.Environ(), "GOOS="+system, "GOARCH="+processor, "CGO_ENABLED=0")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		if err := d.Decode(&p); err == io.EOF {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		all = append(all, p)
	}
}

// parse returns the files of a package.
func (c *checker) parse(p listed) (files []*ast.File, err error) {
	for _, name := range p.GoFiles {
		path := filepath.Join(p.Dir, name)
		if c.files[path] == nil {
			file, err := parser.ParseFile(c.fset, path, nil, parser.SkipObjectResolution)
			if err != nil {
				return nil, err
			}
			c.files[path] = file
		}
		files = append(files, c.files[path])
	}
	return files, nil
}

// imported holds packages that were checked, by import path. It implements types.Importer.
type imported map[string]*types.Package

// Import returns a package.
func (m imported) Import(path string) (*types.Package, error) {
	if p := m[path]; p != nil {
		return p, nil
	}
	return nil, errors.New("no package " + path)
}

// through returns the packages by the names that a package uses for them, as for packages that the
// standard library vendors.
func (m imported) through(names map[string]string) imported {
	if len(names) == 0 {
		return m
	}
	renamed := maps.Clone(m)
	for name, path := range names {
		renamed[name] = m[path]
	}
	return renamed
}
