package gen_test

import (
	"strconv"
	"strings"
	"testing"

	"treesplit/sat/gen"
	"treesplit/sat/ruletest"
)

// members are small members of all families with a known answer, around the limits at which the
// answers change. "a-b" stands for all whole numbers from a to b.
var members = map[string][]string{
	"php":             {"n=1-5"},
	"parity":          {"n=2-9"},
	"tseitin-torus":   {"r=3 c=3-4"},
	"tseitin-regular": {"n=5-10 d=4"},
	"adder":           {"n=1-5"},
	"multiplier":      {"n=1-4"},
	"vdw":             {"j=2 k=2-5 n=1-11", "j=3 k=3 n=7-10", "j=3 k=4 n=16-19", "j=4 k=3 n=17-18", "j=3 k=5 n=21-22", "j=3 k=6 n=31-32"},
	"ramsey":          {"s=2 t=5 n=4-5 break-symmetry=0-1", "s=3 t=3 n=4-7 break-symmetry=0-1", "s=3 t=4 n=8-9 break-symmetry=0-1"},
	"mycielski":       {"order=2-4 colours=1-5"},
	"queens":          {"n=1-4 colours=1-5", "n=5 colours=4-5", "n=6 colours=5"},
	"palindromic-vdw": {"j=3 k=3 n=1-12", "j=4 k=3 n=13-18", "j=3 k=5 n=14-24", "j=3 k=6 n=29-33", "j=3 k=7 n=40-46", "j=2 k=3 n=6"},
	"green-tao":       {"j=3 k=3 n=22-23", "j=4 k=3 n=78-79"},
	"schur":           {"colours=1 n=1-3 break-symmetry=0-1", "colours=2 n=2-6 break-symmetry=0-2", "colours=3 n=12-15 break-symmetry=0-3"},
	"weak-schur":      {"colours=1 n=1-4 break-symmetry=0-1", "colours=2 n=7-10 break-symmetry=0-2", "colours=3 n=22-25 break-symmetry=0-3"},
	"pythagorean":     {"n=1-30 k=3", "n=104-105 k=4 break-symmetry=0-1", "n=36-37 k=5", "n=22-23 k=6 break-symmetry=0-1"},
	"erdos-discrepancy": {
		"c=1 n=1-14 multiplicative=0-1", "c=2 n=1-40", "c=2 n=245-248 multiplicative=1", "c=3 n=3-30",
	},
	"php-variant":     {"n=1-3 capacity=1-2 functional=0-1 onto=0-1"},
	"chessboard":      {"n=3-6"},
	"sgen":            {"groups=1-6"},
	"latin":           {"n=1-5 holes=0-1", "n=6-7 holes=20", "n=10 holes=45"},
	"langford":        {"n=1-7 break-symmetry=0-1"},
	"parity-learning": {"n=1-6 samples=8 errors=0-2", "n=9 samples=18 errors=3", "n=3 samples=2 errors=2"},
}

// Other solvers agree with the known answers, of every family.
func TestKnownStatus(t *testing.T) {
	judges := ruletest.NewJudges(t)
	for _, family := range gen.ListFamilies() {
		if _, unknown := map[string]bool{"random": true, "random-colouring": true}[family.Name]; unknown {
			if s, err := family.KnownStatus(nil); err != nil || s != (gen.Status{}) {
				t.Errorf("%s: %+v, %v", family.Name, s, err)
			}
			continue
		}
		if len(members[family.Name]) == 0 {
			t.Errorf("no members of family %q", family.Name)
		}
		for _, ranges := range members[family.Name] {
			for i, given := range expand(t, ranges) {
				judgeMember(t, judges, family, given, uint64(i))
			}
		}
	}
	if err := judges.FinishJudging(); err != nil {
		t.Error(err)
	}
}

