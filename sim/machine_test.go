package sim

import (
	"strings"
	"testing"

	"treesplit/comm"
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

// A machine on which times could overflow is refused, and so is a message that is too long for a machine.
func TestLongTimes(t *testing.T) {
	m := nCUBE2
	m.Quantum, m.Expand = 1<<24, maxCost
	if err := m.CheckFields(); err == nil || !strings.Contains(err.Error(), "quantum") {
		t.Errorf("%v: expected an error about the quantum", err)
	}
	m = nCUBE2
	m.Quantum, m.AlonePico, m.Together = 1<<24, maxCost*picosPerNano, 2
	if err := m.CheckFields(); err == nil || !strings.Contains(err.Error(), "quantum") {
		t.Errorf("%v: expected an error about the quantum of a rank alone", err)
	}
	m = nCUBE2
	if m.Work.Bytes = 1 << 30; m.mostBytes() < m.Work.Bytes {
		t.Errorf("at most %d bytes", m.mostBytes())
	}
	m.PerWord = maxCost
	if words := m.mostBytes() / 4; comm.Time(words)*m.PerWord > maxSpan {
		t.Errorf("a message of %d words takes more than %v", words, maxSpan.Duration())
	}
}
