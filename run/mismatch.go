package run

import (
	"fmt"
	"strings"
)

// Flagged is a Savable that names the flags that set the fields of its Identity.
type Flagged interface {
	Savable
	// Flags returns the flag of each field, or words for an input that is read. The keys are the
	// fields.
	Flags() map[string]string
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
	if !ok || there[0] != here[0] || len(there) != len(here) {
		return fmt.Errorf("the checkpoint is of %s: expected a checkpoint of %s", saved, own)
	}
	var all []string
	for i, f := range there {
		if f != here[i] {
			all = append(all, f.describeDifference(here[i], flagged.Flags()))
		}
	}
	return fmt.Errorf("the checkpoint is of another search of %s: %s", here[0].name, strings.Join(all, ", "))
}

// ProblemName returns the first word of an Identity: the name of the problem.
func ProblemName(identity string) string { return parseIdentity(identity)[0].name }

// field is a part of an Identity.
type field struct{ name, value string }

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
func (f field) describeDifference(own field, flags map[string]string) string {
	name, known := flags[f.name]
	if !known {
		name = f.name
	}
	if isDigestValue(f.value) && isDigestValue(own.value) {
		return name + " is another"
	}
	return fmt.Sprintf("%s is %s there and %s here", name, f.value, own.value)
}

// isDigestValue reports whether ProblemDigest made the value.
func isDigestValue(value string) bool {
	return len(value) == 32 && strings.Trim(value, "0123456789abcdef") == ""
}
