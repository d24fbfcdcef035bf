package simplify

import "treesplit/sat"

// A formula may have far fewer variables than the largest number of a variable. The tables of the techniques have an
// entry for each variable. So the variables of such a formula are numbered from 1 without gaps, and the lemmas and
// the result are translated.

// isSparse reports whether most variables of a formula do not occur.
func isSparse(f *sat.Formula) bool { return f.Variables > 1<<16+4*f.LiteralCount() }

// numbering gives numbers without gaps to the variables of a formula. New variables come after them.
type numbering struct {
	names  sat.Names
	most   int     // the largest variable of the formula or of its proof
	buffer []int32 // of a lemma
}

// translate returns the name of a literal.
func (n *numbering) translate(l int32) int32 {
	v := max(l, -l)
	if int(v) <= len(n.names) {
		v = n.names[v-1]
	} else {
		v += int32(n.most - len(n.names))
	}
	if l < 0 {
		return -v
	}
	return v
}

// translated returns a function that calls f with the names of literals; f may be nil.
func (n *numbering) translated(f func(literals []int32)) func(literals []int32) {
	if f == nil {
		return nil
	}
	return func(literals []int32) {
		n.buffer = n.buffer[:0]
		for _, l := range literals {
			n.buffer = append(n.buffer, n.translate(l))
		}
		f(n.buffer)
	}
}

// runSparse is Run for a formula most of whose variables do not occur.
func runSparse(f *sat.Formula, opt Options) *Result {
	n := &numbering{names: sat.VariableNamesOf(f), most: max(f.Variables, opt.MaxVariable)}
	dense := &sat.Formula{Variables: len(n.names), DNF: f.DNF}
	var clause []int32
	for _, literals := range f.Clauses() {
		clause = clause[:0]
		for _, l := range literals {
			number := n.names.FromDIMACS(l)>>1 + 1
			if l < 0 {
				number = -number
			}
			clause = append(clause, number)
		}
		dense.AddClause(clause...)
	}
	opt.Lemma, opt.Delete, opt.MaxVariable = n.translated(opt.Lemma), n.translated(opt.Delete), 0
	r := newSimplifier(dense, opt).simplifyFormula(dense)
	small := r.Formula
	r.Formula = &sat.Formula{Variables: f.Variables, DNF: f.DNF}
	for _, literals := range small.Clauses() {
		clause = clause[:0]
		for _, l := range literals {
			clause = append(clause, n.translate(l))
		}
		r.Formula.AddClause(clause...)
	}
	r.MaxVariable += n.most - len(n.names)
	r.names = n.names
	return r
}

// restoreSparse is RestoreModel for such a formula.
func (r *Result) restoreSparse(model []bool) {
	small := make([]bool, len(r.names))
	for i, v := range r.names {
		small[i] = model[v-1]
	}
	restoreModel(r.steps, r.kept, small)
	for i, v := range r.names {
		model[v-1] = small[i]
	}
}
