package outfile

import (
	"os"
	"path/filepath"
)

// IsSameFile reports whether two names are, or would be, those of one regular file: links are
// followed, hard links too. Pipes and devices are never the same.
func IsSameFile(a, b string) bool {
	if standardStream(a) != nil || standardStream(b) != nil {
		return false
	}
	x, err := os.Stat(a)
	y, also := os.Stat(b)
	switch {
	case err == nil && also == nil:
		return x.Mode().IsRegular() && os.SameFile(x, y)
	case err == nil && !x.Mode().IsRegular(), also == nil && !y.Mode().IsRegular():
		return false
	}
	return ResolvePath(a) == ResolvePath(b)
}

// ResolvePath is the name of the file that a name stands for: absolute, without symbolic links,
// although the file, or some of the folders above it, need not be there.
func ResolvePath(path string) string {
	if absolute, err := filepath.Abs(path); err == nil {
		path = absolute
	}
	for range maxLinks {
		if resolved, err := filepath.EvalSymlinks(path); err == nil {
			return resolved
		}
		target, err := os.Readlink(path)
		if err != nil {
			break
		}
		if !filepath.IsAbs(target) { // a link to what is not there
			target = filepath.Join(filepath.Dir(path), target)
		}
		path = target
	}
	if dir := filepath.Dir(path); dir != path {
		return filepath.Join(ResolvePath(dir), filepath.Base(path))
	}
	return path
}

// maxLinks bounds a chain of links, which may be a circle.
const maxLinks = 40
