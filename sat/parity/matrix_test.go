package parity

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"
)

// world is a matrix beside the parities themselves, as bits of at most 16 variables.
type world struct {
	rows  []uint32 // bit v: variable v; bit 31: the sum is odd
	m     Matrix
	trail []int32 // columns in the order of their values
	ends  []int   // lengths of the trail before the decisions
	value map[int32]bool
}

func newWorld(rng *rand.Rand) *world {
	w := &world{value: map[int32]bool{}}
	list := []Parity{}
	for range 2 + rng.IntN(8) {
		mask := rng.Uint32()&rng.Uint32()&0xffff | 1<<rng.IntN(16)
		p := Parity{Odd: rng.IntN(2) == 0}
		for v := range int32(16) {
			if mask>>v&1 != 0 {
				p.Variables = append(p.Variables, v)
			}
		}
		if p.Odd {
			mask |= 1 << 31
		}
		list, w.rows = append(list, p), append(w.rows, mask)
	}
	w.m = NewMatrix(list, rng.IntN(2) == 0)
	return w
}

// consequences returns the variables without value that the parities and the values imply, with
// their values, by elimination from the beginning. ok is false if they contradict.
func (w *world) consequences() (implied map[int32]bool, ok bool) {
	rows := slices.Clone(w.rows)
	for c, value := range w.value {
		v := w.m.Columns()[c]
		for i := range rows {
			if rows[i]>>v&1 != 0 {
				rows[i] &^= 1 << v
				if value {
					rows[i] ^= 1 << 31
				}
			}
		}
	}
	for v := range 16 {
		p := slices.IndexFunc(rows, func(r uint32) bool { return r&(1<<v-1) == 0 && r>>v&1 != 0 })
		for i := range rows {
			if p >= 0 && i != p && rows[i]>>v&1 != 0 {
				rows[i] ^= rows[p]
			}
		}
	}
	implied = map[int32]bool{}
	for _, r := range rows {
		switch low := r &^ (1 << 31); {
		case low == 0 && r != 0:
			return nil, false
		case bits.OnesCount32(low) == 1:
			implied[w.m.columnOf(int32(bits.TrailingZeros32(low)))] = r != low
		}
	}
	return implied, true
}

// set gives a column a value.
func (w *world) set(c int32, value bool) {
	w.m.Assign(c, value)
	w.value[c] = value
	w.trail = append(w.trail, c)
}

// back undoes decisions until n remain.
func (w *world) back(n int) {
	for len(w.trail) > w.ends[n] {
		c := w.trail[len(w.trail)-1]
		w.trail = w.trail[:len(w.trail)-1]
		w.m.Unassign(c)
		delete(w.value, c)
	}
	w.ends = w.ends[:n]
}

// settle takes all consequences from the matrix, and compares them with the right ones.
func (w *world) settle(t *testing.T) (ok bool) {
	want, right := w.consequences()
	for {
		f, row, c, value := w.m.Next()
		switch f {
		case Conflict:
			if right {
				t.Fatal("a conflict that does not exist")
			}
			return false
		case Nothing:
			if !right || len(want) > 0 {
				t.Fatalf("found nothing: the values contradict: %v, want %v", !right, want)
			}
			return true
		}
		if x, is := want[c]; right && (!is || x != value) || !slices.Contains(w.m.AppendColumns(nil, row), c) {
			t.Fatalf("column %d of row %d has value %v: want %v", c, row, value, want)
		}
		delete(want, c)
		w.set(c, value)
	}
}

// A matrix finds every value that follows, and every contradiction, through decisions and
// backtracking in any order, and so does its copy.
func TestMatrixIsComplete(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 5))
	conflicts := 0
	for range 3000 {
		w := newWorld(rng)
		ok := w.settle(t)
		for range 40 {
			if len(w.ends) > 0 && (!ok || rng.IntN(4) == 0) {
				w.back(rng.IntN(len(w.ends)))
				ok = w.settle(t)
				continue
			}
			free := slices.DeleteFunc(slices.Collect(columns(w)), func(c int32) bool { _, is := w.value[c]; return is })
			if !ok || len(free) == 0 {
				break
			}
			if rng.IntN(8) == 0 {
				var other Matrix
				other.CopyFrom(&w.m)
				w.m = other
			}
			w.ends = append(w.ends, len(w.trail))
			w.set(free[rng.IntN(len(free))], rng.IntN(2) == 0)
			if ok = w.settle(t); !ok {
				conflicts++
			}
		}
	}
	t.Logf("%d conflicts", conflicts)
}

func columns(w *world) func(yield func(int32) bool) {
	return func(yield func(int32) bool) {
		for c := range w.m.Columns() {
			if !yield(int32(c)) {
				return
			}
		}
	}
}

// Components have only parities with cycles: a chain has none, a triangle with a tail is one
// component without its tail.
func TestComponents(t *testing.T) {
	of := func(variables ...int32) Parity { return Parity{Variables: variables} }
	list := []Parity{
		of(0, 1, 2), of(2, 3), of(3, 4), // a chain
		of(10, 11), of(11, 12), of(10, 12), of(12, 13), // a triangle with a tail
		of(20, 21, 22), of(20, 21, 23), // two common variables
	}
	got := Components(list)
	if want := [][]int32{{3, 4, 5}, {7, 8}}; !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("components %d, want %d", got, want)
	}
}

// The price of a row is the number of lines of its derivation, and one line follows another by unit
// propagation: sat/cdcl checks the hints of the lines.
func TestPriceIsTheNumberOfLines(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	checked := 0
	for range 2000 {
		w := newWorld(rng)
		if w.m.base.stride == w.m.base.words {
			continue
		}
		for r := range int32(w.m.Rows()) {
			wrong := map[int32]bool{}
			sum := hasBit(w.m.row(int(r)), int32(len(w.m.Columns())))
			for _, c := range w.m.AppendColumns(nil, r) {
				wrong[c] = rng.IntN(2) == 0
				sum = sum != wrong[c]
			}
			if !sum && len(wrong) > 0 {
				c := w.m.AppendColumns(nil, r)[0]
				wrong[c] = !wrong[c]
			}
			price, lines := w.m.Price(r, 1<<14), int32(0)
			if price > 1<<14 {
				continue
			}
			for i := range w.m.base.parities {
				p := &w.m.base.parities[i]
				p.By = slices.Repeat([]Excluder{{0, 255}}, 1<<len(p.Variables))
			}
			d := Deriver{}
			d.Derive(&w.m, r, nil, func(c int32) bool { return wrong[c] }, func(int, int) uint64 { return 0 },
				func([]uint32, []uint64) uint64 { lines++; return 0 })
			if lines > max(price, 1) {
				t.Fatalf("%d lines, the price is %d", lines, price)
			}
			checked++
		}
	}
	if checked < 1000 {
		t.Errorf("%d rows checked: expected more", checked)
	}
}
