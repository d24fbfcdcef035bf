package outfile

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// A group removes the temporary files of killed runs beside each of its files, and reads a folder once.
func TestGroup(t *testing.T) {
	dir := t.TempDir()
	path := func(i int) string { return filepath.Join(dir, fmt.Sprintf("d.%d", i)) }
	for i := range 3 {
		put(t, temporary(path(i))+"123"+suffix, "left behind")
	}
	other := put(t, temporary(path(7))+"123"+suffix, "of a file outside the group")
	later := temporary(path(2)) + "456" + suffix
	var g Group
	for i := range 3 {
		if err := g.WriteFile(path(i), text("text")); err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			put(t, later, "left behind later")
		}
	}
	for i := range 3 {
		holds(t, path(i), "text")
	}
	if all := names(t, dir); len(all) != 5 {
		t.Errorf("%v are left", all)
	}
	holds(t, other, "of a file outside the group")
	holds(t, later, "left behind later")
}

// All names of a file have one key, and files have keys of their own.
func TestKeys(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	keys := map[Key]bool{}
	for i := range 10 {
		there, missing := fmt.Sprint(i), fmt.Sprint("later", i)
		put(t, there, "")
		if err := os.Link(there, "hard"+there); err != nil {
			t.Fatal(err)
		}
		for _, same := range [][2]string{{there, "hard" + there}, {missing, filepath.Join(dir, missing)}} {
			if a, b := Identify(same[0]), Identify(same[1]); a.Key() != b.Key() || !a.IsSame(b) {
				t.Errorf("%s has the key %v, and %s has %v", same[0], a.Key(), same[1], b.Key())
			}
		}
		keys[Identify(there).Key()], keys[Identify(missing).Key()] = true, true
	}
	if len(keys) != 20 {
		t.Errorf("20 files have %d keys", len(keys))
	}
}
