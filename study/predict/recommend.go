package predict

// nearly is the share of the best within which a scheme counts as as good: seeds alone
// make a difference of that size.
const nearly = 1.02

// bestScheme is the scheme that is fastest on the largest number of ranks or, of those within
// two percent of it there, the one with the largest sum of efficiencies over all numbers
// of ranks; "" if none has come to an end on any.
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

// sumEfficiencies adds up a scheme's efficiencies.
func sumEfficiencies(cells []Cell, scheme string) (e float64) {
	for _, c := range cells {
		if c.Scheme == scheme {
			e += c.Efficiency
		}
	}
	return e
}
