package run

import (
	"fmt"
	"strconv"
	"strings"
)

// Flagged is a Savable that names the flags that set the fields of its Identity.
type Flagged interface {
	Savable
	// Flags returns the flag of each field, or words for an input that is read. The keys are the
	// fields.
	Flags() map[string]string
}

// Valued is a Flagged with fields whose values are not the values of the flags.
type Valued interface {
	Flagged
	// FlagValue returns the value of the flag of a field for a value of the field, which is NotSet if the
	// Identity does not have the field.
	FlagValue(field, value string) string
}

// compareIdentities returns an error if the checkpoint is of another search. The error names the
// differences.
func compareIdentities(saved string, problem Savable) error {
	own := problem.Identity()
	if saved == own {
		return nil
	}
	there, here := parseIdentity(saved), parseIdentity(own)
	flagged, ok := problem.(Flagged)
	if !ok || there[0] != here[0] {
		return fmt.Errorf("the checkpoint is of %s: expected a checkpoint of %s", printableText(saved), own)
	}
	var all []string
	for _, f := range there {
		if own := findField(here, f.name); f != own {
			all = append(all, f.describeDifference(own, flagged))
		}
	}
	for _, own := range here {
		if f := findField(there, own.name); f.value == NotSet {
			all = append(all, f.describeDifference(own, flagged))
		}
	}
	return fmt.Errorf("the checkpoint is of another search of %s: %s", here[0].name, strings.Join(all, ", "))
}

// ProblemName returns the first word of an Identity: the name of the problem.
func ProblemName(identity string) string { return printableText(parseIdentity(identity)[0].name) }

// mostPrinted bounds the bytes of a text of a file in an error.
const mostPrinted = 200

// printableText returns a text of a file for an error: shortened if it is long, and quoted unless it is plain.
func printableText(text string) string {
	if len(text) > mostPrinted {
		text = strings.ToValidUTF8(text[:mostPrinted], "") + "…"
	}
	if quoted := strconv.Quote(text); quoted[1:len(quoted)-1] != text {
		return quoted
	}
	return text
}

// field is a part of an Identity.
type field struct{ name, value string }

// NotSet is the value of a field that an Identity does not have.
const NotSet = "not set"

// findField returns the field with a name.
func findField(fields []field, name string) field {
	for _, f := range fields {
		if f.name == name {
			return f
		}
	}
	return field{name, NotSet}
}

// parseIdentity splits an Identity into its fields. An Identity has the form "name, field value,
// field value" or "name {field:value field:value}". The first field is the name.
func parseIdentity(identity string) (all []field) {
	for part := range strings.SplitSeq(identity, ", ") {
		before, list, isList := strings.Cut(strings.TrimSuffix(part, "}"), "{")
		if !isList {
			all = append(all, parseField(part, strings.LastIndexByte(part, ' ')))
			continue
		}
		if len(all) == 0 {
			all = append(all, field{name: strings.TrimSpace(before)})
		}
		for one := range strings.FieldsSeq(list) {
			all = append(all, parseField(one, strings.IndexByte(one, ':')))
		}
	}
	return all
}

// parseField splits a field at the byte at, if at is not negative.
func parseField(text string, at int) field {
	if at < 0 {
		return field{name: text}
	}
	return field{text[:at], text[at+1:]}
}

// describeDifference returns a phrase: how a field of a checkpoint differs from the same field of
// a search.
func (f field) describeDifference(own field, problem Flagged) string {
	name, known := problem.Flags()[f.name]
	if !known {
		name = printableText(f.name)
	}
	if isDigestValue(f.value) && isDigestValue(own.value) {
		return name + " is another"
	}
	if valued, ok := problem.(Valued); ok {
		f.value, own.value = valued.FlagValue(f.name, f.value), valued.FlagValue(own.name, own.value)
	}
	return fmt.Sprintf("%s is %s there and %s here", name, printableText(f.value), own.value)
}

// isDigestValue reports whether ProblemDigest made the value.
func isDigestValue(value string) bool {
	return len(value) == 32 && strings.Trim(value, "0123456789abcdef") == ""
}
