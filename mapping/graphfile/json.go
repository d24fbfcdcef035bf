package graphfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// This file reads JSON text of which only some values are needed. The syntax of the whole text is
// checked first. Then the reader finds the needed values and skips the other values. So skipped
// values take no memory, and every error names its line and column.

// document is JSON text with valid syntax.
type document struct {
	name string
	text []byte
}

// newDocument checks the syntax of the text and returns the document.
func newDocument(name string, text []byte) (*document, error) {
	d := &document{name, text}
	if err := json.Unmarshal(text, &unread{}); err != nil {
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			return nil, d.errorAtOffset(max(0, int(syntax.Offset)-1), "%s: expected JSON", syntax)
		}
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return d, nil
}

// unread is a target of json.Unmarshal that stores nothing.
type unread struct{}

func (*unread) UnmarshalJSON([]byte) error { return nil }

// errorAtOffset returns an error with the line and the column of an offset.
func (d *document) errorAtOffset(at int, format string, args ...any) error {
	before := d.text[:min(at, len(d.text))]
	line := 1 + bytes.Count(before, []byte{'\n'})
	column := len(before) - bytes.LastIndexByte(before, '\n')
	return fmt.Errorf("%s:%d:%d: %s", d.name, line, column, fmt.Sprintf(format, args...))
}

// span is the position of a value in the text.
type span struct{ from, to int }

// skipBlanks skips blanks, commas and colons, and returns the offset after them.
func (d *document) skipBlanks(at int) int {
	for at < len(d.text) && isBetweenValues(d.text[at]) {
		at++
	}
	return at
}

// isBetweenValues reports whether a byte is a separator between values: a blank, a comma or a colon.
func isBetweenValues(c byte) bool {
	return c == ' ' || c == ',' || c == ':' || c == '\n' || c == '\t' || c == '\r'
}

// findValue skips separators from an offset on, and returns the value that begins there.
func (d *document) findValue(at int) span {
	at = d.skipBlanks(at)
	end, depth := at, 0
	for {
		switch c := d.text[end]; c {
		case '"':
			end = d.endOfString(end)
		case '{', '[':
			depth++
			end++
		case '}', ']':
			depth--
			end++
		default:
			// A character of a number or a word, or a separator within an object or an array. At
			// depth 0 the number or the word is skipped to its end.
			for end++; depth == 0 && end < len(d.text) && !isBetweenValues(d.text[end]) && d.text[end] != ']' && d.text[end] != '}'; {
				end++
			}
		}
		if depth == 0 {
			return span{at, end}
		}
	}
}

// endOfString returns the offset after the string that begins at an offset.
func (d *document) endOfString(at int) int {
	for at++; d.text[at] != '"'; at++ {
		if d.text[at] == '\\' {
			at++
		}
	}
	return at + 1
}

// eachMember calls f for the members of an object, in order.
func (d *document) eachMember(v span, what string, f func(key string, v span) error) error {
	if d.text[v.from] != '{' {
		return d.errorAtOffset(v.from, "%s: expected an object", what)
	}
	for at := d.skipBlanks(v.from + 1); d.text[at] != '}'; {
		name := d.findValue(at)
		var key string
		if err := json.Unmarshal(d.text[name.from:name.to], &key); err != nil {
			return d.errorAtOffset(name.from, "%v", err)
		}
		member := d.findValue(name.to)
		if err := f(key, member); err != nil {
			return err
		}
		at = d.skipBlanks(member.to)
	}
	return nil
}

// eachElement calls f for the elements of an array, in order. An absent value and null count as an
// empty array.
func (d *document) eachElement(v span, what string, f func(v span) error) error {
	if v.from == v.to || string(d.text[v.from:v.to]) == "null" {
		return nil
	}
	if d.text[v.from] != '[' {
		return d.errorAtOffset(v.from, "%s: expected an array", what)
	}
	for at := d.skipBlanks(v.from + 1); d.text[at] != ']'; {
		element := d.findValue(at)
		if err := f(element); err != nil {
			return err
		}
		at = d.skipBlanks(element.to)
	}
	return nil
}

// decodeValue decodes a value into the variable to which into points.
func (d *document) decodeValue(v span, what string, into any) error {
	err := json.Unmarshal(d.text[v.from:v.to], into)
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		return d.errorAtOffset(v.from+max(0, int(wrong.Offset)-1), "%s: %s %s: expected %s", what, wrong.Field, wrong.Value, kindName(wrong.Type.Kind().String()))
	}
	if err != nil {
		return d.errorAtOffset(v.from, "%s: %v", what, err)
	}
	return nil
}

// kindName returns the name of a kind of Go value for error messages.
func kindName(kind string) string {
	switch {
	case slices.Contains([]string{"int32", "int64", "uint64"}, kind):
		return "a whole number that is not too large"
	case kind == "float64":
		return "a number"
	case kind == "bool":
		return "true or false"
	case kind == "slice":
		return "an array"
	case kind == "struct", kind == "ptr":
		return "an object"
	}
	return "a " + kind
}