// judgeMember compares the known answer of a formula.
func judgeMember(t *testing.T, judges *ruletest.Judges, family *gen.Family, given map[string]float64, seed uint64) {
	t.Helper()
	f, comment, err := family.MakeFormula(given, seed)
	if err != nil {
		t.Fatal(err)
	}
	s, err := family.KnownStatus(given)
	switch {
	case err != nil:
		t.Errorf("%s %v: %v", family.Name, given, err)
	case s.Answer == gen.Open:
		if !(family.Name == "queens" || strings.HasPrefix(family.Name, "palindromic")) {
			t.Errorf("%s %v: no known answer", family.Name, given)
		}
	case !strings.HasSuffix(comment, "\nknown to be "+s.Answer.String()+": "+s.Reason):
		t.Errorf("%s %v: %+v, but the comment is %q", family.Name, given, s, comment)
	default:
		if err := judges.ExpectVerdict(f, s.Answer == gen.Satisfiable); err != nil {
			t.Errorf("%s %v: %v: %v", family.Name, given, s, err)
		}
	}
}

// expand returns all members of "name=a-b …".
func expand(t *testing.T, ranges string) []map[string]float64 {
	all := []map[string]float64{{}}
	for field := range strings.FieldsSeq(ranges) {
		name, values, _ := strings.Cut(field, "=")
		low, high, isRange := strings.Cut(values, "-")
		if !isRange {
			high = low
		}
		from, err := strconv.Atoi(low)
		to, err2 := strconv.Atoi(high)
		if err != nil || err2 != nil {
			t.Fatal(ranges)
		}
		var more []map[string]float64
		for _, given := range all {
			for x := from; x <= to; x++ {
				with := map[string]float64{name: float64(x)}
				for other, value := range given {
					with[other] = value
				}
				more = append(more, with)
			}
		}
		all = more
	}
	return all
}

// Nothing is claimed where nothing is known.
func TestOpenStatus(t *testing.T) {
	for _, c := range []struct {
		family, given string
		want          gen.Answer
	}{
		{"vdw", "j=3 k=20 n=400", gen.Open},
		{"vdw", "j=7 k=7 n=400", gen.Open},
		{"ramsey", "s=5 t=5 n=43", gen.Open},
		{"ramsey", "s=3 t=10 n=40", gen.Open},
		{"schur", "colours=6 n=161", gen.Open},
		{"schur", "colours=6 n=160", gen.Satisfiable},
		{"weak-schur", "colours=5 n=197", gen.Open},
		{"weak-schur", "colours=5 n=196", gen.Satisfiable},
		{"erdos-discrepancy", "c=3 n=1161", gen.Open},
		{"erdos-discrepancy", "c=2 n=1161", gen.Unsatisfiable},
		{"erdos-discrepancy", "c=2 n=1160", gen.Satisfiable},
		{"pythagorean", "k=3 n=7824", gen.Satisfiable},
		{"pythagorean", "k=3 n=7825", gen.Unsatisfiable},
		{"green-tao", "j=4 k=5 n=600", gen.Open},
		{"palindromic-vdw", "j=3 k=18 n=311", gen.Open},
		{"palindromic-vdw", "j=3 k=18 n=312", gen.Unsatisfiable},
		{"palindromic-vdw", "j=4 k=5 n=54", gen.Open},
		{"palindromic-vdw", "j=4 k=5 n=55", gen.Unsatisfiable},
		{"queens", "n=8 colours=8", gen.Open},
		{"queens", "n=8 colours=7", gen.Unsatisfiable},
		{"queens", "n=11 colours=11", gen.Satisfiable},
	} {
		family, err := gen.FindFamily(c.family)
		if err != nil {
			t.Fatal(err)
		}
		if s, err := family.KnownStatus(expand(t, c.given)[0]); err != nil || s.Answer != c.want || (s.Reason == "") != (s.Answer == gen.Open) {
			t.Errorf("%s %s: %+v, %v, want %v", c.family, c.given, s, err, c.want)
		}
	}
	if _, err := gen.ListFamilies()[0].KnownStatus(map[string]float64{"n": -1}); err == nil {
		t.Error("a parameter out of range is accepted")
	}
}
