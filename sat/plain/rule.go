// Package plain is rule plain of the satisfiability search: the Davis–Putnam procedure with unit
// propagation, pure literals and a branching rule that depends only on the lengths of clauses.
// Its nodes are cheap. So it suits structured formulas whose trees no technique makes smaller
// (pigeons, van der Waerden, Ramsey).
//
// At a node, units are propagated, and literals whose complement occurs in no open clause are
// made true, until neither remains. An open clause without a free literal makes the node a
// conflict leaf. If no clause is open, the node is a solution leaf. Otherwise each open clause
// has a weight that depends on its number of free literals, and the sum of a literal is the sum
// of the weights of its open clauses. The search branches on the variable with the largest
// product of the sums of its two literals; of equal variables it takes the one with the smallest
// number. It first takes the literal with the larger sum, or the positive literal if the sums are
// equal.
//
// Source: tawSolver by T. Ahmed and O. Kullmann (version 2.7.1), for the weights and the
// branching rule. They are described in T. Ahmed, O. Kullmann, H. Snevily, On the van der Waerden
// numbers w(2;3,t), Discrete Applied Mathematics 174 (2014). Differences: pure literals, an
// option there, are always assigned, including those that appear after others. The sums do not
// break ties of products. Weights are integers, so that sums are exact in any order. Clauses of
// two and of three literals have their own lists, which need no counters. The sums are not
// updated at conflicts.
package plain

import (
	"math/bits"
	"slices"

	"treesplit/sat"
)

// Rule is rule plain, compiled for one formula. It omits tautological clauses. A repeated literal
// counts once in a clause.
type Rule struct {
	variables int       // of the formula, occurring or not
	names     sat.Names // of the variables that occur outside tautological clauses
	hasEmpty  bool      // a clause is empty: the root is a conflict leaf
	units     []int32   // clauses of one literal

	lists   []list  // of each literal
	binary  []int32 // the other literals of clauses of two
	ternary []pair  // the other literals of clauses of three
	long    []int32 // longer clauses, ascending for each literal

	literals []int32 // of the longer clauses
	ends     []int32 // literals[ends[c]:ends[c+1]] is longer clause c

	weights []uint32 // by number of free literals, up to the longest clause

	counting bool // pure literals are not made true
	rows     int  // number of nodes of a path whose sums a procedure keeps
}

// The number of rows: as many as fit in ringSize bytes, within these bounds.
const (
	ringSize = 1 << 20
	fewRows  = 8
	manyRows = 64
)

// pair holds the two other literals of a clause of three, for one of its literals.
type pair struct{ a, b int32 }

// list gives the places of a literal's clauses: binary[list.binary:list.binaryEnd] and so on. The
// three are stored together because they are used together.
type list struct {
	binary, binaryEnd   int32
	ternary, ternaryEnd int32
	long, longEnd       int32
}

// New compiles the formula and keeps no reference to it. It takes O(L log L) time and O(L) memory
// for L literals and clauses.
func New(f *sat.Formula) sat.Rule {
	clauses := normalise(f)
	r := &Rule{variables: f.Variables, names: variables(clauses)}
	r.encodeClauses(clauses)
	r.listOccurrences(clauses)
	r.computeWeights(clauses)
	r.rows = min(max(ringSize/(8*len(r.names)+1), fewRows), manyRows, len(r.names)+1)
	return r
}

// NewCounting compiles the version of the rule that keeps all models: without pure literals. If
// no variable has both of its literals in open clauses, the search branches on the variable with
// the largest sum; of equal variables it takes the one with the smallest number. It first takes
// the literal that occurs.
func NewCounting(f *sat.Formula) sat.Rule {
	r := New(f).(*Rule)
	r.counting = true
	return r
}

// normalise returns the clauses with each literal once, in the order of the variables,
// without tautologies.
func normalise(f *sat.Formula) (clauses [][]int32) {
	all := make([]int32, 0, f.LiteralCount())
	for _, clause := range f.Clauses() {
		from := len(all)
		all = append(all, clause...)
		lits := all[from:]
		slices.SortFunc(lits, func(a, b int32) int { return int(2*max(a, -a)-a>>31) - int(2*max(b, -b)-b>>31) })
		lits = slices.Compact(lits)
		tautology := false
		for i := range lits[min(1, len(lits)):] {
			tautology = tautology || lits[i] == -lits[i+1]
		}
		if tautology {
			all = all[:from]
			continue
		}
		all = all[:from+len(lits)]
		clauses = append(clauses, slices.Clip(lits))
	}
	return clauses
}

