package lab

import "treesplit/study/figure"

// Growth describes how the problem size of one scheme on one network grows.
type Growth struct {
	Sizes    []float64 // nodes, by numbers of ranks; 0 stands for an unreachable size and is the last
	Exponent float64   // of P in the size; 0 if fewer than three sizes are known
	R2       float64   // of the fit, 0 to 1
}

// FitGrowth fits the exponent of P to problem sizes. size returns the size for p ranks, in nodes,
// or 0 if none is large enough; it is then called for no further ranks.
func FitGrowth(ranks []int, size func(p int) (float64, error)) (Growth, error) {
	var i Growth
	var x, y []float64
	for _, p := range ranks {
		w, err := size(p)
		if err != nil {
			return i, err
		}
		i.Sizes = append(i.Sizes, w)
		if w == 0 {
			break
		}
		x, y = append(x, float64(p)), append(y, w)
	}
	if len(x) > 2 {
		i.Exponent, i.R2 = figure.FitExponent(x, y)
	}
	return i, nil
}
