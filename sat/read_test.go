package sat

import (
	"bytes"
	"io"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"pgregory.net/rapid"
)

// clausesOf copies a formula's clauses.
func clausesOf(f *Formula) [][]int32 {
	all := [][]int32{}
	for _, c := range f.Clauses() {
		all = append(all, append([]int32{}, c...))
	}
	return all
}

func TestRead(t *testing.T) {
	for _, c := range []struct {
		name, text string
		variables  int
		want       [][]int32
	}{
		{"plain", "c hello\np cnf 3 2\n1 -2 0\n3 0\n", 3, [][]int32{{1, -2}, {3}}},
		{"clauses over lines", "p cnf 4 3\n1\n\n-2\t0 3 0\n4\r\n-1 -1 0", 4, [][]int32{{1, -2}, {3}, {4, -1, -1}}},
		{"comments between and in clauses", "c\n  p  cnf\t2 2 \nc 7 7\n1\ncomment 0\n2 0\nc\n-2 0\nc end", 2, [][]int32{{1, 2}, {-2}}},
		{"empty clause", "p cnf 2 2\n0 1 0", 2, [][]int32{{}, {1}}},
		{"nothing", "p cnf 0 0", 0, [][]int32{}},
		{"unused variables", "p cnf 16777216 0\n", MaxVariables, [][]int32{}},
		{"SATLIB's end marker", "p cnf 2 1\n 1 2 0\n%\n0\n\n", 2, [][]int32{{1, 2}}},
		{"bare end marker", "p cnf 2 1\n1 2 0\n%", 2, [][]int32{{1, 2}}},
		{"terms become clauses of the negated literals", "p dnf 3 2\n1 -2 0\n3 0\n", 3, [][]int32{{-1, 2}, {-3}}},
	} {
		for _, r := range []io.Reader{strings.NewReader(c.text), iotest.OneByteReader(strings.NewReader(c.text))} {
			f, err := Read(r, "x")
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
				break
			}
			if f.Variables != c.variables || f.DNF != strings.Contains(c.text, "dnf") || !reflect.DeepEqual(clausesOf(f), c.want) {
				t.Errorf("%s: %d variables, DNF %v, %v", c.name, f.Variables, f.DNF, clausesOf(f))
			}
		}
	}
}

