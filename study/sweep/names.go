package sweep

import (
	"fmt"
	"slices"
	"strings"

	"treesplit/internal/spelling"
	"treesplit/ksbf"
	"treesplit/lb"
	"treesplit/termination"
)

// correctNames replaces the names of schemes and detectors by the program's spelling, so that the
// key of a run does not depend on upper and lower case in its plan. It returns an error for
// misspelt names.
func (p *Plan) correctNames(d *document) error {
	if err := correctNameLists(d, "$", "", p.Schemes, p.Detectors); err != nil {
		return err
	}
	for i, in := range p.Instances {
		if err := correctNameLists(d, fmt.Sprintf("$.instances[%d]", i), in.Verb, in.Schemes, in.Detectors); err != nil {
			return err
		}
	}
	return nil
}

// schemesOf returns the names of the schemes of a verb, and a test that also knows unlisted names.
// Only ring has its own schemes.
func schemesOf(verb string) (names []string, check func(name string) error) {
	if verb == "ring" {
		return ksbf.SchemeNames(), checkRingScheme
	}
	return lb.SchemeNames(), lb.CheckName
}

// checkRingScheme returns an error for a name that is no scheme of ring. "" is the program's default.
func checkRingScheme(name string) error {
	if all := ksbf.SchemeNames(); name != "" && !slices.Contains(all, name) {
		return fmt.Errorf("unknown scheme %q of ring: expected one of %s", name, strings.Join(all, ", "))
	}
	return nil
}

// correctNameLists corrects the lists at a path, in place.
func correctNameLists(d *document, path, verb string, schemes, detectors []string) error {
	schemeNames, check := schemesOf(verb)
	isScheme := func(name string) bool { return check(name) == nil }
	for _, list := range []struct {
		key          string
		words, names []string
		unlisted     func(string) bool
	}{{"schemes", schemes, schemeNames, isScheme}, {"detectors", detectors, termination.DetectorNames(), nil}} {
		for i, word := range list.words {
			var err error
			if list.words[i], err = spelling.Correct(word, list.names, list.unlisted); err != nil {
				return d.errorAtPath(fmt.Sprintf("%s.%s[%d]", path, list.key, i), "%v", err)
			}
		}
	}
	return nil
}
