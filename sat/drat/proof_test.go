package drat

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// parse reads all steps of a proof.
func parse(r io.Reader) (steps []step, p *parser, err error) {
	p = newParser(r)
	for {
		ok, err := p.readNextStep()
		if !ok || err != nil {
			return steps, p, err
		}
		steps = append(steps, step{p.deletion, slices.Clone(p.literals)})
	}
}

func TestParse(t *testing.T) {
	long := []int32{}
	for v := range int32(40000) {
		long = append(long, -v-1)
	}
	for _, c := range []struct {
		name, text string
		binary     bool
		want       []step
	}{
		{"nothing", "", false, nil},
		{"comments alone", "c a\n\n  c b", false, nil},
		{"lemmas and deletions", "1 -2 0\nd 1 -2 0\n0\n", false, []step{{false, []int32{1, -2}}, {true, []int32{1, -2}}, {false, nil}}},
		{"no line end", "d 12 0", false, []step{{true, []int32{12}}}},
		{"blanks and lines", " \t1\r\n\n-2 0 3 0\nd\n4\n0", false, []step{{false, []int32{1, -2}}, {false, []int32{3}}, {true, []int32{4}}}},
		{"comments with any bytes", "c a\xff\x01 0\n1 0\ncomment\nd 1 0\nc", false, []step{{false, []int32{1}}, {true, []int32{1}}}},
		{"the largest variable", "2147483647 -2147483647 0", false, []step{{false, []int32{2147483647, -2147483647}}}},
		{"binary", "a\x02\x05\x00d\x02\x05\x00a\x00", true, []step{{false, []int32{1, -2}}, {true, []int32{1, -2}}, {false, nil}}},
		// drat-trim takes this for text: its first twelve bytes could be.
		{"binary deletion first", "d 1 1 1 1 1 1 1\x00a\x00", true, []step{{true, []int32{16, -24, 16, -24, 16, -24, 16, -24, 16, -24, 16, -24, 16, -24}}, {false, nil}}},
		{"binary, largest variable", "a\xfe\xff\xff\xff\x0f\xff\xff\xff\xff\x0f\x00", true, []step{{false, []int32{2147483647, -2147483647}}}},
		{"a clause longer than the buffer", text([]step{{false, long}}), false, []step{{false, long}}},
		{"the same in binary", binary([]step{{false, long}}), true, []step{{false, long}}},
	} {
		for _, r := range []io.Reader{strings.NewReader(c.text), iotest.OneByteReader(strings.NewReader(c.text)), iotest.DataErrReader(strings.NewReader(c.text))} {
			got, p, err := parse(r)
			if err != nil || p.binary != c.binary || len(got) != len(c.want) {
				t.Errorf("%s: binary %v, %v, error %v", c.name, p.binary, got, err)
				break
			}
			for i := range got {
				if got[i].deletion != c.want[i].deletion || !slices.Equal(got[i].clause, c.want[i].clause) {
					t.Errorf("%s: step %d is %v", c.name, i+1, got[i])
				}
			}
		}
	}
}

// What is written is read again, in both formats.
func TestParseAgain(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 4))
		var want []step
		for range r.IntN(20) {
			want = append(want, step{r.IntN(2) == 0, randomClause(r, 1+r.IntN(1<<uint(1+r.IntN(30))), 0, 9)})
		}
		for i, p := range []string{text(want), binary(want)} {
			got, parser, err := parse(strings.NewReader(p))
			if err != nil || parser.binary != (i == 1) && len(want) > 0 || len(got) != len(want) {
				t.Fatalf("seed %d: %v, %v, %v", seed, got, parser.binary, err)
			}
			for i := range got {
				if got[i].deletion != want[i].deletion || !slices.Equal(got[i].clause, want[i].clause) {
					t.Fatalf("seed %d: step %d is %v, not %v", seed, i+1, got[i], want[i])
				}
			}
		}
	}
}

