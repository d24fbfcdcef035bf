package sim

import (
	"fmt"
	"strings"

	"treesplit/comm"
)

const (
	ns comm.Time = 1
	us           = 1000 * ns
)

// nCUBE2 is the machine of Kumar, Grama and Rao (section 5.3.6): a hypercube with cut-through
// routing. The paper prints t_s, t_w, t_h and the 500 bytes. It does not print the costs of a node,
// a poll and a receipt, the length of a control message and the quantum; these must be calibrated.
// Work messages count as 500 bytes whatever the encoding of a piece, so that a recorded tree gives
// the same run as the live tree.
var nCUBE2 = Machine{
	Name: "ncube2", Topology: "hypercube",
	Expand: 50 * us, Poll: 12 * us,
	Startup: 100 * us, Receive: 20 * us, PerWord: 2 * us, PerHop: 2 * us,
	HeaderWords: 4, Quantum: 4, Serve: 1,
	Work: WorkSize{Fixed, 500},
}

// ncubeWithTopology returns the nCUBE/2 with another network, for comparisons of networks alone.
func ncubeWithTopology(name, topology string) Machine {
	m := nCUBE2
	m.Name, m.Topology = name, topology
	return m
}

// Builtin lists the machines that have a name.
var Builtin = []Machine{
	nCUBE2,
	ncubeWithTopology("mesh", "mesh"),
	ncubeWithTopology("mesh3", "mesh3"),
	ncubeWithTopology("ring", "ring"),
	ncubeWithTopology("fattree", "fattree"),
	// A message is a few cache lines that one processor writes and another reads. The processors
	// are of a time when a node took a microsecond.
	{
		Name: "sharedmemory", Topology: "crossbar",
		Expand: 1 * us, Poll: 50 * ns,
		Startup: 100 * ns, Receive: 100 * ns, PerWord: 2 * ns, PerHop: 100 * ns,
		HeaderWords: 4, Quantum: 16, Serve: 4,
	},
	// Workstations of the same time on a 10 Mbit/s Ethernet: 3.2 µs per word, a millisecond to pass
	// the protocol stack, 64 bytes in the smallest frame.
	{
		Name: "workstations", Topology: "bus",
		Expand: 50 * us, Poll: 20 * us,
		Startup: 500 * us, Receive: 500 * us, PerWord: 3200 * ns, PerHop: 10 * us,
		HeaderWords: 16, Quantum: 16, Serve: 1,
		Work: WorkSize{Fixed, 500},
	},
	// Messages occupy no processor and take a fifth of the time of a node. All losses on this
	// machine are losses of the scheme itself.
	{
		Name: "ideal", Topology: "crossbar",
		Expand: 50 * us, PerHop: 10 * us,
		Quantum: 1, Serve: 1 << 20,
	},
}

// MachineNames returns the names of the machines of Builtin.
func MachineNames() []string {
	var names []string
	for _, m := range Builtin {
		names = append(names, m.Name)
	}
	return names
}

// FindMachine returns the built-in machine with the given name.
func FindMachine(name string) (Machine, error) {
	for _, m := range Builtin {
		if m.Name == name {
			return m, nil
		}
	}
	return Machine{}, fmt.Errorf("no machine %q: expected one of %s", name, strings.Join(MachineNames(), ", "))
}
