package fileio

import (
	"bytes"
	"encoding/hex"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"
)

const formula = "c two clauses\np cnf 2 2\n1 -2 0\n2 0\n"

// formulaBzip2 is the formula by bzip2, formulaXZ by xz with each check, the last in three
// blocks.
const formulaBzip2 = "425a6839314159265359c2bfec7e00000ad9800010400270002b05ce8020002213d464646468534c8c4c4c44c14adcde276c6d67020027952a4ed67d5f177245385090c2bfec7e"

var formulaXZ = []string{
	"fd377a585a000000ff12d9410200210100000000372797d6010022632074776f20636c61757365730a7020636e66203220320a31202d3220300a3220300a00000001332369a18a7606729e7a010000000000595a",
	"fd377a585a0000016922de360200210100000000372797d6010022632074776f20636c61757365730a7020636e66203220320a31202d3220300a3220300a00009c8f84c0000137236d64e6129042990d010000000001595a",
	"fd377a585a000004e6d6b4460200210100000000372797d6010022632074776f20636c61757365730a7020636e66203220320a31202d3220300a3220300a000052110c5460e659e800013b23612b53be1fb6f37d010000000004595a",
	"fd377a585a00000ae1fb0ca10200210100000000372797d6010022632074776f20636c61757365730a7020636e66203220320a31202d3220300a3220300a000042a2d80a1be3d48bcfab56f77bd2ed5176f619d4bc64cd040ea0796120ef92a900015323ceca7713189b4b9a01000000000a595a",
	"fd377a585a000004e6d6b4460200210100000000372797d601000f632074776f20636c61757365730a70200013af99d5a47719630200210100000000372797d601000f636e66203220320a31202d3220300a320095c2503747c019e90200210100000000372797d601000220300a0000d8e281682b58d6b10003281028101b03ac6b4a96b1c467fb020000000004595a",
}

