package parallel

import (
	"context"
	"errors"
	"testing"
)

// The error of a job is returned, and not the errors of other jobs that have ended because of it.
func TestFirstErrorOfNestedJobs(t *testing.T) {
	broken := errors.New("the disk is full")
	waiting := make(chan struct{})
	_, err := SideBySide(context.Background(), 2, 2, func(ctx context.Context, i int) (int, error) {
		if i == 1 {
			<-waiting
			return 0, broken
		}
		return waitNested(ctx, waiting)
	})
	if !errors.Is(err, broken) {
		t.Errorf("%v, want %v", err, broken)
	}
}

// waitNested waits inside nested jobs until the context ends.
func waitNested(ctx context.Context, started chan<- struct{}) (int, error) {
	_, err := SideBySide(ctx, 1, 1, func(ctx context.Context, _ int) (int, error) {
		close(started)
		<-ctx.Done()
		return 0, ctx.Err()
	})
	return 0, err
}
