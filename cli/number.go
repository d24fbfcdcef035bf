package cli

import (
	"fmt"
	"strconv"
)

// number is a flag with a numeric value, whole or real; the caller checks the range.
type number struct {
	value *float64
	real  bool
}

// String writes the value.
func (n number) String() string {
	if n.value == nil {
		return "0"
	}
	return strconv.FormatFloat(*n.value, 'f', -1, 64)
}

// Set reads a value.
func (n number) Set(s string) error {
	if n.real {
		v, err := strconv.ParseFloat(s, 64)
		if err != nil {
			return fmt.Errorf("expected a number")
		}
		*n.value = v
		return nil
	}
	v, err := strconv.ParseInt(s, 10, 53)
	if err != nil {
		return fmt.Errorf("expected a whole number")
	}
	*n.value = float64(v)
	return nil
}

// Type returns the word that the help prints.
func (n number) Type() string {
	if n.real {
		return "number"
	}
	return "int"
}

// decimal is a flag with a whole number that is always decimal: 010 is ten, not eight.
type decimal struct{ value *int }

// String writes the value.
func (d decimal) String() string {
	if d.value == nil {
		return "0"
	}
	return strconv.Itoa(*d.value)
}

// Set reads a value.
func (d decimal) Set(s string) error {
	v, err := strconv.Atoi(s)
	if err == nil {
		*d.value = v
	}
	return err
}

// Type returns the word that the help prints.
func (d decimal) Type() string { return "int" }
