package sweep

import (
	"fmt"

	"treesplit/internal/spelling"
	"treesplit/lb"
	"treesplit/termination"
)

// correctNames replaces the names of schemes and detectors by the program's spelling, so that the
// key of a run does not depend on upper and lower case in its plan. It returns an error for
// misspelt names.
func (p *Plan) correctNames(d *document) error {
	if err := correctNameLists(d, "$", p.Schemes, p.Detectors); err != nil {
		return err
	}
	for i, in := range p.Instances {
		schemes := in.Schemes
		if in.Verb == "ring" { // ring has its own schemes
			schemes = nil
		}
		if err := correctNameLists(d, fmt.Sprintf("$.instances[%d]", i), schemes, in.Detectors); err != nil {
			return err
		}
	}
	return nil
}

// correctNameLists corrects the lists at a path, in place.
func correctNameLists(d *document, path string, schemes, detectors []string) error {
	isScheme := func(name string) bool { return lb.CheckName(name) == nil }
	for _, list := range []struct {
		key          string
		words, names []string
		unlisted     func(string) bool
	}{{"schemes", schemes, lb.SchemeNames(), isScheme}, {"detectors", detectors, termination.DetectorNames(), nil}} {
		for i, word := range list.words {
			var err error
			if list.words[i], err = spelling.Correct(word, list.names, list.unlisted); err != nil {
				return d.errorAtPath(fmt.Sprintf("%s.%s[%d]", path, list.key, i), "%v", err)
			}
		}
	}
	return nil
}
