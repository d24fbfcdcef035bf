package sim

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestBuiltinMachines(t *testing.T) {
	for _, name := range MachineNames() {
		m, err := ParseMachine(name)
		if err != nil || m.Name != name {
			t.Fatalf("ParseMachine(%q) = %v, %v", name, m, err)
		}
		if err := m.CheckFields(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestMachineFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.yaml")
	text := "# a comment\nquantum: 8\nbase: ncube2\ntopology: \"mesh\"\nper-hop: 1.5ms\nwork-bytes: 40*sqrt\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := ParseMachine(path)
	if err != nil {
		t.Fatal(err)
	}
	want := nCUBE2
	want.Name, want.Quantum, want.Topology, want.PerHop, want.Work = path, 8, "mesh", 1500*us, WorkSize{Sqrt, 40}
	if got != want {
		t.Errorf("read %+v, want %+v", got, want)
	}
}

func TestMachineFileErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"topology: torus", "f.yaml:1: topology: unknown topology \"torus\": expected one of hypercube"},
		{"quantum: 4\nexpand: 50", "f.yaml:2: expand: \"50\": expected a span with its unit, such as 100us"},
		{"quantum: four", "f.yaml:1: quantum: \"four\": expected a whole number"},
		{"quantum: 0", "f.yaml:1: quantum: 0 is not within 1 to"},
		{"startup: -5us", "f.yaml:1: startup: -5000 is not within 0 to"},
		{"\n\nstartups: 5us", "f.yaml:3: unknown field \"startups\": expected one of base"},
		{"base: cm5", "f.yaml:1: unknown base \"cm5\": expected one of ncube2"},
		{"poll: [1us]", "f.yaml:1: poll: expected a single value"},
		{"work-bytes: 5*cbrt", "f.yaml:1: work-bytes: \"5*cbrt\": expected actual"},
		{"- 1\n- 2", "f.yaml:1: expected a mapping"},
		{"", "f.yaml:1: expected a mapping"},
		{"quantum: 4\n  serve: {", "f.yaml:"},
		{"quantum: 4\nquantum: 5", "f.yaml:2: "},
	} {
		_, err := DecodeMachine([]byte(c.text), "f.yaml")
		if err == nil || !strings.HasPrefix(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v, want %s…", c.text, err, c.want)
		}
	}
	if _, err := ParseMachine("no such machine"); err == nil || !strings.Contains(err.Error(), "ncube2") {
		t.Errorf("an unknown machine: %v", err)
	}
}

func FuzzDecodeMachine(f *testing.F) {
	f.Add([]byte("base: ncube2\nexpand: 5us\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := DecodeMachine(data, "f")
		if err == nil && m.CheckFields() != nil {
			t.Errorf("a machine that cannot be simulated was read: %+v", m)
		}
	})
}
