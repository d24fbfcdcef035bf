package e2e

import (
	"bytes"
	"debug/elf"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// Ranks that were started in different ways refuse to run, with one line that names the
// difference and the rank.
func TestStartedDifferently(t *testing.T) {
	t.Parallel()
	inEachWorld(t, libraries, func(t *testing.T, l library) {
		for _, c := range []struct {
			own, other []string
			want       string
		}{
			{[]string{"uts", "--tree", "T3"}, []string{"uts", "--tree", "T1"}, `rank 1 was started with --tree "T1", rank 0 with --tree "T3"`},
			{[]string{"uts", "--tree", "T3"}, []string{"gen", "php"}, `rank 1 was started as "treesplit gen php", rank 0 as "treesplit uts"`},
			{[]string{"uts", "--tree", "T3"}, []string{"uts", "--nosuch"}, "rank 1: uts: unknown flag: --nosuch"},
			{[]string{"sat", "../testdata/php4.cnf"}, []string{"sat", "../testdata/php6.cnf"}, `rank 1 was started with ["../testdata/php6.cnf"]`},
		} {
			program := treesplit(t, l)
			args := slices.Concat(l.launch(1), l.hasty(), []string{program}, c.own, []string{":", "-n", "1", program}, c.other)
			refused(t, run(t, "", args...), c.want)
		}
	})
}

// Ranks of two builds of the program refuse to run.
func TestDifferentBuilds(t *testing.T) {
	t.Parallel()
	inEachWorld(t, libraries, func(t *testing.T, l library) {
		program := treesplit(t, l)
		args := slices.Concat(l.launch(1), l.hasty(), []string{program, "uts", ":", "-n", "1", otherBuild(t, program), "uts"})
		refused(t, run(t, "", args...), "rank 1 was started as ", "expected the same build of the program on all ranks")
	})
}

// otherBuild copies a program and changes the digest that Go's linker has stored in it.
func otherBuild(t *testing.T, program string) string {
	t.Helper()
	data, err := os.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	f, err := elf.NewFile(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	note := f.Section(".note.go.buildid")
	last := bytes.LastIndexFunc(data[note.Offset:note.Offset+note.Size], func(r rune) bool { return r != 0 })
	data[int(note.Offset)+last] ^= 1
	other := filepath.Join(t.TempDir(), filepath.Base(program))
	writeByChild(t, data, "install", "-m", "755", "/dev/stdin", other)
	return other
}
