package sim

import (
	"strings"
	"testing"
)

func TestBuiltinMachines(t *testing.T) {
	for _, name := range MachineNames() {
		m, err := FindMachine(name)
		if err != nil || m.Name != name {
			t.Fatalf("FindMachine(%q) = %v, %v", name, m, err)
		}
		if err := m.CheckFields(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestUnknownMachine(t *testing.T) {
	if _, err := FindMachine("cm5"); err == nil || !strings.Contains(err.Error(), "ncube2") {
		t.Errorf("%v: expected the names of machines", err)
	}
	var m Machine
	if err := m.SetField("startups", "5us"); err == nil || !strings.Contains(err.Error(), "startup") {
		t.Errorf("%v: expected the names of fields", err)
	}
}
