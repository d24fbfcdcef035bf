package checkpoint

import (
	"treesplit/internal/outfile"
	"treesplit/run"
)

// Files is a run.Store that keeps each checkpoint in a file.
type Files struct{}

// IsSame reports whether two names stand for one file.
func (Files) IsSame(a, b string) bool { return outfile.IsSameFile(a, b) }

// Find describes the checkpoint in a file.
func (Files) Find(path string) (described string, err error) {
	found, err := Find(path)
	if found == nil || err != nil {
		return "", err
	}
	return found.Path + ": there is " + found.String(), nil
}

// Reserve locks the name of a file and checks that the file can be written.
func (Files) Reserve(path string) (release func(), err error) {
	held, err := outfile.AcquireLock(path)
	if err != nil {
		return nil, err
	}
	if err := Try(path); err != nil { // find out now, not when the first checkpoint is due
		held.ReleaseLock()
		return nil, err
	}
	return held.ReleaseLock, nil
}

// Save writes a file; see the function Save.
func (Files) Save(path string, c *run.Checkpoint) error { return Save(path, c) }

// Load reads a file; see the function Load.
func (Files) Load(path string) (c *run.Checkpoint, damage, err error) { return Load(path) }
