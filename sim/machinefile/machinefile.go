// Package machinefile reads machine files, which describe the simulated machines of package sim.
package machinefile

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"treesplit/internal/fileio"
	"treesplit/sim"
)

// maxMachine limits the size of a machine file: some 20 short lines, and comments.
var maxMachine = fileio.Limit{Bytes: 256 << 10, What: "a machine file"}

// ParseMachine returns the built-in machine with the given name. If there is none, it reads the
// machine file with that name. A machine file is a YAML mapping:
//
//	base: ncube2          # a built-in machine to start from; the default is ideal
//	topology: hypercube   # one of topology.NetworkNames
//	contention: none      # or cut-through, store-and-forward: messages wait for links
//	expand: 50us          # U_calc; spans are as time.ParseDuration reads them
//	poll: 12us
//	startup: 100us        # t_s
//	receive: 20us
//	per-word: 2us         # t_w, of 4 bytes
//	per-hop: 2us          # t_h
//	header-words: 4
//	quantum: 4            # nodes between polls
//	serve: 1              # messages answered at a poll
//	work-bytes: 500       # or actual, or 40*sqrt for 40·√w
//
// The file of a measured machine (package calibrate) also has
//
//	neighbours: hypercube # the network whose neighbours schemes use; default: topology
//	expand: 18.431ns      # nanoseconds of expand and expand-alone have up to 3 decimals
//	expand-alone: 17.2ns  # U_calc of a rank alone; 0s: the same as together
//	together: 2           # ranks at work at once when expand was measured
//	split: 1us            # the sender's work for a piece, besides startup
//	accept: 2us           # the receiver's work for a piece, besides receive
//	rest: 20us            # the shortest back-off of a requester that all have refused
//	closing: 50us         # audits and sums after the search, for each doubling of the ranks
//
// A field that the file does not have keeps the value of the base. Errors name the file, the line
// and the expected value.
func ParseMachine(nameOrFile string) (sim.Machine, error) {
	if m, err := sim.FindMachine(nameOrFile); err == nil {
		return m, nil
	}
	data, err := fileio.ReadTextFile(nameOrFile, maxMachine)
	if errors.Is(err, os.ErrNotExist) {
		return sim.Machine{}, fmt.Errorf("no machine and no file %q: expected a machine file or one of %s", nameOrFile, strings.Join(sim.MachineNames(), ", "))
	}
	if err != nil {
		return sim.Machine{}, err
	}
	return DecodeMachine(data, nameOrFile)
}

// DecodeMachine reads the text of a machine file; name is the name for errors.
func DecodeMachine(data []byte, name string) (sim.Machine, error) {
	at := func(n ast.Node, err error) error {
		return fmt.Errorf("%s:%d: %w", name, n.GetToken().Position.Line, err)
	}
	file, err := parser.ParseBytes(data, 0)
	if err != nil {
		var e yaml.Error
		if errors.As(err, &e) && e.GetToken() != nil {
			return sim.Machine{}, fmt.Errorf("%s:%d: %s", name, e.GetToken().Position.Line, e.GetMessage())
		}
		return sim.Machine{}, fmt.Errorf("%s: %w", name, err)
	}
	fields, ok := mappingEntries(file)
	if !ok {
		return sim.Machine{}, fmt.Errorf("%s:1: expected a mapping of machine fields: %s", name, strings.Join(sim.FieldNames(), ", "))
	}
	m, _ := sim.FindMachine("ideal")
	for _, f := range fields {
		if f.Key.String() == "base" {
			if m, err = baseMachine(f.Value); err != nil {
				return sim.Machine{}, at(f.Value, err)
			}
		}
	}
	m.Name = name
	// The topology comes first, because contention depends on it.
	slices.SortStableFunc(fields, func(a, b *ast.MappingValueNode) int { return fieldRank(a) - fieldRank(b) })
	for _, f := range fields {
		if err := decodeField(&m, f.Key.String(), f.Value); err != nil {
			return sim.Machine{}, at(f.Key, err)
		}
		if err := m.CheckFields(); err != nil {
			return sim.Machine{}, at(f.Key, err)
		}
	}
	return m, nil
}

// fieldRank orders the fields of a file: 0 for the topology, 1 for the others.
func fieldRank(f *ast.MappingValueNode) int {
	if f.Key.String() == "topology" {
		return 0
	}
	return 1
}

// mappingEntries returns the fields of a file that holds one mapping.
func mappingEntries(file *ast.File) ([]*ast.MappingValueNode, bool) {
	if len(file.Docs) != 1 {
		return nil, false
	}
	m, ok := file.Docs[0].Body.(*ast.MappingNode)
	if !ok {
		return nil, false
	}
	return m.Values, true
}

func baseMachine(n ast.Node) (sim.Machine, error) {
	name := scalarText(n)
	m, err := sim.FindMachine(name)
	if err != nil {
		return m, fmt.Errorf("unknown base %q: expected one of %s", name, strings.Join(sim.MachineNames(), ", "))
	}
	return m, nil
}

// scalarText returns a scalar as it was written, without quotes.
func scalarText(n ast.Node) string {
	if s, ok := n.(*ast.StringNode); ok {
		return s.Value
	}
	return n.GetToken().Value
}

// decodeField reads one field.
func decodeField(m *sim.Machine, name string, value ast.Node) error {
	if !slices.Contains(sim.FieldNames(), name) {
		return fmt.Errorf("unknown field %q: expected one of %s", name, strings.Join(sim.FieldNames(), ", "))
	}
	if _, ok := value.(ast.ScalarNode); !ok {
		return fmt.Errorf("%s: expected a single value", name)
	}
	return m.SetField(name, scalarText(value))
}
