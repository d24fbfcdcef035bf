package predict

// nearly is the factor within which a scheme counts as equal to the best: differences of this size
// can come from the seeds alone.
const nearly = 1.02

// bestScheme returns the fastest scheme on the largest number of ranks. If several schemes are
// within two percent of it there, it returns the one with the largest sum of efficiencies over all
// numbers of ranks. It returns "" if no simulation has ended.
func bestScheme(cells []Cell, ranks []int) string {
	for i := len(ranks) - 1; i >= 0; i-- {
		fastest := 0.0
		for _, c := range cells {
			if c.Ranks == ranks[i] && !c.GivenUp && (fastest == 0 || c.Seconds < fastest) {
				fastest = c.Seconds
			}
		}
		scheme, most := "", -1.0
		for _, c := range cells {
			if c.Ranks == ranks[i] && !c.GivenUp && c.Seconds <= nearly*fastest && sumEfficiencies(cells, c.Scheme) > most {
				scheme, most = c.Scheme, sumEfficiencies(cells, c.Scheme)
			}
		}
		if scheme != "" {
			return scheme
		}
	}
	return ""
}

// sumEfficiencies returns the sum of a scheme's efficiencies.
func sumEfficiencies(cells []Cell, scheme string) (e float64) {
	for _, c := range cells {
		if c.Scheme == scheme {
			e += c.Efficiency
		}
	}
	return e
}
