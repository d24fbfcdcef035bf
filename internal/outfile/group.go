package outfile

import (
	"io"
	"path/filepath"
)

// Group writes many files. It reads each folder once to find what runs that were killed have left, and not
// once per file: a folder of a million files would be read a million times. The zero Group is ready.
type Group struct {
	stale map[string]map[string][]string // temporary files by folder and by the name of their file
}

// WriteFile is the function WriteFile for a file of the group.
func (g *Group) WriteFile(path string, to func(io.Writer) error) error {
	return writeWith(g.createFile, path, to)
}

func (g *Group) createFile(path string) (*File, error) {
	return createFileAt(path, ResolvePath(path), g.removeStale)
}

func (g *Group) removeStale(place string) {
	dir := Folder(place)
	of, isRead := g.stale[dir]
	if !isRead {
		of = temporariesIn(dir)
		if g.stale == nil {
			g.stale = map[string]map[string][]string{}
		}
		g.stale[dir] = of
	}
	removeAll(dir, of[filepath.Base(place)])
}
