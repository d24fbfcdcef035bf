package machinefile

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"treesplit/sim"
)

func TestMachineFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.yaml")
	text := "# a comment\nquantum: 8\nbase: ncube2\ncontention: cut-through\ntopology: \"mesh\"\nper-hop: 1.5ms\nwork-bytes: 40*sqrt\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := ParseMachine(path)
	if err != nil {
		t.Fatal(err)
	}
	want, _ := sim.FindMachine("ncube2")
	want.Name, want.Quantum, want.Topology, want.PerHop, want.Work, want.Contention = path, 8, "mesh", 1_500_000, sim.WorkSize{Rule: sim.Sqrt, Bytes: 40}, sim.CutThrough
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
		{"base: mesh\ncontention: wormhole", "f.yaml:2: contention: \"wormhole\": expected one of none, cut-through, store-and-forward"},
		{"quantum: 4\ncontention: cut-through", "f.yaml:2: contention: a crossbar has no links that messages share"},
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

// The file with the lines of FileFields gives the same machine again.
func TestFieldsRoundTrip(t *testing.T) {
	measured := sim.Machine{
		Topology: "crossbar", Neighbours: "hypercube", Expand: 18, ExpandPico: 37, AlonePico: 17_005, Together: 2, Poll: 90, Startup: 400, Receive: 210,
		PerWord: 1, PerHop: 350, Quantum: 4000, Serve: 4, Work: sim.WorkSize{Rule: sim.Fixed, Bytes: 17}, Split: 900, Accept: 1500, Rest: 20_000, Closing: 70_000,
	}
	for _, m := range append([]sim.Machine{measured, {Topology: "mesh", Contention: sim.StoreAndForward, Expand: 1, Quantum: 1, Serve: 1}, {Topology: "bus", Expand: 1e12, Quantum: 1, Serve: 1, Work: sim.WorkSize{Rule: sim.Sqrt, Bytes: 40}}}, sim.Builtin...) {
		var text strings.Builder
		for _, f := range m.FileFields() {
			text.WriteString(f.Name + ": " + f.Value + "\n")
		}
		m.Name, m.Neighbours = "f", cmp.Or(m.Neighbours, m.Topology)
		got, err := DecodeMachine([]byte(text.String()), "f")
		if err != nil || got != m {
			t.Errorf("%v, read %+v, want %+v\n%s", err, got, m, &text)
		}
	}
}

// Errors about spans and numbers name the field.
func TestFieldErrors(t *testing.T) {
	for text, want := range map[string]string{
		"expand: 18.4":            "f:1: expand: \"18.4\": expected a span",
		"expand: 0.9ns":           "f:1: expand: 0 is not within 1 to",
		"expand-alone: -1ns":      "f:1: expand-alone: -1000 is not within 0 to",
		"expand-alone: 2000000h":  "f:1: expand-alone: 1000000000001000 is not within 0 to",
		"together: 1.5":           "f:1: together: \"1.5\": expected a whole number",
		"neighbours: torus":       "f:1: neighbours: unknown topology",
		"together: -1":            "f:1: together: -1 is not within 0 to",
		"closing: 10m\nrest: -1s": "f:2: rest: -1000000000 is not within 0 to",
	} {
		if _, err := DecodeMachine([]byte(text), "f"); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s…", text, err, want)
		}
	}
}
