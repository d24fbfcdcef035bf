package sat

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"treesplit/internal/wire"
)

// The binary form of a formula, in which one rank sends the formula to the other ranks:
//
//	byte     binaryVersion, plus dnfFlag for the negation of a DNF
//	uvarint  Variables
//	uvarint  the number of clauses
//	uvarint  for each literal 2·variable, plus 1 if negated; 0 ends a clause
const (
	binaryVersion = 0x51
	dnfFlag       = 0x80
)

var errBinary = errors.New("not a formula in binary form")

// MarshalBinary returns the formula's binary form: about 2 bytes per literal if there are fewer
// than 8192 variables. The error is always nil.
func (f *Formula) MarshalBinary() ([]byte, error) {
	data := make([]byte, 1, 16+len(f.ends)+2*len(f.literals))
	data[0] = binaryVersion
	if f.DNF {
		data[0] |= dnfFlag
	}
	data = binary.AppendUvarint(data, uint64(f.Variables))
	data = binary.AppendUvarint(data, uint64(f.Len()))
	for _, clause := range f.Clauses() {
		for _, l := range clause {
			code := 2 * uint64(max(l, -l))
			if l < 0 {
				code++
			}
			data = binary.AppendUvarint(data, code)
		}
		data = append(data, 0)
	}
	return data, nil
}

// UnmarshalBinary replaces f by the formula whose binary form is data. The data is untrusted:
// malformed data, or a formula beyond the limits, gives an error, and f is then unchanged. The
// memory is proportional to len(data).
func (f *Formula) UnmarshalBinary(data []byte) error { return f.unmarshalUpTo(MaxLiterals, data) }

// unmarshalUpTo is UnmarshalBinary for at most the given number of literals.
func (f *Formula) unmarshalUpTo(mostLiterals int, data []byte) error {
	if len(data) == 0 || data[0]&^dnfFlag != binaryVersion {
		return errBinary
	}
	g := Formula{DNF: data[0]&dnfFlag != 0}
	in := wire.NewReader(data[1:])
	variables, clauses := in.Uvarint(math.MaxUint64), in.Uvarint(math.MaxUint64)
	// A clause takes at least one byte, and so does a literal.
	if in.Err() != nil || variables > MaxVariables || clauses > MaxLiterals || clauses > uint64(len(in.Rest())) {
		return fmt.Errorf("%w: %d variables and %d clauses in %d bytes", errBinary, variables, clauses, len(data))
	}
	g.Variables = int(variables)
	g.ends = make([]int32, 0, clauses)
	for len(g.ends) < int(clauses) {
		code := in.Uvarint(math.MaxUint64)
		switch {
		case in.Err() != nil || code>>1 > variables || code == 1 || code != 0 && len(g.literals) == mostLiterals:
			return fmt.Errorf("%w: literal %d of clause %d is malformed", errBinary, code, len(g.ends)+1)
		case code == 0:
			g.ends = append(g.ends, int32(len(g.literals)))
		case code&1 == 0:
			g.literals = append(g.literals, int32(code>>1))
		default:
			g.literals = append(g.literals, -int32(code>>1))
		}
	}
	if left := len(in.Rest()); left > 0 {
		return fmt.Errorf("%w: %d bytes after the last clause", errBinary, left)
	}
	*f = g
	return nil
}
