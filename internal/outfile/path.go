package outfile

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// The system follows links before it goes up: if d is a link, d/.. is the folder above the one that d
// leads to. filepath.Clean, Join, Dir and Abs shorten d/.. to the folder of the link d, which can be
// another one. The functions of this file give such names the meaning that they have for the system.

// ResolvePath returns the name of the file that a name stands for: absolute, without symbolic links,
// although the file, or some of the folders above it, need not be there.
func ResolvePath(path string) string {
	path = joinWorkingDir(path)
	for range maxLinks {
		if resolved, err := filepath.EvalSymlinks(path); err == nil {
			return resolved
		}
		path = trimSeparators(path)
		target, err := os.Readlink(path)
		if err != nil {
			break
		}
		path = linkTarget(path, target) // a link to what is not there
	}
	dir, base := filepath.Split(path)
	if base == "" {
		return path
	}
	return filepath.Join(ResolvePath(dir), base)
}

// maxLinks bounds a chain of links, which may be a circle.
const maxLinks = 40

// joinWorkingDir makes a name absolute, and leaves ".." in it.
func joinWorkingDir(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	if runtime.GOOS == "windows" { // where the system resolves ".." by text, and names of drives can be relative
		if absolute, err := filepath.Abs(path); err == nil {
			return absolute
		}
	}
	dir, err := os.Getwd()
	if err != nil {
		return path
	}
	return dir + string(filepath.Separator) + path
}

// linkTarget returns the name that a link leads to.
func linkTarget(name, target string) string {
	if filepath.IsAbs(target) {
		return target
	}
	dir, _ := filepath.Split(name)
	return dir + target
}

// Absolute returns an absolute name of a file. Links in it stay, unless ".." follows them.
func Absolute(path string) (string, error) {
	if !hasParent(path) {
		return filepath.Abs(path)
	}
	return filepath.Join(ResolvePath(Folder(path)), filepath.Base(path)), nil
}

// Folder returns the name of the folder of a file.
func Folder(path string) string {
	if !hasParent(path) {
		return filepath.Dir(path)
	}
	dir, _ := filepath.Split(trimSeparators(path))
	if dir == "" {
		return "."
	}
	return trimSeparators(dir)
}

// InFolder returns the name of a file in a folder.
func InFolder(dir, name string) string {
	if !hasParent(dir) {
		return filepath.Join(dir, name)
	}
	return trimSeparators(dir) + string(filepath.Separator) + name
}

// hasParent reports whether a part of a name is "..".
func hasParent(path string) bool {
	return slices.Contains(strings.Split(filepath.ToSlash(path), "/"), "..")
}

// trimSeparators removes separators at the end of a name, except of the root.
func trimSeparators(path string) string {
	for n := len(path) - 1; n > len(filepath.VolumeName(path)) && os.IsPathSeparator(path[n]); n-- {
		path = path[:n]
	}
	return path
}
