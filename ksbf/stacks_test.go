package ksbf

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// levels returns the levels of tasks.
func levels(tasks []Task) (all []int32) {
	for _, t := range tasks {
		all = append(all, t.Level)
	}
	return all
}

// A rank's tasks are sorted by level. A donor gives the shallowest task, or every other task,
// and keeps the larger half.
func TestStacks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		put := rapid.SliceOf(rapid.Int32Range(0, 9)).Draw(t, "levels")
		full := func() *stacks {
			s := &stacks{of: make([][]Task, 1)}
			for _, level := range put {
				s.insertTask(0, Task{Level: level})
			}
			return s
		}
		want := slices.Sorted(slices.Values(put))
		if got := levels(full().of[0]); !slices.Equal(got, want) {
			t.Fatalf("the tasks have levels %v, want %v", got, want)
		}
		s := full()
		given := giveShallowest(s, 0)
		if len(put) < 2 && len(given) != 0 || len(put) >= 2 && (len(given) != 1 || given[0].Level != want[0]) || len(given)+len(s.of[0]) != len(put) {
			t.Fatalf("of %v the shallowest given is %v", want, levels(given))
		}
		s = full()
		given = giveEveryOther(s, 0)
		if len(given) != len(put)/2 || len(s.of[0]) != len(put)-len(put)/2 {
			t.Fatalf("of %v half is %v", want, levels(given))
		}
		for i, task := range given {
			if task.Level != want[2*i] {
				t.Fatalf("of %v half is %v", want, levels(given))
			}
		}
	})
}

// Diffusion moves a task over a link only if this makes the loads more equal.
func TestDiffusionMovesDownhill(t *testing.T) {
	s, err := Simulate("diffusion", Bad{Family: "complete", Levels: 50}, 4, Options{}) // one chain
	if err != nil || s.Moves != 0 || s.Time != 50 {
		t.Errorf("a chain takes %d moves in %d steps, want none: %v", s.Moves, s.Time, err)
	}
}
