package ksbf

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// A queue returns its tasks in order, for any order of insertion, in rows or not.
func TestQueueAgainstSorting(t *testing.T) {
	order := func(a, b Task) int {
		switch {
		case a.comesBefore(&b):
			return -1
		case b.comesBefore(&a):
			return 1
		}
		return 0
	}
	rapid.Check(t, func(t *rapid.T) {
		var q queue
		var all []Task
		level := int32(0)
		for _, turn := range rapid.SliceOfN(rapid.IntRange(0, 5), 0, 200).Draw(t, "turns") {
			switch {
			case turn > 2: // the next one of a row
				level++
				all = append(all, Task{Level: level})
				q.insertTask(&all[len(all)-1])
			case turn > 0:
				task := Task{Level: rapid.Int32Range(0, 99).Draw(t, "level"), Place: [4]uint64{rapid.Uint64Range(0, 3).Draw(t, "place"), uint64(turn)}}
				all = append(all, task)
				q.insertTask(&task)
			case len(all) > 0:
				slices.SortStableFunc(all, order)
				var got Task
				if q.takeFirst(&got); order(got, all[0]) != 0 {
					t.Fatalf("takeFirst returned %+v, want %+v", got, all[0])
				}
				all = all[1:]
			}
			held := 0
			q.forEachTask(func(*Task) { held++ })
			if q.ready != len(all) || held != len(all) {
				t.Fatalf("the queue has %d tasks and lists %d, want %d", q.ready, held, len(all))
			}
		}
	})
}