func unhex(t testing.TB, s string) string {
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// compress compresses a text with an encoder.
func compress[W io.WriteCloser](t testing.TB, text string, open func(w io.Writer) (W, error)) string {
	t.Helper()
	var b bytes.Buffer
	w, err := open(&b)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func gzipped(t testing.TB, text string) string {
	return compress(t, text, func(w io.Writer) (*gzip.Writer, error) { return gzip.NewWriter(w), nil })
}

func zstandard(t testing.TB, text string) string {
	return compress(t, text, func(w io.Writer) (*zstd.Encoder, error) { return zstd.NewWriter(w) })
}

func xzed(t testing.TB, text string) string {
	return compress(t, text, func(w io.Writer) (*xz.Writer, error) { return xz.NewWriter(w) })
}

// some is a limit that no test's text exceeds.
var some = Limit{1 << 40, "a formula"}

func readAll(r io.Reader, l Limit) (string, error) {
	text, err := NewTextReader(r, l)
	if err != nil {
		return "", err
	}
	defer text.Close()
	data, err := io.ReadAll(text)
	return string(data), err
}

// Every compression is recognised by its first bytes, and a byte order mark is skipped.
func TestText(t *testing.T) {
	for name, data := range map[string]string{
		"plain":              formula,
		"byte order mark":    byteOrderMark + formula,
		"gzip":               gzipped(t, formula),
		"gzip, twice":        gzipped(t, formula[:10]) + gzipped(t, formula[10:]),
		"gzip, mark":         gzipped(t, byteOrderMark+formula),
		"zstd":               zstandard(t, formula),
		"bzip2":              unhex(t, formulaBzip2),
		"xz, no check":       unhex(t, formulaXZ[0]),
		"xz, CRC-32":         unhex(t, formulaXZ[1]),
		"xz, CRC-64":         unhex(t, formulaXZ[2]),
		"xz, SHA-256":        unhex(t, formulaXZ[3]),
		"xz in blocks":       unhex(t, formulaXZ[4]),
		"xz by a library":    xzed(t, formula),
		"xz, two and blanks": xzed(t, formula[:10]) + "\x00\x00\x00\x00" + xzed(t, formula[10:]),
	} {
		for _, r := range []io.Reader{strings.NewReader(data), iotest.OneByteReader(strings.NewReader(data)), iotest.DataErrReader(strings.NewReader(data))} {
			if got, err := readAll(r, some); err != nil || got != formula {
				t.Errorf("%s: %q, %v", name, got, err)
			}
		}
	}
	for _, plain := range []string{"", "B", "BZh", "BZh9 is a text", "\xef\xbb", "\xfd7zX"} {
		if got, err := readAll(strings.NewReader(plain), some); err != nil || got != plain {
			t.Errorf("%q was read as %q, %v", plain, got, err)
		}
	}
}

// Data that were cut or changed anywhere are an error, or else give the same text (a header
// has bytes that do not matter); nothing panics.
func TestDamage(t *testing.T) {
	for name, data := range map[string]string{
		"gzip": gzipped(t, formula), "zstd": zstandard(t, formula), "bzip2": unhex(t, formulaBzip2),
		"xz": unhex(t, formulaXZ[2]), "xz, SHA-256": unhex(t, formulaXZ[3]), "xz in blocks": unhex(t, formulaXZ[4]),
	} {
		whole, err := readAll(strings.NewReader(data), some)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for n := 10; n < len(data); n++ {
			if got, err := readAll(strings.NewReader(data[:n]), some); err == nil {
				t.Errorf("%s, %d of %d bytes: %q and no error", name, n, len(data), got)
			} else if name != "bzip2" && (!errors.Is(err, io.ErrUnexpectedEOF) || !strings.Contains(err.Error(), "truncated")) {
				t.Errorf("%s, %d of %d bytes: %v: expected that it is truncated", name, n, len(data), err)
			}
		}
		for i := 10; i < len(data); i++ {
			bad := []byte(data)
			bad[i] ^= 1
			if got, err := readAll(bytes.NewReader(bad), some); err == nil && got != whole {
				t.Errorf("%s, byte %d changed: %q and no error", name, i, got)
			} else if err == nil && strings.HasPrefix(name, "xz") {
				t.Errorf("%s, byte %d changed: no error", name, i)
			}
		}
	}
}

// zeros is an endless text.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// An endless input, or one that becomes much larger, gives an error that names the limit. An
// input of exactly the limit gives none.
func TestLimits(t *testing.T) {
	limit := Limit{1 << 20, "a formula"}
	zero := strings.Repeat("\x00", 1<<20)
	for name, data := range map[string]string{"plain": zero, "gzip": gzipped(t, zero), "zstd": zstandard(t, zero), "xz": xzed(t, zero)} {
		if got, err := readAll(strings.NewReader(data), limit); err != nil || got != zero {
			t.Errorf("%s, as long as the limit: %d bytes, %v", name, len(got), err)
		}
	}
	for name, data := range map[string]string{"plain": zero + "0", "gzip": gzipped(t, zero+"0"), "zstd": zstandard(t, zero+"0"), "xz": xzed(t, zero+"0")} {
		if _, err := readAll(strings.NewReader(data), limit); err == nil || !strings.Contains(err.Error(), "larger than 1 MiB: expected a formula") {
			t.Errorf("%s, longer than the limit: %v", name, err)
		}
	}
	if _, err := readAll(zeros{}, limit); err == nil || !strings.Contains(err.Error(), "larger than 1 MiB") {
		t.Errorf("without an end: %v", err)
	}
	// Members that are empty say nothing, for ever.
	if _, err := readAll(&again{gzipped(t, ""), 0}, Limit{1, "a formula"}); err == nil || !strings.Contains(err.Error(), "gzip data larger than 1 bytes: expected a formula") {
		t.Errorf("empty members without an end: %v", err)
	}
	if n, err := io.Copy(io.Discard, LimitReader(zeros{}, limit)); n != 1<<20 || err == nil {
		t.Errorf("Limited: %d bytes, %v", n, err)
	}
	if n, err := io.Copy(io.Discard, LimitReader(strings.NewReader(zero), limit)); n != 1<<20 || err != nil {
		t.Errorf("Limited, as long as the limit: %d bytes, %v", n, err)
	}
}

// again is a text repeated without an end.
type again struct {
	text string
	at   int
}

func (a *again) Read(p []byte) (n int, err error) {
	for n < len(p) {
		k := copy(p[n:], a.text[a.at:])
		n += k
		a.at = (a.at + k) % len(a.text)
	}
	return n, nil
}

// Small data that become large are refused long before a large limit.
func TestBombs(t *testing.T) {
	const n = spacious + 24<<20
	bomb := compress(t, "", func(w io.Writer) (*zstd.Encoder, error) {
		z, err := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
		if err == nil {
			_, err = io.CopyN(z, zeros{}, n)
		}
		return z, err
	})
	got, err := NewTextReader(strings.NewReader(bomb), some)
	if err != nil {
		t.Fatal(err)
	}
	defer got.Close()
	if _, err := io.Copy(io.Discard, got); err == nil || !strings.Contains(err.Error(), "times as many") {
		t.Errorf("%d bytes of zstd data became %d: %v", len(bomb), n, err)
	}
	small := compress(t, "", func(w io.Writer) (*brotli.Writer, error) {
		z := brotli.NewWriter(w)
		_, err := io.CopyN(z, zeros{}, n)
		return z, err
	})
	if got, err = NewDecodedReader(strings.NewReader(small), some, "brotli", func(r io.Reader) io.Reader { return brotli.NewReader(r) }); err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, got); err == nil || !strings.Contains(err.Error(), "times as many") {
		t.Errorf("%d bytes of brotli data became %d: %v", len(small), n, err)
	}
}

// What a header asks for is not granted beyond a bound.
func TestWindows(t *testing.T) {
	// A dictionary of 4 GiB, in the header of a block.
	huge := unhex(t, "fd377a585a0000016922de360200210128000000e6a011b3010022632074776f20636c61757365730a7020636e66203220320a31202d3220300a3220300a00009c8f84c0000137236d64e6129042990d010000000001595a")
	if _, err := readAll(strings.NewReader(huge), some); err == nil || !strings.Contains(err.Error(), "expected at most 134217728") {
		t.Errorf("xz: %v", err)
	}
	// A window of 256 MiB, in the header of a frame.
	frame := "\x28\xb5\x2f\xfd\x00\x90\x01\x00\x00"
	if _, err := readAll(strings.NewReader(frame), some); err == nil || !strings.Contains(err.Error(), "window") {
		t.Errorf("zstd: %v", err)
	}
}

// An error of the input is not taken for damage.
func TestBrokenInput(t *testing.T) {
	for name, data := range map[string]string{"plain": formula, "gzip": gzipped(t, formula), "xz": xzed(t, formula)} {
		broken := io.MultiReader(strings.NewReader(data[:len(data)/2]), iotest.ErrReader(errors.New("the disk is on fire")))
		if _, err := readAll(broken, some); err == nil || !strings.Contains(err.Error(), "cannot read: the disk is on fire") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
