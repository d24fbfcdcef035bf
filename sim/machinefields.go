package sim

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"treesplit/comm"
)

// fieldKind describes how a field of a machine file is read and written.
type fieldKind struct {
	name string
	set  func(m *Machine, value string) error
	get  func(m *Machine) string
}

// fields are the fields of a machine file.
var fields = []fieldKind{
	{"base", func(*Machine, string) error { return nil }, nil}, // read before all others
	{"topology", func(m *Machine, v string) error { m.Topology = v; return nil }, func(m *Machine) string { return m.Topology }},
	{"contention", func(m *Machine, v string) (err error) { m.Contention, err = parseContention(v); return err },
		func(m *Machine) string { return m.Contention.String() }},
	{"neighbours", func(m *Machine, v string) error { m.Neighbours = v; return nil }, func(m *Machine) string { return cmp.Or(m.Neighbours, m.Topology) }},
	{"expand", func(m *Machine, v string) (err error) {
		m.Expand, m.ExpandPico, err = parseFine(v)
		return err
	}, func(m *Machine) string { return formatFine(m.NodeCostPicos(max(m.Together, 1))) }},
	{"expand-alone", func(m *Machine, v string) error {
		ns, pico, err := parseFine(v)
		m.AlonePico = int64(min(max(ns, -1), maxCost+1))*picosPerNano + pico // CheckFields refuses values out of range
		return err
	}, func(m *Machine) string { return formatFine(m.AlonePico) }},
	integerField("together", func(m *Machine) *int { return &m.Together }),
	durationField("poll", func(m *Machine) *comm.Time { return &m.Poll }),
	durationField("startup", func(m *Machine) *comm.Time { return &m.Startup }),
	durationField("receive", func(m *Machine) *comm.Time { return &m.Receive }),
	durationField("per-word", func(m *Machine) *comm.Time { return &m.PerWord }),
	durationField("per-hop", func(m *Machine) *comm.Time { return &m.PerHop }),
	integerField("header-words", func(m *Machine) *int { return &m.HeaderWords }),
	integerField("quantum", func(m *Machine) *int { return &m.Quantum }),
	integerField("serve", func(m *Machine) *int { return &m.Serve }),
	{"work-bytes", func(m *Machine, v string) (err error) { m.Work, err = parseWorkSize(v); return err },
		func(m *Machine) string { return m.Work.String() }},
	durationField("split", func(m *Machine) *comm.Time { return &m.Split }),
	durationField("accept", func(m *Machine) *comm.Time { return &m.Accept }),
	durationField("rest", func(m *Machine) *comm.Time { return &m.Rest }),
	durationField("closing", func(m *Machine) *comm.Time { return &m.Closing }),
}

// FieldNames returns the names of the fields of a machine file.
func FieldNames() (names []string) {
	for _, f := range fields {
		names = append(names, f.name)
	}
	return names
}

// SetField sets the field of a machine file with the given name, one of FieldNames. The error names
// the field. Field base, which names the machine to start from, sets nothing.
func (m *Machine) SetField(name, value string) error {
	for _, f := range fields {
		if f.name == name {
			if err := f.set(m, value); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			return nil
		}
	}
	return fmt.Errorf("unknown field %q: expected one of %s", name, strings.Join(FieldNames(), ", "))
}

// Field is a line of a machine file.
type Field struct{ Name, Value string }

// FileFields returns the lines of a file that describes m completely: machinefile.DecodeMachine
// reads the same machine from them, except for its name.
func (m Machine) FileFields() (all []Field) {
	for _, f := range fields {
		if f.get != nil {
			all = append(all, Field{f.name, f.get(&m)})
		}
	}
	return all
}

func durationField(name string, field func(*Machine) *comm.Time) fieldKind {
	set := func(m *Machine, v string) error {
		d, err := parseSpan(v)
		*field(m) = comm.Time(d)
		return err
	}
	return fieldKind{name, set, func(m *Machine) string { return field(m).Duration().String() }}
}

func parseSpan(v string) (time.Duration, error) {
	d, err := time.ParseDuration(v)
	if err != nil {
		return 0, fmt.Errorf("%q: expected a span with its unit, such as 100us", v)
	}
	return d, nil
}

// parseFine reads a span of time whose nanoseconds may have three decimals.
func parseFine(v string) (ns comm.Time, pico int64, err error) {
	d, err := parseSpan(v)
	if err != nil {
		return 0, 0, err
	}
	if d == 0 && strings.HasPrefix(v, "-") { // such as -0.5ns, whose sign is lost
		return 0, 0, fmt.Errorf("%q: expected a span of 0 or more", v)
	}
	if number, ok := strings.CutSuffix(v, "ns"); ok {
		decimals := number[strings.LastIndexByte(number, '.')+1:]
		if strings.Trim(decimals, "0123456789") == "" && len(decimals) < len(number) { // otherwise the point belongs to another unit, or there is none
			pico, err = strconv.ParseInt((decimals + "000")[:3], 10, 64)
		}
	}
	return comm.Time(d), pico, err
}

// formatFine writes a number of picoseconds in the form that parseFine reads.
func formatFine(pico int64) string {
	return fmt.Sprintf("%d.%03dns", pico/picosPerNano, pico%picosPerNano)
}

func integerField(name string, field func(*Machine) *int) fieldKind {
	set := func(m *Machine, v string) error {
		n, err := strconv.Atoi(v)
		if err != nil {
			return fmt.Errorf("%q: expected a whole number", v)
		}
		*field(m) = n
		return nil
	}
	return fieldKind{name, set, func(m *Machine) string { return strconv.Itoa(*field(m)) }}
}

func parseWorkSize(v string) (WorkSize, error) {
	if v == "actual" {
		return WorkSize{}, nil
	}
	factor, sqrt := strings.CutSuffix(v, "*sqrt")
	n, err := strconv.ParseInt(factor, 10, 64)
	switch {
	case err != nil:
		return WorkSize{}, fmt.Errorf("%q: expected actual, a number of bytes, or a factor of √w such as 40*sqrt", v)
	case sqrt:
		return WorkSize{Sqrt, n}, nil
	}
	return WorkSize{Fixed, n}, nil
}
