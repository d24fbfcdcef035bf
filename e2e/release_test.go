package e2e

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"debug/elf"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// release makes a release of what is here and returns the archive and its name.
func release(t *testing.T) (archive []byte, name string) {
	t.Helper()
	dir := t.TempDir()
	cmd := exec.CommandContext(t.Context(), "../scripts/release", "--dirty", dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	found, err := filepath.Glob(filepath.Join(dir, "treesplit-*.tar.gz"))
	if err != nil || len(found) != 1 {
		t.Fatalf("archives %q, %v", found, err)
	}
	archive, err = os.ReadFile(found[0])
	if err != nil {
		t.Fatal(err)
	}
	sum, err := os.ReadFile(found[0] + ".sha256")
	if own := sha256.Sum256(archive); err != nil || string(sum) != hex.EncodeToString(own[:])+"  "+filepath.Base(found[0])+"\n" {
		t.Errorf("checksum %q, %v", sum, err)
	}
	return archive, strings.TrimSuffix(filepath.Base(found[0]), ".tar.gz")
}

// unpack writes an archive into a directory and returns the names in it.
func unpack(t *testing.T, archive []byte, dir string) (names []string) {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(archive))
	if err != nil {
		t.Fatal(err)
	}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			writeByChild(t, archive, "tar", "-xz", "-f", "-", "-C", dir)
			return names
		}
		if err != nil || h.Uid != 0 || h.Uname != "" || !filepath.IsLocal(h.Name) {
			t.Fatalf("%+v, %v", h, err)
		}
		names = append(names, h.Name)
	}
}

// A release has all that it is to have; its program needs no library, those for MPI run
// under their launchers, and none knows a path of the machine that built it.
func TestRelease(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds the program again in three ways")
	}
	archive, name := release(t)
	dir := t.TempDir()
	names := unpack(t, archive, dir)
	root := filepath.Join(dir, name)
	for _, want := range []string{"bin/treesplit", "man/man1/treesplit.1", "man/man1/treesplit-uts.1", "completions/treesplit.bash", "completions/treesplit.zsh", "completions/treesplit.fish", "completions/treesplit.powershell", "README.md", "docs/tutorial.md", "sdk/python/treesplit.py", "scripts/run-hosts", "VERSION"} {
		if !slices.Contains(names, name+"/"+want) {
			t.Errorf("the release lacks %s", want)
		}
	}
	for _, got := range names {
		if strings.Contains(got, "/sdk/testdata/") || strings.Contains(got, "__pycache__") || strings.HasSuffix(got, "_test.go") {
			t.Errorf("the release has %s, which only tests use", got)
		}
	}
	here, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	inEachWorld(t, worlds, func(t *testing.T, l library) {
		program := filepath.Join(root, "bin", "treesplit")
		args := []string{program, "uts", "--tree", "T3", "--json", "-n", "2"}
		if l != none {
			program += "-" + string(l)
			args = slices.Concat(l.launch(2), []string{program}, args[1:5])
		}
		if o := run(t, "", args...); o.status != 0 || object(t, o, 0)["expanded"] != float64(4112897) { // Reference: UTS, T3
			t.Errorf("status %d: %s%s", o.status, o.stdout, o.stderr)
		}
		facts := object(t, run(t, "", program, "version", "--json"), 0)
		library, _ := facts["mpiLibrary"].(string)
		if facts["cgo"] != (l != none) || (library == "") != (l == none) {
			t.Errorf("%v", facts)
		}
		data, err := os.ReadFile(program)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(data, []byte(here)) {
			t.Errorf("the program knows the path %s", here)
		}
		if l == none {
			f, err := elf.NewFile(bytes.NewReader(data))
			if err != nil {
				t.Skip(err) // of another system
			}
			if libraries, err := f.ImportedLibraries(); err != nil || len(libraries) > 0 {
				t.Errorf("the static program wants %q, %v", libraries, err)
			}
		}
	})
}