// variables returns the variables that occur, ascending.
func variables(clauses [][]int32) (names sat.Names) {
	for _, lits := range clauses {
		for _, l := range lits {
			names = append(names, max(l, -l))
		}
	}
	slices.Sort(names)
	return slices.Clip(slices.Compact(names))
}

// encodeClauses replaces DIMACS numbers by the rule's literals, in place.
func (r *Rule) encodeClauses(clauses [][]int32) {
	for _, lits := range clauses {
		for i, l := range lits {
			lits[i] = r.names.FromDIMACS(l)
		}
	}
}

// listOccurrences fills in the lists of the clauses of each literal.
func (r *Rule) listOccurrences(clauses [][]int32) {
	r.lists = make([]list, 2*len(r.names))
	r.allotLists(clauses)
	r.ends = append(r.ends, 0)
	for _, lits := range clauses {
		switch len(lits) {
		case 0:
			r.hasEmpty = true
		case 1:
			r.units = append(r.units, lits[0])
		case 2:
			r.addBinary(lits[0], lits[1])
			r.addBinary(lits[1], lits[0])
		case 3:
			r.addTernary(lits[0], pair{lits[1], lits[2]})
			r.addTernary(lits[1], pair{lits[0], lits[2]})
			r.addTernary(lits[2], pair{lits[0], lits[1]})
		default:
			r.addLongClause(lits)
		}
	}
}

// allotLists allocates the empty lists, each with its final capacity.
func (r *Rule) allotLists(clauses [][]int32) {
	for _, lits := range clauses {
		for _, l := range lits {
			switch k := &r.lists[l]; len(lits) {
			case 1:
			case 2:
				k.binaryEnd++
			case 3:
				k.ternaryEnd++
			default:
				k.longEnd++
			}
		}
	}
	var binary, ternary, long int32
	for l, k := range r.lists {
		r.lists[l] = list{binary, binary, ternary, ternary, long, long}
		binary, ternary, long = binary+k.binaryEnd, ternary+k.ternaryEnd, long+k.longEnd
	}
	r.binary, r.ternary, r.long = make([]int32, binary), make([]pair, ternary), make([]int32, long)
}

func (r *Rule) addBinary(l, other int32) {
	k := &r.lists[l]
	r.binary[k.binaryEnd] = other
	k.binaryEnd++
}

func (r *Rule) addTernary(l int32, others pair) {
	k := &r.lists[l]
	r.ternary[k.ternaryEnd] = others
	k.ternaryEnd++
}

func (r *Rule) addLongClause(lits []int32) {
	for _, l := range lits {
		k := &r.lists[l]
		r.long[k.longEnd] = int32(len(r.ends) - 1)
		k.longEnd++
	}
	r.literals = append(r.literals, lits...)
	r.ends = append(r.ends, int32(len(r.literals)))
}

// Weights of clauses of 2 to 6 free literals, in units of 2^-16. Each further literal divides the
// weight by 1.46, down to 1.
var weightOf = [...]uint64{2: 317850, 3: 65536, 4: 23200, 5: 7209, 6: 4548}

// computeWeights computes the weights with the highest precision for which every possible sum is
// below 2^32, so that a product is below 2^64.
func (r *Rule) computeWeights(clauses [][]int32) {
	occurrences := make([]int, 2*len(r.names))
	longest, most := 0, 0
	for _, lits := range clauses {
		longest = max(longest, len(lits))
		for _, l := range lits {
			occurrences[l]++
			most = max(most, occurrences[l])
		}
	}
	shift := max(0, bits.Len64(uint64(most)*weightOf[2])-32)
	w := uint64(0)
	r.weights = make([]uint32, max(longest, 3)+1)
	for k := range r.weights {
		if k < len(weightOf) {
			w = weightOf[max(k, 2)] // shorter clauses never count
		} else {
			w = max(w*100/146, 1)
		}
		r.weights[k] = uint32(max(w>>shift, 1))
	}
}

// Variables returns the number of variables of the formula.
func (r *Rule) Variables() int { return r.variables }

// MaxDepth returns the number of variables that occur outside tautological clauses.
func (r *Rule) MaxDepth() int { return len(r.names) }

// Name returns the DIMACS number of a literal.
func (r *Rule) Name(literal int32) int32 { return r.names.Name(literal) }