// Every bad input is refused in one line that names the file, the line and what
// was expected.
func TestReadRefuses(t *testing.T) {
	packed := gzipped("p cnf 2 1\n1 2 0\n" + strings.Repeat("c filler\n", 1000))
	frame := zstded("p cnf 2 1\n1 2 0\n" + strings.Repeat("c filler\n", 1000))
	wrongSum := bytes.Clone(packed)
	wrongSum[len(wrongSum)-5] ^= 1
	for _, c := range []struct{ name, text, want string }{
		{"0 bytes", "", `x:1: no formula: expected the header "p cnf`},
		{"only comments", "c a\nc b\n", `x:1: no formula: expected the header`},
		{"missing header", "c a\n1 2 0\n", `x:2: found "1": expected the header`},
		{"binary junk", "\x7fELF\x02\x01\x00\x00 \n", `x:1: found "\x7fELF\x02\x01\x00\x00": expected the header`},
		{"a word glued to p", "pcnf 1 1\n", `found "pcnf": expected the header`},
		{"other format", "p sat 3\n", `x:1: format "sat": expected the header`},
		{"bare p", "p\ncnf 1 1\n", `x:1: the header is cut short: expected`},
		{"no numbers", "p cnf\n1 1\n", `x:1: the number of variables is missing: expected`},
		{"one number", "\np cnf 1\n1 0\n", `x:2: the number of clauses is missing: expected`},
		{"negative count", "p cnf -1 1\n", `x:1: found "-1": expected a number of variables`},
		{"count that is no number", "p dnf 1 x1\n", `x:1: found "x1": expected a number of terms`},
		{"too many variables", "p cnf 1000000000 0\n", `x:1: 1000000000 variables are too many: expected at most 16777216`},
		{"too many clauses", "p cnf 1 1000000000\n", `x:1: 1000000000 clauses are too many: expected at most 134217728`},
		{"count that overflows", "p cnf 99999999999999999999999 1\n", `x:1: 99999999999999999999999 variables are too many`},
		{"long header", "p cnf 1 1 1\n1 0\n", `x:1: found "1" after the header: expected the end of the line`},
		{"second header", "p cnf 1 1\np cnf 1 1\n", `x:2: found "p": expected a literal or 0`},
		{"literal out of range", "p cnf 3 2\n1 2 0\n-3 4 0\n", `x:3: literal 4 is out of range: the header promises 3 variables`},
		{"negative literal out of range", "p cnf 3 1\n-4 0\n", `x:2: literal -4 is out of range`},
		{"literal that overflows", "p cnf 3 1\n-9223372036854775809 0\n", `x:2: literal -9223372036854775809 is out of range`},
		{"literal that wraps to 1 in 32 bits", "p cnf 3 1\n4294967297 0\n", `x:2: literal 4294967297 is out of range`},
		{"very long literal", "p cnf 3 1\n" + strings.Repeat("0", 1000) + "1 0\n", `x:2: found "00000000000000000000"…: expected a literal or 0`},
		{"plus sign", "p cnf 3 1\n+1 0\n", `x:2: found "+1": expected a literal or 0`},
		{"two literals glued", "p cnf 3 1\n1-2 0\n", `x:2: found "1-2": expected a literal or 0`},
		{"word", "p cnf 3 1\n1 two 0\n", `x:2: found "two": expected a literal or 0`},
		{"comment within a line", "p cnf 3 1\n1 c 2 0\n", `x:2: found "c": expected a literal or 0`},
		{"junk after the header", "p cnf 3 1\n\xff\x00\x01\n", `x:2: found "\xff\x00\x01": expected a literal or 0`},
		{"too few clauses", "p cnf 3 3\n1 0\n2 0\n\n\n", `x:3: the formula ends after 2 clauses: the header promises 3`},
		{"header alone", "p cnf 3 3\n", `x:1: the formula ends after 0 clauses: the header promises 3`},
		{"too many clauses read", "p cnf 3 1\n1 0\n2 0\n", `x:3: clause 2 begins here: the header promises 1`},
		{"a 0 too many", "p cnf 3 1\n1 0\n0\n", `x:3: clause 2 begins here: the header promises 1`},
		{"term too many", "p dnf 3 0\n1 0\n", `x:2: term 1 begins here: the header promises 0`},
		{"last clause not ended", "p cnf 3 2\n1 0\n2 3\n", `x:3: the last clause is not ended by 0`},
		{"last term not ended", "p dnf 3 1\n1 ", `x:2: the last term is not ended by 0`},
		{"marker in a clause", "p cnf 3 1\n1 2\n%\n0\n", `x:3: the last clause is not ended by 0`},
		{"text after the marker", "p cnf 3 1\n1 2 0\n%\n0\n1\n", `x:5: found "1" after the end marker %: expected the end of the file`},
		{"text at the marker", "p cnf 3 1\n1 2 0\n% 1\n", `x:3: found "1" after the end marker %`},
		{"truncated gzip", string(packed[:len(packed)-12]), "the gzip data is truncated: unexpected EOF"},
		{"truncated gzip header", string(packed[:5]), "x:1: the gzip data is truncated"},
		{"gzip with a wrong checksum", string(wrongSum), "the gzip data is damaged"},
		{"truncated zstd", string(frame[:len(frame)-6]), "the zstd data is truncated: unexpected EOF"},
		{"damaged zstd", string(frame[:8]) + strings.Repeat("\xa5", 40), "x:1: the zstd data is damaged"},
	} {
		f, err := Read(strings.NewReader(c.text), "x")
		if err == nil {
			t.Errorf("%s: read as %v", c.name, f)
			continue
		}
		checkOneLine(t, err)
		if !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %q does not say %q", c.name, err, c.want)
		}
	}
}

var oneLine = regexp.MustCompile(`^x:[1-9][0-9]*: [^\n]{1,200}$`)

func checkOneLine(t testing.TB, err error) {
	t.Helper()
	if !oneLine.MatchString(err.Error()) {
		t.Errorf("%q is not one line with file and line number", err)
	}
}

// An input that fails in the middle of a header is not taken for a bad header.
func TestReadReportsBrokenInput(t *testing.T) {
	for n := range len("p cnf 2 1\n1 2 0\n") {
		r := io.MultiReader(strings.NewReader("p cnf 2 1\n1 2 0\n"[:n]), iotest.ErrReader(io.ErrClosedPipe))
		if _, err := Read(r, "x"); err == nil || !strings.Contains(err.Error(), "cannot read: "+io.ErrClosedPipe.Error()) {
			t.Errorf("after %d bytes: %v", n, err)
		}
	}
	if _, err := ReadFile(filepath.Join(t.TempDir(), "missing.cnf")); err == nil || !strings.Contains(err.Error(), "missing.cnf") {
		t.Errorf("missing file: %v", err)
	}
	if _, err := ReadFile(t.TempDir()); err == nil || !strings.Contains(err.Error(), "cannot read") {
		t.Errorf("a folder: %v", err)
	}
}

