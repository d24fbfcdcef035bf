package outfile

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
)

func put(t testing.TB, path, text string) string {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func holds(t testing.TB, path, want string) {
	t.Helper()
	if got, err := os.ReadFile(path); err != nil || string(got) != want {
		t.Errorf("%s holds %q, %v, want %q", path, got, err, want)
	}
}

func names(t testing.TB, dir string) (all []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

func text(s string) func(io.Writer) error {
	return func(w io.Writer) error { _, err := io.WriteString(w, s); return err }
}

// A file appears when it is complete. Until then, and if it is discarded, the old file stays.
func TestCompleteOrNotThere(t *testing.T) {
	dir := t.TempDir()
	path := put(t, filepath.Join(dir, "f"), "old")
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	f, err := CreateFile(path)
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(f, "new")
	holds(t, path, "old")
	f.DiscardFile()
	holds(t, path, "old")
	failed := errors.New("failed")
	if err := WriteFile(path, func(w io.Writer) error { io.WriteString(w, "half"); return failed }); !errors.Is(err, failed) || !strings.HasPrefix(err.Error(), path+": ") {
		t.Errorf("%v", err)
	}
	holds(t, path, "old")
	if err := WriteFile(path, text("new")); err != nil {
		t.Fatal(err)
	}
	holds(t, path, "new")
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if all := names(t, dir); len(all) != 1 {
		t.Errorf("%v are left", all)
	}
}

// A link stays, and what it leads to is replaced, even if that is not there yet.
func TestLinks(t *testing.T) {
	dir := t.TempDir()
	target, link := filepath.Join(dir, "target"), filepath.Join(dir, "link")
	if err := os.Symlink("target", link); err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{"one", "two"} {
		if err := WriteFile(link, text(s)); err != nil {
			t.Fatal(err)
		}
		holds(t, target, s)
	}
}

// Errors name the file that was asked for, and no temporary one.
func TestErrorsNameTheFile(t *testing.T) {
	dir := t.TempDir()
	for path, want := range map[string]string{
		filepath.Join(dir, "no", "f"): "no such file",
		dir:                           "is a directory",
		"/dev/full":                   "no space left",
	} {
		err := WriteFile(path, text("text"))
		if err == nil || !strings.HasPrefix(err.Error(), path+": ") || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), ours) {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// Temporary files of a killed run are removed by the next run with the same name. Files of a live
// run, and files with other names, stay.
func TestStale(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	put(t, temporary(path)+"123"+suffix, "left behind")
	others := []string{
		temporary(path) + "0123" + suffix, temporary(path) + "123" + suffix + "x", temporary(path) + suffix, temporary(path) + "12345678901" + suffix,
		path + ".new123", path + ".treesplit-another.host-123.new", temporary(filepath.Join(dir, "g")) + "123" + suffix, path + "x",
	}
	for _, name := range others {
		put(t, name, "not ours")
	}
	if err := os.Mkdir(temporary(path)+"7"+suffix, 0o755); err != nil {
		t.Fatal(err)
	}
	alive, err := CreateFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if all := names(t, dir); len(all) != len(others)+2 {
		t.Errorf("%v", all)
	}
	io.WriteString(alive, "alive")
	if err := WriteFile(path, text("second")); err != nil {
		t.Fatal(err)
	}
	if err := alive.CommitFile(); err != nil {
		t.Fatal(err)
	}
	holds(t, path, "alive")
	for _, name := range others {
		holds(t, name, "not ours")
	}
}

// Many runs that write one file at a time do not disturb each other: the file is always complete,
// from one of them.
func TestManyWriters(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for range 5 {
				if err := WriteFile(path, text(strings.Repeat(string(rune('a'+i)), 1000))); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	got, err := os.ReadFile(path)
	if err != nil || string(got) != strings.Repeat(string(got[:1]), 1000) {
		t.Errorf("%q, %v", got, err)
	}
	if all := names(t, filepath.Dir(path)); len(all) != 1 {
		t.Errorf("%v", all)
	}
}

// One run holds a name. The name is free when the run has released it or has ended.
func TestHold(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	put(t, path+".lock", "process 1 on a host that has crashed\n")
	first, err := AcquireLock(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := AcquireLock(path); err == nil || !strings.Contains(err.Error(), path+": another run writes it: process ") || strings.Contains(err.Error(), "crashed") {
		t.Errorf("%v", err)
	}
	first.ReleaseLock()
	second, err := AcquireLock(path)
	if err != nil {
		t.Fatal(err)
	}
	first.ReleaseLock()
	if _, err := AcquireLock(path); err == nil {
		t.Error("held twice")
	}
	second.ReleaseLock()
	if all := names(t, dir); len(all) != 0 {
		t.Errorf("%v are left", all)
	}
}

// Names are the same where they lead to one file, there or not.
func TestSame(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	put(t, "f", "")
	put(t, "g", "")
	for _, err := range []error{
		os.Mkdir("d", 0o755), os.Link("f", "hard"), os.Symlink("f", "soft"), os.Symlink("later", "dangling"),
		os.Symlink(dir, "d/up"), os.Symlink("circle", "circle"),
		os.Symlink("/dev/stdout", "stdout"),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"f", "f", true}, {"f", "./d/../f", true}, {"f", filepath.Join(dir, "f"), true}, {"f", "hard", true}, {"f", "soft", true},
		{"hard", "soft", true}, {"f", "d/up/f", true}, {"f", "g", false}, {"later", "dangling", true}, {"d/up/later", "dangling", true},
		{"new", "d/up/new", true}, {"no/new", "no/../no/new", true}, {"new", "other", false}, {"f", "new", false},
		{"/dev/null", "/dev/null", false}, {"/dev/stdout", "/dev/stdout", true}, {"/dev/stdout", "/dev/stderr", false}, {"stdout", "/dev/fd/1", true}, {"d", "d", false}, {"circle", "f", false},
	} {
		if got := IsSameFile(c.a, c.b); got != c.want {
			t.Errorf("%s and %s: %v", c.a, c.b, got)
		}
		if got := IsSameFile(c.b, c.a); got != c.want {
			t.Errorf("%s and %s: %v", c.b, c.a, got)
		}
	}
}

// A file of lines keeps what there was until the first line, and belongs to one run.
func TestLines(t *testing.T) {
	dir := t.TempDir()
	path := put(t, filepath.Join(dir, "f"), "old")
	l, err := OpenLines(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := OpenLines(path); err == nil || !strings.Contains(err.Error(), "another run writes it") {
		t.Errorf("%v", err)
	}
	holds(t, path, "old")
	io.WriteString(l, "1\n")
	io.WriteString(l, "2\n")
	holds(t, path, "1\n2\n")
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	unused, err := OpenLines(filepath.Join(dir, "new"))
	if err != nil {
		t.Fatal(err)
	}
	unused.Close()
	if all := names(t, dir); len(all) != 1 {
		t.Errorf("%v are left", all)
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink("later", link); err != nil {
		t.Fatal(err)
	}
	if unused, err = OpenLines(link); err != nil {
		t.Fatal(err)
	}
	unused.Close()
	if all := names(t, dir); len(all) != 2 || all[1] != "link" {
		t.Errorf("%v are left, want f and the link that leads nowhere", all)
	}
	full, err := OpenLines("/dev/full")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(full, "1\n"); err == nil || !strings.HasPrefix(err.Error(), "/dev/full: no space left") {
		t.Errorf("%v", err)
	}
	if err := full.Close(); err == nil {
		t.Error("closed without an error")
	}
}

// A file that no run has made and that happens to have the name of a lock is neither overwritten nor
// removed, and neither is a link.
func TestHoldLeavesOthersAlone(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "yarn")
	put(t, path+".lock", "# yarn lockfile v1\n")
	if err := os.Symlink("yarn.lock", filepath.Join(dir, "link.lock")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{path, filepath.Join(dir, "link")} {
		if _, err := AcquireLock(name); err == nil || err.Error() != name+".lock: not written by a run, and is never overwritten (expected another name)" {
			t.Errorf("%v", err)
		}
	}
	holds(t, path+".lock", "# yarn lockfile v1\n")
	put(t, path+".lock", "") // of a run that was killed before it wrote
	held, err := AcquireLock(path)
	if err != nil {
		t.Fatal(err)
	}
	held.ReleaseLock()
}

// Names of open files are found behind links, there or not. Other names are names of files.
func TestNamesDescriptor(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	put(t, "f", "")
	for link, to := range map[string]string{"link": "/dev/stdout", "second": "link", "soft": "f", "dangling": "later", "circle": "circle"} {
		if err := os.Symlink(to, link); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]bool{
		"/dev/stdout": true, "/dev/stderr": true, "/dev/fd/77": true, "/proc/self/fd/77": true, "link": true, "second": true,
		"f": false, "soft": false, "dangling": false, "later": false, "circle": false, "no/f": false,
	} {
		if got := NamesDescriptor(name); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// A pipe is written under the name that was given, also if it has no other name.
func TestPipes(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	name := filepath.Join("/dev/fd", strconv.Itoa(int(w.Fd())))
	if _, err := os.Stat(name); err != nil {
		t.Skip("no names of open files here")
	}
	if err := WriteFile(name, text("text")); err != nil {
		t.Error(err)
	}
	w.Close()
	if got, err := io.ReadAll(r); err != nil || string(got) != "text" {
		t.Errorf("%q, %v", got, err)
	}
}
