package sat_test

import (
	"fmt"
	"strings"

	"treesplit/sat"
)

// Read a formula, search its tree on one rank, and check the model.
func Example() {
	f, err := sat.Read(strings.NewReader("p cnf 3 3\n1 2 0\n-1 3 0\n-3 -1 0\n"), "example.cnf")
	if err != nil {
		fmt.Println(err)
		return
	}
	s := sat.NewPaper(f).NewSearch(sat.Options{Root: true})
	for !s.Empty() && !s.Decided() {
		s.Expand(1000)
	}
	model := s.Model()
	fmt.Println(model, f.CheckModel(model), s.Counts().Expanded, "nodes")
	// Output: [false true false] <nil> 6 nodes
}

// Is the disjunction of these terms true under every assignment? Its negation is
// searched; a model of that is an assignment that makes all terms false.
func Example_tautology() {
	f, err := sat.Read(strings.NewReader("p dnf 2 3\n1 0\n-1 2 0\n-1 -2 0\n"), "example.dnf")
	if err != nil {
		fmt.Println(err)
		return
	}
	s := sat.NewPaper(f).NewSearch(sat.Options{Root: true})
	for !s.Empty() && !s.Decided() {
		s.Expand(1000)
	}
	fmt.Println("tautology:", s.Model() == nil)
	// Output: tautology: true
}
