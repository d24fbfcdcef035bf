// Package parallel runs independent jobs at the same time.
package parallel

import (
	"context"
	"errors"
	"sync"
)

// SideBySide calls f for 0 … n−1, in up to workers goroutines, and returns the results in order,
// or the first error that is not the consequence of another one.
func SideBySide[T any](ctx context.Context, workers, n int, f func(ctx context.Context, i int) (T, error)) ([]T, error) {
	results, errs := make([]T, n), make([]error, n)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	next := make(chan int)
	var wg sync.WaitGroup
	for range min(workers, n) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range next {
				if results[i], errs[i] = f(ctx, i); errs[i] != nil {
					cancel()
				}
			}
		}()
	}
feed:
	for i := range n {
		select {
		case next <- i:
		case <-ctx.Done():
			break feed
		}
	}
	close(next)
	wg.Wait()
	var first error
	for _, err := range errs {
		if err != nil && (first == nil || errors.Is(first, context.Canceled)) { // f may return the error of its context
			first = err
		}
	}
	if first != nil {
		return nil, first
	}
	return results, ctx.Err()
}
