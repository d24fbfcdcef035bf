package parallel

import (
	"slices"
	"sync"
	"testing"
)

// recorder is a worker that notes the items that it gets.
type recorder struct {
	got   []int
	limit int // number of workers for which there is memory
	used  *sync.Map
}

func (r *recorder) Check(item *int) bool {
	if _, again := r.used.LoadOrStore(*item, true); again {
		panic("an item is checked twice")
	}
	return r.Pass(item)
}

func (r *recorder) Pass(item *int) bool {
	r.got = append(r.got, *item)
	return true
}

func (r *recorder) Stays(workers int) bool { return workers <= r.limit }

// Every worker gets all items in order, one worker checks each, and the results are joined in order
// up to the one that ends the work. A reader that waits for room or for the results is let go.
func TestSequence(t *testing.T) {
	const n = 300
	for _, workers := range []int{1, 2, 3, 7} {
		for _, last := range []int{0, 1, 150, n - 1, n} { // n: no result ends the work
			for _, waiting := range []int{1, 5, 1 << 20} {
				runSequence(t, workers, last, waiting, n)
			}
		}
	}
}

func runSequence(t *testing.T, workers, last, waiting, n int) {
	t.Helper()
	var joined []int
	s := NewSequence(workers, waiting, func(item *int) bool {
		joined = append(joined, *item)
		return *item != last
	})
	recorders := make([]*recorder, workers)
	all := make([]Worker[int], workers)
	used := &sync.Map{}
	for i := range all {
		recorders[i] = &recorder{limit: workers - workers/4, used: used}
		all[i] = recorders[i]
	}
	done := s.Run(all, func() {
		for i := range n {
			item := s.Reuse()
			if item == nil {
				item = new(int)
			}
			*item = i
			if more := s.Add(item, 1+i%3); !more || i%50 == 49 && !s.Await() {
				return
			}
		}
	})
	<-done
	if want := count(min(last+1, n)); !slices.Equal(joined, want) {
		t.Fatalf("%d workers: joined %v, want %v", workers, joined, want)
	}
	for i, r := range recorders {
		if i >= r.limit && len(r.got) > 0 || !slices.Equal(r.got, count(len(r.got))) || last == n && i < r.limit && len(r.got) != n {
			t.Fatalf("%d workers: worker %d got %v", workers, i, r.got)
		}
	}
	if left := s.Unjoined(); last == n && len(left) > 0 || len(left) > 2*workers+1 {
		t.Fatalf("%d items are left", len(left))
	}
}

// count returns 0 … n−1.
func count(n int) (all []int) {
	for i := range n {
		all = append(all, i)
	}
	return all
}

// After calls its function when the channel is closed.
func TestAfter(t *testing.T) {
	done, called := make(chan struct{}), make(chan bool)
	After(done, func() { called <- true })
	close(done)
	<-called
}
