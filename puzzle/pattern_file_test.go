package puzzle

import (
	"bytes"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// Ranks number the placements without a gap, in both directions.
func TestRank(t *testing.T) {
	for n := 1; n <= 4; n++ {
		seen := make([]bool, countPlacements(n))
		for k := range key(1 << (4 * n)) {
			var used cells
			for i := range n {
				used |= 1 << k.cellAtIndex(i)
			}
			if used.count() != n {
				continue
			}
			r := k.placementIndex(n)
			if seen[r] || placementAtIndex(r, n) != k {
				t.Fatalf("placement %x of %d tiles has rank %d, which is that of %x", k, n, r, placementAtIndex(r, n))
			}
			seen[r] = true
		}
		if slices.Contains(seen, false) {
			t.Errorf("a rank of %d tiles has no placement", n)
		}
	}
	rng := rand.New(rand.NewPCG(21, 22))
	for range 10_000 {
		if r := rng.Uint32N(uint32(countPlacements(8))); placementAtIndex(r, 8).placementIndex(8) != r {
			t.Fatalf("rank %d is that of %x, whose rank is %d", r, placementAtIndex(r, 8), placementAtIndex(r, 8).placementIndex(8))
		}
	}
}

func (s cells) count() (n int) {
	for ; s != 0; s &= s - 1 {
		n++
	}
	return n
}

// written is the file of the pattern databases that the tests share.
func written(t testing.TB) []byte {
	t.Helper()
	var file bytes.Buffer
	if err := patterns(t).WriteTables(&file); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// What is written is read again, also with tables by rank.
func TestPatternFile(t *testing.T) {
	file := written(t)
	if want := len(patternMagic) + 1 + 3 + 15 + 3*524_160 + 4; len(file) != want {
		t.Errorf("%d bytes, want %d", len(file), want)
	}
	p, err := ReadPatterns(iotest.HalfReader(bytes.NewReader(file)))
	if err != nil {
		t.Fatal(err)
	}
	for i, table := range p.tables {
		if want := patterns(t).tables[i]; !bytes.Equal(table.distance, want.distance) || !bytes.Equal(table.tiles, want.tiles) {
			t.Errorf("table %d is not what it was", i)
		}
		byRank := make([]uint8, countPlacements(len(table.tiles)))
		for r := range byRank {
			byRank[r] = table.distanceAt(placementAtIndex(uint32(r), len(table.tiles)))
		}
		table.distance, table.ranked = byRank, true
	}
	var again bytes.Buffer
	if err := p.WriteTables(&again); err != nil || !bytes.Equal(again.Bytes(), file) {
		t.Errorf("tables by rank are written as %d other bytes: %v", again.Len(), err)
	}
	k := korf(t)[11]
	if got, want := solve(t, k.board, p, Options{}), solve(t, k.board, patterns(t), Options{}); got.Korf != want.Korf {
		t.Errorf("#12 by rank: %d generated, want %d", got.Korf, want.Korf)
	}
}

// A file that is not a pattern database is refused with a reason.
func TestReadPatternsRefuses(t *testing.T) {
	file := written(t)
	head := len(patternMagic) + 1 + 3 + 15
	change := func(at int, to byte) []byte {
		c := bytes.Clone(file)
		c[at] = to
		return c
	}
	for _, c := range []struct {
		name, want string
		file       []byte
	}{
		{"nothing", "not a file", nil},
		{"another file", "not a file", []byte("p cnf 3 3\n1 2 0\n-1 3 0\n")},
		{"a magic alone", "not a file", file[:len(patternMagic)]},
		{"no groups", "expected each of 1 to 15", change(len(patternMagic), 0)},
		{"a group missing", "expected each of 1 to 15", change(len(patternMagic), 2)},
		{"a tile twice", "expected each of 1 to 15", change(len(patternMagic)+2, 2)},
		{"a great tile", "expected each of 1 to 15", change(len(patternMagic)+2, 200)},
		{"cut in the head", "EOF", file[:head-1]},
		{"cut in a table", "523997 of 524160 distances: unexpected EOF", file[:head+523_997]},
		{"cut in the checksum", "checksum", file[:len(file)-1]},
		{"a distance changed", "checksum", change(head+1000, 99)},
		{"a byte more", "checksum", append(bytes.Clone(file), 0)},
	} {
		_, err := ReadPatterns(bytes.NewReader(c.file))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want an error with %q", c.name, err, c.want)
		}
	}
}

// FuzzReadPatterns: any bytes are read or refused.
func FuzzReadPatterns(f *testing.F) {
	file := written(f)
	f.Add(file[:40])
	f.Add(append([]byte(patternMagic), 3, 0, 0, 0))
	f.Add(append([]byte(patternMagic), 255, 255))
	f.Fuzz(func(t *testing.T, file []byte) {
		p, err := ReadPatterns(bytes.NewReader(file))
		if (p == nil) != (err != nil) {
			t.Fatalf("%v, %v", p, err)
		}
	})
}

// The largest tables, written and read again, solve all instances with as few nodes as
// Korf and Felner's: they print an average of 36,710 for random ones. It takes four
// minutes and 5 GB, so it waits for PUZZLE_SEVEN_EIGHT to name a file to write to.
func TestSevenEight(t *testing.T) {
	name := os.Getenv("PUZZLE_SEVEN_EIGHT")
	if name == "" {
		t.Skip("set PUZZLE_SEVEN_EIGHT to a file to write 577 MB to")
	}
	p := sevenEight(t, name)
	total := int64(0)
	for _, k := range korf(t) {
		r := solve(t, k.board, p, Options{})
		if total += r.Korf; r.SolutionLength() != k.length {
			t.Errorf("#%d: %d moves, want %d", k.id, r.SolutionLength(), k.length)
		}
	}
	if average := total / 100; average < 10_000 || average > 100_000 {
		t.Errorf("%d nodes generated on average", average)
	}
	t.Logf("%d nodes generated in all", total)
}

// sevenEight reads the tables from a file, which it writes if there is none.
func sevenEight(t *testing.T, name string) *Patterns {
	t.Helper()
	if _, err := os.Stat(name); err != nil {
		p, err := NewPatterns(SevenEight)
		if err != nil {
			t.Fatal(err)
		}
		f, err := os.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.WriteTables(f); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	p, err := ReadPatterns(f)
	if err != nil {
		t.Fatal(err)
	}
	return p
}
