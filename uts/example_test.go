package uts_test

import (
	"fmt"

	"treesplit/search"
	"treesplit/uts"
)

// Two shares of one tree: the second takes over a piece of the first, and their results
// add up to the whole.
func Example() {
	donor, err := uts.New(uts.DefaultParams(), search.DefaultSplitting, true)
	if err != nil {
		fmt.Println(err)
		return
	}
	requester, _ := uts.New(uts.DefaultParams(), search.DefaultSplitting, false)
	donor.Expand(100)
	if piece, ok := donor.Split(nil); ok {
		if err := requester.Accept(piece); err != nil {
			fmt.Println(err)
		}
	}
	for _, share := range []*uts.Tree{donor, requester} {
		for !share.Empty() {
			share.Expand(1000)
		}
	}
	fmt.Printf("%+v\n", donor.Result().AddResult(requester.Result()))
	// Output: {Size:1732 Depth:6 Leaves:1050}
}