// Every bad proof is refused in one line that names the proof, the place and what
// was expected.
func TestRefusesBadInput(t *testing.T) {
	packed := gzipped("1 0\n" + strings.Repeat("c filler\n", 1000))
	frame := zstded("1 0\n" + strings.Repeat("c filler\n", 1000))
	for _, c := range []struct{ name, proof, want string }{
		{"a formula", "c x\np cnf 1 1\n1 0\n", `p:2: found "p": expected a literal or 0; at the beginning of a step also d or c`},
		{"no end of a clause", "1 0\n1 -2\n", `p:3: the proof ends within a clause: expected a literal or 0`},
		{"no end of a deletion", "d 1", `p:1: the proof ends within a clause`},
		{"d alone", "1 0\nd", `p:2: the proof ends within a clause`},
		{"glued d", "d1 0", `p:1: found "d1": expected a blank after d`},
		{"a word", "1 0\n\n1 two 0", `p:3: found "two": expected a literal or 0`},
		{"a digit and a word", "1 -2x 0", `p:1: found "-2x": expected a literal or 0`},
		{"lines after d", "d\n\n1 x 0", `p:3: found "x": expected`},
		{"a bare sign", "1 - 0", `p:1: found "-": expected a literal or 0`},
		{"d within a clause", "1 d 0", `p:1: found "d": expected`},
		{"a comment within a clause", "1\nc 2\n0", `p:2: found "c": expected`},
		{"a large variable", "1 2147483648 0", `p:1: variable 2147483648… is out of range: expected 1 to 2147483647`},
		{"a huge number", "-" + strings.Repeat("9", 1000) + " 0", `p:1: variable 9999999999… is out of range`},
		{"junk", "\x7fELF\x00\x01", `p:1: found "\\x7fELF\\x00\\x01": expected`},
		{"a bad binary step", "a\x02\x00b\x02\x00", `p: byte 4: found the byte 0x62: expected 'a' or 'd'`},
		{"literal code 1", "a\x01\x00", `p: byte 2: literal code 1 is out of range: expected 2v or 2v\+1`},
		{"a large binary variable", "a\xff\xff\xff\xff\x1f\x00", `literal code 8589934591 is out of range`},
		{"a long binary number", "a\x82\x80\x80\x80\x80\x80\x00", `p: byte 6: a literal has more than 5 bytes`},
		{"binary, cut short", "a\x02\x00a\x04", `p: byte 5: the proof ends within a clause`},
		{"truncated gzip", packed[:len(packed)-10], `the gzip data is truncated`},
		{"gzip magic alone", packed[:3], `p: the gzip data is truncated`},
		{"damaged gzip", packed[:len(packed)-5] + "\x00" + packed[len(packed)-4:], `the gzip data is damaged`},
		{"truncated zstd", frame[:len(frame)-3], `the zstd data is truncated`},
		{"damaged zstd", frame[:6] + "\xff\xff\xff" + frame[9:], `the zstd data is`},
	} {
		_, err := Check(slices.All([][]int32{{1, 2}, {-1, 2}}), strings.NewReader(c.proof), "p", Options{})
		if err == nil || strings.Contains(err.Error(), "\n") || !regexp.MustCompile("^p:.*").MatchString(err.Error()) {
			t.Errorf("%s: %v", c.name, err)
		} else if !regexp.MustCompile(c.want).MatchString(err.Error()) {
			t.Errorf("%s: %v\nwant %s", c.name, err, c.want)
		}
	}
}

func TestReadErrors(t *testing.T) {
	bad := errors.New("the disk is on fire")
	for _, start := range []string{"", "1 2", "1 2 0\n", "a\x02"} {
		in := io.MultiReader(strings.NewReader(start), iotest.ErrReader(bad))
		if _, err := Check(slices.All([][]int32{{1, 2}, {-1, 2}}), in, "p", Options{}); !errors.Is(err, bad) {
			t.Errorf("after %q: %v", start, err)
		}
	}
}

func gzipped(s string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write([]byte(s))
	w.Close()
	return b.String()
}

func zstded(s string) string {
	w, _ := zstd.NewWriter(nil)
	return string(w.EncodeAll([]byte(s), nil))
}

// Compressed proofs are found out by their first bytes.
func TestCompressed(t *testing.T) {
	formula := pigeonhole(4)
	proof := prove(formula, 20, 4)
	for _, plain := range []string{text(proof), binary(proof)} {
		want := check(t, formula, plain)
		for name, pack := range map[string]func(string) string{"gzip": gzipped, "zstd": zstded} {
			if got := check(t, formula, pack(plain)); !reflect.DeepEqual(got, want) || !got.Verified {
				t.Errorf("%s: %+v, not %+v", name, got, want)
			}
		}
	}
}

// Memory follows what is in the proof, not the numbers in it.
func TestMemory(t *testing.T) {
	formula := [][]int32{{1, 2}, {-1, 2}, {1, -2}, {-1, -2}}
	lemmas := strings.Repeat("1 2 1000000 0\nd 1 2 1000000 0\n", 1<<16)
	for _, c := range []struct{ name, proof string }{
		{"a large variable", "2147483647 2147483646 -2147483645 0\n"},
		{"a large binary variable", "a\xfe\xff\xff\xff\x0f\xff\xff\xff\xff\x0f\x00"},
		{"a million of zeros", strings.Repeat("0", 1<<20)},
		{"lemmas that are deleted again", lemmas},
		{"the same, compressed", gzipped(lemmas)},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		Check(slices.All(formula), strings.NewReader(c.proof), "p", Options{})
		runtime.ReadMemStats(&after)
		if used := after.TotalAlloc - before.TotalAlloc; used > 2<<20 {
			t.Errorf("%s: %d bytes", c.name, used)
		}
	}
}
