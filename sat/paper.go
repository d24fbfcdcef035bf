package sat

// Paper is rule paper, compiled for one formula: the Davis–Putnam procedure as
// Kumar, Grama and Rao run it (section 5), without unit propagation, pure literals
// or learning. A node is a partial assignment. At a node a clause is open when
// none of its literals is true. An open clause without a free literal makes the
// node a conflict leaf; a node without open clauses is a solution leaf; at every
// other node the search branches on the first free literal, in input order, of
// the first open clause: true, then false.
//
// A Paper does not change after NewPaper. All ranks of a process can share one.
//
// The literals are the literals of Names; l^1 is the complement of l.
type Paper struct {
	variables int       // of the formula, occurring or not
	names     Names     // of the variables that occur
	clauses   [][]int32 // literals in input order; all in one array
	in        [][]int32 // in[l]: the clauses that literal l occurs in, ascending; all in one array
	hasEmpty  bool      // a clause is empty: the root is a conflict leaf
}

// NewPaper compiles the formula and keeps no reference to it. It takes O(L log L) time and O(L)
// memory for L literals and clauses.
func NewPaper(f *Formula) *Paper {
	p := &Paper{variables: f.Variables, names: VariableNamesOf(f), clauses: make([][]int32, f.Len())}
	all := make([]int32, f.LiteralCount())
	count := make([]int32, 2*len(p.names))
	for c, clause := range f.Clauses() {
		var lits []int32
		lits, all = all[:len(clause):len(clause)], all[len(clause):]
		for i, l := range clause {
			lits[i] = p.names.FromDIMACS(l)
			count[lits[i]]++
		}
		p.clauses[c] = lits
		p.hasEmpty = p.hasEmpty || len(lits) == 0
	}
	p.indexOccurrences(count)
	return p
}

// indexOccurrences fills in from clauses; count[l] is the number of occurrences of literal l.
func (p *Paper) indexOccurrences(count []int32) {
	total := 0
	for _, n := range count {
		total += int(n)
	}
	all := make([]int32, total)
	p.in = make([][]int32, len(count))
	for l, n := range count {
		p.in[l], all = all[:0:n], all[n:]
	}
	for c, lits := range p.clauses {
		for _, l := range lits {
			p.in[l] = append(p.in[l], int32(c))
		}
	}
}

// NewSearch returns a share of the rule's tree.
func (p *Paper) NewSearch(opt Options) *Search { return NewSearch(p, opt) }

// Variables returns the number of variables of the formula.
func (p *Paper) Variables() int { return p.variables }

// MaxDepth returns the number of variables that occur.
func (p *Paper) MaxDepth() int { return len(p.names) }

// Name returns the DIMACS number of a literal.
func (p *Paper) Name(literal int32) int32 { return p.names.Name(literal) }
