package figure

import "math"

// LeastSize is the problem size at which an efficiency is reached that grows with it, by
// bisection of its logarithm to about a tenth, from a size of start on, which is the least
// that is looked at except for a factor of four; 0 where limit nodes are not enough. It is a
// point of the isoefficiency function (Kumar et al., section 3), measured. An error of
// efficiency ends it.
func LeastSize(start, target, limit float64, efficiency func(w int64) (float64, error)) (float64, error) {
	low, high := 1.0, start
	for {
		e, err := efficiency(int64(high))
		if err != nil {
			return 0, err
		}
		if e >= target {
			break
		}
		if low, high = high, high*4; high > limit {
			return 0, nil
		}
	}
	for low = max(low, high/4); high/low > 1.1; {
		mid := math.Sqrt(low * high)
		e, err := efficiency(int64(mid))
		if err != nil {
			return 0, err
		}
		if e >= target {
			high = mid
		} else {
			low = mid
		}
	}
	return math.Sqrt(low * high), nil
}
