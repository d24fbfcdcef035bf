package parallel

import "sync"

// Sequence gives the items of a sequence to workers, in their order, while a reader adds items.
// Every worker gets every item: the first one that asks for an item checks it, and the others pass
// it. The results are joined in the order of the items, whichever is ready first, so that a result
// that ends the work is the first one of the sequence. The sequence holds the items that some worker
// has yet to get or has not finished, and returns the other ones for reuse.
type Sequence[T any] struct {
	mu      sync.Mutex
	changed sync.Cond
	join    func(*T) (more bool)
	waiting int // items wait for the workers while their sizes are below this
	items   []entry[T]
	first   int   // the number of items[0], from 0
	next    []int // by worker: the item that it gets next; never if it has retired
	free    []int // by worker: it uses no item before this one
	spare   []*T
	size    int // of items
	joined  int // items whose results are joined
	stopped bool
	ended   bool // no item will be added
}

// entry is an item of a sequence.
type entry[T any] struct {
	item    *T
	size    int
	claimed bool // a worker checks it
	checked bool
}

// Worker checks items of a sequence, or passes them.
type Worker[T any] interface {
	Check(item *T) (more bool) // more is false if no later item matters
	Pass(item *T) (more bool)
	Stays(workers int) bool // reports whether there is memory for a number of workers
}

// never is the number of no item.
const never = int(^uint(0) >> 1)

// NewSequence returns an empty sequence for a number of workers. About 2·workers items wait for the
// workers, fewer if their sizes add up to waiting. join receives each item that was checked, in
// order, on one goroutine at a time; after it returns false, no item is given out.
func NewSequence[T any](workers, waiting int, join func(*T) (more bool)) *Sequence[T] {
	s := &Sequence[T]{waiting: waiting, join: join, next: make([]int, workers), free: make([]int, workers)}
	s.changed.L = &s.mu
	return s
}

// Reuse returns an item that is not used any more, or nil.
func (s *Sequence[T]) Reuse() (item *T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.spare); n > 0 {
		item = s.spare[n-1]
		s.spare = s.spare[:n-1]
	}
	return item
}

// Add adds an item when there is room. It returns false if the work has ended.
func (s *Sequence[T]) Add(item *T, size int) (more bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for !s.stopped && len(s.items) > 0 && (len(s.items) > 2*len(s.next) || s.size >= s.waiting) {
		s.changed.Wait()
	}
	s.items = append(s.items, entry[T]{item: item, size: size})
	s.size += size
	s.changed.Broadcast()
	return !s.stopped
}

// Await waits until all items that were added are joined. It returns false if the work has ended.
func (s *Sequence[T]) Await() (more bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for !s.stopped && s.joined < s.first+len(s.items) {
		s.changed.Wait()
	}
	return !s.stopped
}

// Unjoined returns the items after the last one that was joined. It is called when no one adds items.
func (s *Sequence[T]) Unjoined() (items []*T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range s.items[s.joined-s.first:] {
		items = append(items, e.item)
	}
	return items
}

// Run lets the workers check the items that read adds. It returns when the work has ended. A call of
// read may then still be in progress, until done is closed. Worker 0 stays to the end.
func (s *Sequence[T]) Run(workers []Worker[T], read func()) (done <-chan struct{}) {
	reading := make(chan struct{})
	go func() {
		defer close(reading)
		read()
		s.endItems()
	}()
	var all sync.WaitGroup
	for number, w := range workers {
		all.Go(func() { s.work(number, w) })
	}
	all.Wait()
	return reading
}

// After calls f when done is closed, and does not wait for it.
func After(done <-chan struct{}, f func()) {
	go func() {
		<-done
		f()
	}()
}
