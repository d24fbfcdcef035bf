package outfile

import (
	"os"
	"path/filepath"
	"strings"
)

// The temporary file of F is F.treesplit-HOST-NUMBER.new. A run that is killed leaves it
// behind; the next run that writes F on the same host removes it, if no process has it locked.
// Locks need not be seen on other hosts, so that files of those are left alone.
const (
	ours   = ".treesplit-"
	suffix = ".new"
)

// temporary is how the names of the temporary files of a file begin.
func temporary(path string) string { return path + ours + hostNamePart() + "-" }

// hostNamePart is the name of this host as far as it can stand in a file's name.
func hostNamePart() string {
	name, _ := os.Hostname()
	name = strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '.':
			return r
		}
		return '_'
	}, name)
	return name[:min(len(name), 24)]
}

// removeStale removes the temporary files of a file whose runs are over.
func removeStale(path string) {
	removeAll(Folder(path), temporariesIn(Folder(path))[filepath.Base(path)])
}

func removeAll(dir string, names []string) {
	for _, name := range names {
		removeUnlocked(InFolder(dir, name))
	}
}

// temporariesIn returns the names of the temporary files in a folder, by the names of their files.
func temporariesIn(dir string) map[string][]string {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	found, end := map[string][]string{}, temporary("")
	for _, e := range entries {
		number, isTemporary := strings.CutSuffix(e.Name(), suffix)
		at := strings.LastIndexByte(number, '-') + 1
		base, isOurs := strings.CutSuffix(number[:at], end)
		if isTemporary && isOurs && isDecimalNumber(number[at:]) && e.Type().IsRegular() {
			found[base] = append(found[base], e.Name())
		}
	}
	return found
}

// isDecimalNumber reports whether a text is what strconv.FormatUint writes of 32 bits.
func isDecimalNumber(text string) bool {
	return len(text) > 0 && len(text) <= 10 && strings.Trim(text, "0123456789") == "" && (text == "0" || text[0] != '0')
}

// removeUnlocked removes a file that no run has locked.
func removeUnlocked(path string) {
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return
	}
	defer file.Close()
	if lock(file, false) == nil && isFileAtPath(file, path) {
		os.Remove(path)
	}
}

// isFileAtPath reports whether an open file is still the one of that name.
func isFileAtPath(file *os.File, path string) bool {
	a, err := file.Stat()
	b, also := os.Lstat(path)
	return err == nil && also == nil && os.SameFile(a, b)
}
