package gen

// Variants of the pigeonhole principle. Each hole takes up to capacity pigeons, and there is one
// pigeon more than places: capacity·n + 1. With functional = 1 no pigeon sits in two holes. With
// onto = 1 every hole has a pigeon. The formula is unsatisfiable in all variants. These clauses
// make no proof by resolution short, but they allow rules and simplifications that the plain
// formula does not allow. Variable p·n + h + 1 means that pigeon p sits in hole h. The clauses
// are: each pigeon has a hole; the sets of capacity + 1 pigeons in each hole; functional; onto.
//
// Source: A. Razborov, Proof Complexity of Pigeonhole Principles, DLT 2001, a survey of the
// variants; two pigeons per hole: A. Biere, Two Pigeons per Hole Problem, SAT Competition 2013.
var phpVariantFamily = Family{
	Name:    "php-variant",
	Help:    "pigeonhole principle: functional, onto, or several pigeons per hole; unsatisfiable",
	Example: "n=6 functional=1",
	Params: []Param{
		{Name: "n", Help: "holes", Default: 6, Min: 1, Max: 500},
		{Name: "capacity", Help: "pigeons that a hole takes", Default: 1, Min: 1, Max: 10},
		{Name: "functional", Help: "1: no pigeon sits in two holes; 0: a pigeon may", Default: 0, Min: 0, Max: 1},
		{Name: "onto", Help: "1: no hole is empty; 0: a hole may be", Default: 0, Min: 0, Max: 1},
	},
	build:  buildPigeonholeVariant,
	status: alwaysUnsatisfiable("there is one pigeon more than places"),
}

func buildPigeonholeVariant(v values, d *draft) error {
	d.addPigeonholes(v.wholeNumber("n"), v.wholeNumber("capacity"), v.wholeNumber("functional") == 1, v.wholeNumber("onto") == 1)
	return nil
}

// addPigeonholes adds the formula of n holes that each take up to capacity pigeons.
func (d *draft) addPigeonholes(n, capacity int, functional, onto bool) {
	pigeons := capacity*n + 1
	first := d.newVariables(pigeons * n)
	sits := func(p, h int) int32 { return first + int32(p*n+h) }
	for p := range pigeons {
		d.addClause(firstNumbers(sits(p, 0), n)...)
	}
	for h := range n {
		d.limitPigeons(pigeons, capacity, func(p int) int32 { return sits(p, h) })
	}
	if functional {
		for p := range pigeons {
			d.limitPigeons(n, 1, func(h int) int32 { return sits(p, h) })
		}
	}
	if onto {
		for h := range n {
			clause := make([]int32, pigeons)
			for p := range clause {
				clause[p] = sits(p, h)
			}
			d.addClause(clause...)
		}
	}
}

// limitPigeons forbids that more than most of n variables are true, set by set.
func (d *draft) limitPigeons(n, most int, variable func(i int) int32) {
	for set := firstSubset(n, most+1); set != nil; set = nextSubset(n, set) {
		clause := make([]int32, len(set))
		for i, x := range set {
			clause[i] = -variable(x)
		}
		d.addClause(clause...)
	}
}
