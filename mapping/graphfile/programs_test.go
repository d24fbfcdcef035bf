package graphfile

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"treesplit/mapping"
	"treesplit/mapping/gen"
)

// METIS and Scotch themselves accept the files, and their maps are read: one that cuts
// fewer edges than dealing the objects out does, so that it is a map of this graph.
func TestPrograms(t *testing.T) {
	dir := t.TempDir()
	for name, p := range map[string]*mapping.Problem{
		"mesh":   gen.MeshProblem(4, 12, 10, false, 1, 1),
		"random": gen.RandomProblem(4, 100, 400, 300, 1),
	} {
		dealt := make(mapping.Map, len(p.Objects))
		for i := range dealt {
			dealt[i] = int32(i % p.Processors)
		}
		graph, grf := filepath.Join(dir, name+".graph"), filepath.Join(dir, name+".grf")
		write(t, graph, func(w io.Writer) error { return WriteMetis(w, p, WeightUnit(p)) })
		write(t, grf, func(w io.Writer) error { return WriteScotch(w, p, WeightUnit(p)) })
		part, scotch := graph+".part.4", filepath.Join(dir, name+".map")
		for _, command := range [][]string{{"graphchk", graph}, {"gpmetis", graph, "4"}, {"gtst", grf}, {"scotch_gpart", "4", grf, scotch}} {
			if out, err := exec.Command(command[0], command[1:]...).CombinedOutput(); err != nil {
				t.Fatalf("%v: %v (scripts/install brings METIS and Scotch)\n%s", command, err, out)
			}
		}
		for _, file := range []string{part, scotch} {
			in, err := os.Open(file)
			if err != nil {
				t.Fatal(err)
			}
			m, err := ReadPart(file, in, p)
			in.Close()
			if err != nil {
				t.Fatal(err)
			}
			if ours, worst := p.EvaluateMap(m), p.EvaluateMap(dealt); 2*ours.Comm > worst.Comm && name == "mesh" || ours.Comm >= worst.Comm {
				t.Errorf("%s: %d ns of communication, where dealing makes %d", file, ours.Comm, worst.Comm)
			}
		}
	}
}

// write writes a file.
func write(t *testing.T, name string, to func(io.Writer) error) {
	t.Helper()
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := to(f); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}
