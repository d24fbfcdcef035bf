package rings

import (
	"context"
	"fmt"
	"strings"

	"treesplit/ksbf"
	"treesplit/study/figure"
	"treesplit/study/reproduce/lab"
)

// Table1 is Gao and Rosenberg, table 1: the rank, the order and the step of each task of T_6 on a
// ring of four ranks. Tasks are numbered in heap order.
func Table1(context.Context, *lab.Lab, lab.Knobs) (figure.Section, error) {
	const levels, ranks = 6, 4
	tasks := make([][]string, ranks)
	byStep := figure.Table{Name: "ring-table1-steps", Title: "The same, step by step", Head: []string{"step", "PE 0", "PE 1", "PE 2", "PE 3"}}
	s, err := ksbf.Simulate("ks-bf", ksbf.Complete{N: levels}, ranks, ksbf.Options{Visit: func(step int64, rank int, t *ksbf.Task) {
		for int64(len(byStep.Rows)) <= step {
			byStep.AppendRow(fmt.Sprint(len(byStep.Rows)), "", "", "", "")
		}
		name := fmt.Sprint(t.HeapNumber())
		byStep.Rows[step][1+rank] = name
		tasks[rank] = append(tasks[rank], name)
	}})
	if err != nil {
		return figure.Section{}, err
	}
	t := figure.Table{Name: "ring-table1", Title: "Tasks of T_6 on a ring of 4, in the order of execution", Head: []string{"PE", "starts at step", "number", "tasks", "the paper has"}}
	for i, r := range s.PerRank {
		printed := "the same"
		if i == 2 { // the only misprint; 39 is on PE 3 too
			printed = "39 for 38"
		}
		t.AppendRow(fmt.Sprint(i), fmt.Sprint(r.First), fmt.Sprint(r.Executed), strings.Join(tasks[i], " "), printed)
	}
	return figure.Section{Title: "Rings, table 1: the placement of the tree of height 5 on 4 PEs", Tables: []figure.Table{t, byStep}, Text: []string{
		"The tree is T_6: 63 tasks on the levels 0 to 5, in heap order, the root is 1 and the " +
			"children of x are 2x and 2x+1. " +
			"Task x runs on PE Wgt(x) mod 4, Wgt(x) being the right turns on the way to it. " +
			"The paper's table has one misprint: 38 has two right turns and belongs to PE 2, 39 has " +
			"three and belongs to PE 3. Its caption names T_5, which by the paper's definition has 5 levels.",
		fmt.Sprintf("It takes %d steps: the maximum of W_i + i.", s.Time),
	}}, nil
}
