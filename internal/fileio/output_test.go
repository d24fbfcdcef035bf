package fileio

import (
	"bytes"
	"io"
	"strings"
	"testing"
)

// An output is compressed as its name says, or the name is refused.
func TestOutputs(t *testing.T) {
	for _, name := range []string{"f.cnf", "f.cnf.gz", "f.cnf.zst"} {
		if err := CheckOutput(name, Written...); err != nil {
			t.Error(err)
		}
		data := compress(t, formula, func(w io.Writer) (io.WriteCloser, error) { return NewCompressor(name, w) })
		if got, err := readAll(strings.NewReader(data), some); err != nil || got != formula || (data == formula) != (name == "f.cnf") {
			t.Errorf("%s: %q, which is read as %q, %v", name, data, got, err)
		}
	}
	for _, name := range []string{"f.xz", "dir/f.cnf.bz2", "f.br", "f.Z", "f.GZ", "f.7z"} {
		if err := CheckOutput(name, Written...); err == nil || !strings.Contains(err.Error(), name+": ") || !strings.Contains(err.Error(), ".gz or .zst") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := CheckOutput("progress.gz"); err == nil || !strings.Contains(err.Error(), "expected a name without .gz") {
		t.Error(err)
	}
	if err := CheckOutput("gz"); err != nil {
		t.Error(err)
	}
}

// Whatever is read, nothing panics, and what is read twice is the same.
func FuzzText(f *testing.F) {
	for _, s := range []string{formula, byteOrderMark + formula, gzipped(f, formula), zstandard(f, formula), unhex(f, formulaBzip2), xzed(f, formula)} {
		f.Add([]byte(s))
	}
	for _, s := range formulaXZ {
		f.Add([]byte(unhex(f, s)))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		limit := Limit{1 << 20, "a formula"}
		a, err := readAll(bytes.NewReader(data), limit)
		if len(a) > 1<<20 {
			t.Fatalf("%d bytes", len(a))
		}
		b, again := readAll(bytes.NewReader(data), limit)
		if a != b || (err == nil) != (again == nil) {
			t.Fatalf("%q, %v, and then %q, %v", a, err, b, again)
		}
	})
}
