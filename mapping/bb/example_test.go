package bb_test

import (
	"fmt"

	"treesplit/mapping"
	"treesplit/mapping/bb"
)

// Three objects, two of which talk to the third, on two processors: it is best to keep
// them together.
func Example() {
	p := &mapping.Problem{
		Processors: 2,
		Objects:    []mapping.Object{{Comp: 5, Home: mapping.Nowhere}, {Comp: 6, Home: mapping.Nowhere}, {Comp: 5, Home: mapping.Nowhere}},
		Arcs: []mapping.Arc{
			{From: 2, To: 0, Send: 6, Receive: 6, Proxy: mapping.NoProxy},
			{From: 2, To: 1, Send: 8, Receive: 8, Proxy: mapping.NoProxy},
		},
	}
	in, err := bb.New(p, bb.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	r := in.SolveSequentially(nil)
	fmt.Println(r.Map, r.Makespan, r.Lower, r.Ended)
	// Output: [0 0 0] 16 16 true
}
