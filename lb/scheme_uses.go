package lb

import "slices"

// Options that only some schemes use, named by the flags that set them. Each scheme lists its
// own options in the registry; these options belong to groups of schemes.
var (
	ofStatic    = []string{"splits"}             // a static start
	ofSplitting = []string{"split", "min-split"} // every scheme whose ranks split their shares
)

// SchemeOptions returns the options, named by their flags, that some schemes use and others do
// not.
func SchemeOptions() []string {
	all := slices.Concat([]string{"cutoff", "damage"}, ofStatic, ofSplitting)
	for _, s := range Schemes {
		all = append(all, s.uses...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// UsesOption reports whether an option has an effect under the scheme of that name. For an
// unknown scheme it returns true; CheckName reports the name.
func UsesOption(scheme, option string) bool {
	s, err := findScheme(scheme)
	return err != nil || s.usesOption(option)
}

// SchemesUsing returns the schemes of the registry under which an option has an effect.
func SchemesUsing(option string) (names []string) {
	for _, s := range Schemes {
		if s.usesOption(option) {
			names = append(names, s.Name)
		}
	}
	return names
}

func (s Scheme) usesOption(option string) bool {
	splits := !s.tasks && !s.whole
	switch {
	case slices.Contains(ofStatic, option):
		return s.static
	case slices.Contains(ofSplitting, option):
		return splits
	case option == "damage":
		return splits && !s.moves
	case option == "cutoff":
		return splits || s.tasks
	}
	return slices.Contains(s.uses, option)
}
