package reproduce

import "treesplit/study/figure"

// Growth is how the problem size of one scheme on one network grows.
type Growth struct {
	Sizes    []float64 // by numbers of ranks; 0: out of reach, and the last
	Exponent float64
	R2       float64
}

// FitGrowth fits the exponent of P to the problem sizes of some numbers of ranks.
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
