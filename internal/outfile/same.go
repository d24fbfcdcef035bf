package outfile

import (
	"io/fs"
	"os"
	"path/filepath"
)

// IsSameFile reports whether two names stand, or would stand, for one regular file or one standard
// stream. See Identity.
func IsSameFile(a, b string) bool { return Identify(a).IsSame(Identify(b)) }

// Identity is the file that a name stands for. Links are followed, hard links too. Pipes and devices
// are never the same, except standard output and standard error under their names.
type Identity struct {
	info  fs.FileInfo // of a regular file; or nil
	place string      // name of a file that does not exist, or of a standard stream; or ""
}

// Identify returns the file that a name stands for.
func Identify(name string) Identity {
	if stream := standardStream(name); stream != nil {
		return Identity{place: stream.Name()}
	}
	info, err := os.Stat(name)
	if err != nil {
		return Identity{place: ResolvePath(name)}
	}
	return identifyRegular(info)
}

// IdentifyOpen returns the identity of an open file.
func IdentifyOpen(file *os.File) Identity {
	info, err := file.Stat()
	if err != nil {
		return Identity{}
	}
	return identifyRegular(info)
}

func identifyRegular(info fs.FileInfo) Identity {
	if info.Mode().IsRegular() {
		return Identity{info: info}
	}
	return Identity{}
}

// Key finds the few identities with which one has to be compared.
type Key struct {
	place          string
	device, number uint64
}

// Key returns the same key for all identities of one file. Other files can have this key too.
func (i Identity) Key() Key {
	k := Key{place: i.place}
	if i.info != nil {
		k.device, k.number = fileNumber(i.info)
	}
	return k
}

// IsSame reports whether two identities are of one file.
func (i Identity) IsSame(other Identity) bool {
	if i.info == nil || other.info == nil {
		return i.place != "" && i.place == other.place
	}
	return os.SameFile(i.info, other.info)
}

// NamesDescriptor reports whether a name, or a link that it leads to, is the name of an open file of a
// process: /dev/stdout, /dev/stderr, /dev/fd/N, /proc/self/fd/N. Such a name cannot be renamed.
func NamesDescriptor(name string) bool {
	for range maxLinks {
		if standardStream(name) != nil || isDescriptorFolder(Folder(name)) {
			return true
		}
		target, err := os.Readlink(name)
		if err != nil {
			return false
		}
		name = linkTarget(name, target)
	}
	return false
}

// isDescriptorFolder reports whether the files of a folder are the open files of a process.
func isDescriptorFolder(dir string) bool {
	dir = ResolvePath(dir)
	ofProcess, _ := filepath.Match("/proc/*/fd", dir)
	ofThread, _ := filepath.Match("/proc/*/task/*/fd", dir)
	return ofProcess || ofThread || dir == "/dev/fd"
}
