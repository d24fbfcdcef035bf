package figure

import "math"

// LeastSize returns the problem size at which an efficiency that grows with the size is reached. It
// bisects the logarithm of the size to about a tenth. It starts at start and examines no size below
// start/4, and no other sizes than start·4^k up to limit before the bisection. It returns 0 if none of them
// is enough. The result is a measured point of the
// isoefficiency function (Kumar et al., section 3). An error of efficiency ends the search.
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