// Large numbers in the headers of invalid inputs take no memory, and decompressed data is
// streamed.
func TestReadAllocatesLittle(t *testing.T) {
	if testing.Short() {
		t.Skip("32 MiB of blanks take a while under -race")
	}
	blanks := strings.Repeat(" ", 32<<20)
	for name, text := range map[string]string{
		"many variables":                        "p cnf 16777216 134217728\n1 0\n",
		"gzip bomb":                             string(gzipped(blanks)),
		"zstd bomb":                             string(zstded(blanks)),
		"endless clauses behind a small header": string(gzipped("p cnf 1 10\n" + blanks[:1<<20] + strings.Repeat("1 0\n", 1<<22))),
	} {
		if got := allocated(func() {
			if _, err := Read(strings.NewReader(text), "x"); err == nil {
				t.Errorf("%s was read", name)
			}
		}); got > 16<<20 {
			t.Errorf("%s: %d MiB were allocated", name, got>>20)
		}
	}
}

// allocated is the number of bytes that f allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

func gzipped(text string) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	io.WriteString(w, text)
	w.Close()
	return b.Bytes()
}

func zstded(text string) []byte {
	w, err := zstd.NewWriter(nil)
	if err != nil {
		panic(err)
	}
	return w.EncodeAll([]byte(text), nil)
}

// anyFormula draws a formula of every shape that the type allows.
func anyFormula(t *rapid.T) *Formula {
	f := &Formula{Variables: rapid.IntRange(0, 300).Draw(t, "variables"), DNF: rapid.Bool().Draw(t, "dnf")}
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
	for range rapid.IntRange(0, 40).Draw(t, "clauses") {
		var clause []int32
		for f.Variables > 0 && rng.IntN(4) > 0 {
			clause = append(clause, literal(rng, 1+rng.IntN(f.Variables)))
		}
		f.AddClause(clause...)
	}
	return f
}

// same reports whether two formulas are equal.
func same(f, g *Formula) bool {
	return f.Variables == g.Variables && f.DNF == g.DNF && reflect.DeepEqual(clausesOf(f), clausesOf(g))
}

// Read reads back the output of WriteDIMACS, in every compression.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := anyFormula(t)
		var text bytes.Buffer
		if err := f.WriteDIMACS(&text, "two\nlines", ""); err != nil {
			t.Fatal(err)
		}
		for name, data := range map[string][]byte{"plain": text.Bytes(), "gzip": gzipped(text.String()), "zstd": zstded(text.String())} {
			g, err := Read(bytes.NewReader(data), name)
			if err != nil {
				t.Fatal(err)
			}
			if !same(f, g) {
				t.Fatalf("%s: %v became %v", name, f, g)
			}
		}
	})
}

// FuzzRead: no input makes Read panic; an error is one line with its place; and
// what is read, written and read again is the same.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		"", "p cnf 2 2\n1 -2 0\n2 0\n", "c x\np dnf 3 1\n1\n2 3 0\n%\n0\n", "p cnf 1000000000 0", "p cnf 3 1\n1 2", "p cnf 1 1\n0 0",
		"p cnf 3 1\n99999999999999999999 0", string(gzipped("p cnf 1 1\n1 0\n")), string(zstded("p cnf 1 1\n-1 0\n")), string(gzipped("p cnf")[:15]),
		"\xef\xbb\xbfp cnf 1 1\n1 0\n", xzOfTwo, bzip2OfTwo,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		formula, err := Read(bytes.NewReader(data), "x")
		if err != nil {
			checkOneLine(t, err)
			return
		}
		var text bytes.Buffer
		if err := formula.WriteDIMACS(&text); err != nil {
			t.Fatal(err)
		}
		again, err := Read(&text, "again")
		if err != nil {
			t.Fatal(err)
		}
		if !same(formula, again) {
			t.Fatalf("%v became %v", formula, again)
		}
	})
}

// A formula of two clauses, by xz and by bzip2.
const (
	xzOfTwo    = "\xfd\x37\x7a\x58\x5a\x00\x00\x04\xe6\xd6\xb4\x46\x02\x00\x21\x01\x00\x00\x00\x00\x37\x27\x97\xd6\x01\x00\x22\x63\x20\x74\x77\x6f\x20\x63\x6c\x61\x75\x73\x65\x73\x0a\x70\x20\x63\x6e\x66\x20\x32\x20\x32\x0a\x31\x20\x2d\x32\x20\x30\x0a\x32\x20\x30\x0a\x00\x00\x52\x11\x0c\x54\x60\xe6\x59\xe8\x00\x01\x3b\x23\x61\x2b\x53\xbe\x1f\xb6\xf3\x7d\x01\x00\x00\x00\x00\x04\x59\x5a"
	bzip2OfTwo = "\x42\x5a\x68\x39\x31\x41\x59\x26\x53\x59\xc2\xbf\xec\x7e\x00\x00\x0a\xd9\x80\x00\x10\x40\x02\x70\x00\x2b\x05\xce\x80\x20\x00\x22\x13\xd4\x64\x64\x64\x68\x53\x4c\x8c\x4c\x4c\x44\xc1\x4a\xdc\xde\x27\x6c\x6d\x67\x02\x00\x27\x95\x2a\x4e\xd6\x7d\x5f\x17\x72\x45\x38\x50\x90\xc2\xbf\xec\x7e"
)
