package lb

import "slices"

// Options that only some schemes use, by the flags that set them. Each scheme lists its own
// in the registry; these belong to groups of schemes.
var (
	ofStatic    = []string{"splits"}             // a static start
	ofSplitting = []string{"split", "min-split"} // every scheme whose ranks split their shares
)

// SchemeOptions lists the options, by the names of their flags, that some schemes use and
// others do not.
func SchemeOptions() []string {
	all := slices.Concat([]string{"cutoff", "damage"}, ofStatic, ofSplitting)
	for _, s := range Schemes {
		all = append(all, s.uses...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// UsesOption reports whether an option has an effect under the scheme of that name. An unknown
// scheme uses every option: Check reports it.
func UsesOption(scheme, option string) bool {
	s, err := findScheme(scheme)
	return err != nil || s.usesOption(option)
}

// SchemesUsing lists the schemes of the registry under which an option has an effect.
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
