package lab

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"treesplit/internal/outfile"
	"treesplit/study/figure"
)

// The sections of experiments are kept beside their tables, so that the page can show all
// experiments, independent of when each was run.

// kept is the file of an experiment.
type kept struct {
	Program string // digest of the program that ran it
	Section figure.Section
}

// sectionsDir is where the files of experiments are, in the directory of a lab.
const sectionsDir = "sections"

// maxSection bounds the file of an experiment.
const maxSection = 64 << 20

func (l *Lab) sectionPath(name string) string {
	return outfile.InFolder(outfile.InFolder(outfile.Folder(l.path), sectionsDir), name+".json")
}

// KeepSection writes the section of an experiment to its file.
func (l *Lab) KeepSection(s figure.Section) error {
	if l.path == "" {
		return nil
	}
	path := l.sectionPath(s.Name)
	if err := os.MkdirAll(outfile.Folder(path), 0o755); err != nil {
		return err
	}
	data, err := json.Marshal(kept{l.program, s})
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return outfile.WriteFile(path, func(w io.Writer) error { _, err := w.Write(data); return err })
}

// KeptSection returns the section of the last run of an experiment. same reports whether this
// program has run it; then it does not have to be run again. ok is false if the experiment was
// never run.
func (l *Lab) KeptSection(name string) (s figure.Section, same, ok bool, err error) {
	path := l.sectionPath(name)
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return s, false, false, nil
	case err != nil:
		return s, false, false, err
	case info.Size() > maxSection || !info.Mode().IsRegular():
		return s, false, false, fmt.Errorf("%s: %d bytes: expected a file that reproduce has written, of %d at most", path, info.Size(), maxSection)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return s, false, false, err
	}
	var k kept
	if err := json.Unmarshal(data, &k); err != nil || k.Section.Name != name {
		return s, false, false, fmt.Errorf("%s: not what reproduce has written: delete it, and the experiment will be run again", path)
	}
	return k.Section, k.Program == l.program, true, nil
}
