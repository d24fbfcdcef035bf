package outfile

import (
	"os"
	"path/filepath"
	"testing"
)

// linkedFolder makes a folder home/scratch that is a link to disk/user, enters it by the link, and
// returns the folder above both. The environment variable PWD has the path by the link.
func linkedFolder(t *testing.T) (top string) {
	t.Helper()
	top = t.TempDir()
	for _, dir := range []string{"home", "disk/user/sub", "other/deep"} {
		if err := os.MkdirAll(filepath.Join(top, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{
		"home/scratch": "../disk/user", "disk/user/link": "../../other/deep", "disk/user/later": "../behind", "disk/user/again": "link/../behind",
		"disk/user/absolute": filepath.Join(top, "home/scratch"),
	} {
		if err := os.Symlink(to, filepath.Join(top, link)); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(filepath.Join(top, "home", "scratch"))
	return top
}

// namesWithParents are names in the folder of linkedFolder, most with "..".
func namesWithParents(top string) []string {
	return []string{
		"f", "./f", "../f", "./../f", ".//..//f", "../user/f", "sub/../f", "sub/../../f", "link/f", "link/../f", "link/./../f", "link/../deep/../f",
		"link/../../f", "later", "again", "sub/../later", "absolute/f", "absolute/../f", "absolute/link/../f", "../../home/scratch/../f",
		top + "/home/scratch/../f", top + "/home/scratch/link/../f", top + "/home/../home/scratch/f",
	}
}

// ResolvePath finds the file that the system finds, there or not: ".." is the folder above the folder
// that a link leads to.
func TestResolvePathAsTheSystemDoes(t *testing.T) {
	top := linkedFolder(t)
	for _, name := range namesWithParents(top) {
		place := ResolvePath(name)
		if _, err := os.Lstat(place); err == nil {
			t.Fatalf("%s: %s is there already", name, place)
		}
		put(t, name, name) // the system makes the file, behind links too
		holds(t, place, name)
		if again := ResolvePath(name); again != place {
			t.Errorf("%s: %s, and %s after it is there", name, place, again)
		}
		if err := os.Remove(place); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Outputs are written where the system finds their names. Files of the same name in the folders that the
// text of a name seems to lead to stay.
func TestOutputsWithParents(t *testing.T) {
	top := linkedFolder(t)
	for _, name := range namesWithParents(top) {
		place := ResolvePath(name)
		var others []string
		for _, dir := range []string{".", "home", "disk", "disk/user", "disk/user/sub", "other", "other/deep"} {
			for _, base := range []string{"f", "behind"} {
				if path := filepath.Join(top, dir, base); path != place {
					others = append(others, put(t, path, "other"))
				}
			}
		}
		for _, s := range []string{"new", "replaced"} {
			if err := WriteFile(name, text(s)); err != nil {
				t.Error(err)
			}
			holds(t, name, s)
		}
		if err := os.Remove(place); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		unused, err := OpenLines(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := unused.Close(); err != nil {
			t.Error(err)
		}
		for _, other := range others {
			holds(t, other, "other")
			os.Remove(other)
		}
		if _, err := os.Stat(name); err == nil {
			t.Errorf("%s is left", name)
		}
	}
}

// A file is not written by a name that the system does not find.
func TestNamesBehindMissingFolders(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	put(t, "f", "old")
	for _, name := range []string{"no/../f", "f/../f", "no/f"} {
		if err := WriteFile(name, text("new")); err == nil {
			t.Errorf("%s is written", name)
		}
	}
	holds(t, "f", "old")
}

// Absolute keeps the names of links, unless ".." follows them, and finds the same file from any folder.
func TestAbsolute(t *testing.T) {
	top := linkedFolder(t)
	for _, name := range namesWithParents(top) {
		put(t, name, name)
		path, err := Absolute(name)
		if err != nil || !filepath.IsAbs(path) || path != filepath.Clean(path) {
			t.Errorf("%s: %s, %v", name, path, err)
		}
		holds(t, path, name)
		os.Remove(ResolvePath(name))
	}
	if path, err := Absolute("link/x"); err != nil || path != filepath.Join(top, "home/scratch/link/x") {
		t.Errorf("%s, %v", path, err)
	}
}

// Folder and InFolder leave ".." to the system.
func TestFolders(t *testing.T) {
	linkedFolder(t)
	put(t, "link/../f", "text")
	holds(t, InFolder("link/..", "f"), "text")
	holds(t, InFolder("link/../", "f"), "text")
	holds(t, InFolder(Folder("link/../f"), "f"), "text")
	for path, want := range map[string]string{"f": ".", "/f": "/", "d/f": "d", "d//f": "d", "../f": "..", "link/../f": "link/.."} {
		if got := Folder(path); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
	for dir, want := range map[string]string{"": "f", ".": "f", "d": "d/f", "d/": "d/f", "/": "/f", "./d": "d/f", "d/../e": "d/../e/f"} {
		if got := InFolder(dir, "f"); got != want {
			t.Errorf("%q: %s, want %s", dir, got, want)
		}
	}
}
