package checkpoint

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"pgregory.net/rapid"

	"treesplit/run"
)

// some returns a state with a value in every field.
func some(tag string) *run.Checkpoint {
	return &run.Checkpoint{
		Header: run.Header{
			Identity: "a search " + tag, Bound: math.MaxInt64, Seconds: 1.5, Sessions: 2, Version: "x",
			Steps:  []run.SavedStep{{Sums: []int64{1, 2}, Maxima: []int64{3}, Seconds: 0.25, Witness: []byte{0, 255}}},
			Step:   run.SavedStep{Sums: []int64{4, 5}, Maxima: []int64{math.MinInt64}},
			Totals: run.Totals{Expanded: 6, Messages: 7},
		},
		Pieces: [][]byte{{1}, {}, []byte(tag)},
	}
}

func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := some(rapid.String().Draw(t, "tag"))
		s.Pieces = rapid.SliceOfN(rapid.SliceOfN(rapid.Byte(), 0, 9), 0, 20).Draw(t, "pieces")
		data, err := Encode(s)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Decode(data)
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Pieces) != len(s.Pieces) || !reflect.DeepEqual(got.Header, s.Header) {
			t.Fatalf("%+v, want %+v", got, s)
		}
		for i, p := range s.Pieces {
			if !bytes.Equal(got.Pieces[i], p) {
				t.Fatalf("piece %d: %x, want %x", i, got.Pieces[i], p)
			}
		}
	})
}

// A file is refused if it was cut short at any byte or if any byte has changed.
func TestDamaged(t *testing.T) {
	data, err := Encode(some("tag"))
	if err != nil {
		t.Fatal(err)
	}
	for i := range data {
		if _, err := Decode(data[:i]); err == nil {
			t.Errorf("accepted after %d of %d bytes", i, len(data))
		}
		other := bytes.Clone(data)
		other[i] ^= 1
		if _, err := Decode(other); err == nil {
			t.Errorf("accepted with byte %d of %d changed", i, len(data))
		}
	}
}

// A file with the right checksum is refused if its contents are invalid.
func TestSenseless(t *testing.T) {
	list := func(s *run.Checkpoint) []byte {
		plain, err := encodeState(nil, s)
		if err != nil {
			t.Fatal(err)
		}
		return plain
	}
	negative, none := some(""), some("")
	negative.Totals.Grants = -1
	none.Sessions = 0
	for what, plain := range map[string][]byte{
		"nothing": {}, "no list": {0}, "no header": {0xf0, 0}, "no JSON": {0xf0, 1, 1, '}'},
		"more pieces than bytes": {0xf0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f},
		"a long piece":           {0xf0, 1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f},
		"bytes left over":        append(list(some("")), 0),
		"a negative number":      list(negative), "no runs": list(none),
		"more than there may be": make([]byte, 64<<20),
	} {
		if _, err := Decode(seal(t, plain)); err == nil {
			t.Errorf("accepted: %s", what)
		}
	}
}

// seal returns a file with the right checksum.
func seal(t testing.TB, plain []byte) []byte {
	z, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return sum(z.EncodeAll(plain, []byte(magic)))
}

func saved(t *testing.T, path, tag string) {
	t.Helper()
	if err := Save(path, some(tag)); err != nil {
		t.Fatal(err)
	}
}

func loaded(t *testing.T, path, tag string, damaged bool) {
	t.Helper()
	s, damage, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if want := some(tag).Identity; s.Identity != want || (damage != nil) != damaged {
		t.Fatalf("%q, want %q; damage %v", s.Identity, want, damage)
	}
	if damaged && !strings.Contains(damage.Error(), Previous(path)) {
		t.Errorf("%v does not name the file that was taken", damage)
	}
}

// Whatever remains of the newest file, one checkpoint can be resumed. A damaged file never
// replaces the previous one.
func TestPrevious(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c")
	if _, _, err := Load(path); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("no file: %v", err)
	}
	saved(t, path, "1")
	loaded(t, path, "1", false)
	saved(t, path, "2")
	loaded(t, path, "2", false)
	for length := range int64(40) {
		if err := os.Truncate(path, length); err != nil {
			t.Fatal(err)
		}
		loaded(t, path, "1", true)
	}
	saved(t, path, "3")
	loaded(t, path, "3", false)
	os.Remove(path) // as between two renames
	loaded(t, path, "1", true)
	saved(t, path, "4")
	saved(t, path, "5")
	os.Remove(path)
	loaded(t, path, "4", true)
	os.Remove(Previous(path))
	if _, _, err := Load(path); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("no file: %v", err)
	}
	if err := Save(filepath.Join(t.TempDir(), "no", "folder"), some("")); err == nil {
		t.Error("saved where there is no folder")
	}
}

// FuzzDecode must not panic or use more memory than the size of the file allows. A file that it
// accepts is written again with the same contents.
func FuzzDecode(f *testing.F) {
	plain, err := encodeState(nil, some("tag"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(plain, true)
	f.Add([]byte{0xf0, 0}, true)
	f.Add([]byte(magic), false)
	f.Fuzz(func(t *testing.T, data []byte, whole bool) {
		if whole {
			data = seal(t, data)
		}
		s, err := Decode(data)
		if err != nil {
			return
		}
		again, err := Encode(s)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := Decode(again); err != nil || !reflect.DeepEqual(got, s) {
			t.Fatalf("%+v, %v, want %+v", got, err, s)
		}
	})
}

// Saving a million open nodes takes at most two seconds (go test -bench; docs/checkpoints.md).
func BenchmarkSaveMillion(b *testing.B) {
	s := some("")
	for i := range 1 << 20 {
		p := make([]byte, 24)
		for j := range p {
			p[j] = byte(i * (j + 7) >> (j % 5))
		}
		s.Pieces = append(s.Pieces, p)
	}
	path := filepath.Join(b.TempDir(), "c")
	for b.Loop() {
		if err := Save(path, s); err != nil {
			b.Fatal(err)
		}
	}
}

// Names that are not names of files are refused: also of an open file, which would be renamed.
func TestNamesOfNoFile(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(dir, "link")
	if err := os.Symlink("/dev/stdout", link); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/dev/null", "/dev/stdout", "/dev/stderr", "/dev/fd/1", "/proc/self/fd/77", link, dir} {
		if found, err := Find(path); err == nil || err.Error() != path+": expected the name of a file" {
			t.Errorf("%s: %v, %v", path, found, err)
		}
	}
	for _, path := range []string{filepath.Join(dir, "later"), filepath.Join(dir, "no", "later")} {
		if found, err := Find(path); err != nil || found != nil {
			t.Errorf("%s: %v, %v", path, found, err)
		}
	}
}

// The name of a checkpoint that is a link is tried where Save writes it: beside the link.
func TestTryOfLink(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(dir, "link")
	if err := os.Symlink(filepath.Join(dir, "no", "later"), link); err != nil {
		t.Fatal(err)
	}
	if err := Try(link); err != nil {
		t.Error(err)
	}
	if err := Save(link, some("tag")); err != nil {
		t.Error(err)
	}
	if err := Try(filepath.Join(dir, "no", "later")); err == nil {
		t.Error("expected an error of a missing folder")
	}
}

// A checkpoint is saved in the folder that the system finds, if ".." follows a link.
func TestSaveBehindParents(t *testing.T) {
	dir := t.TempDir()
	for _, made := range []error{os.MkdirAll(filepath.Join(dir, "a", "b"), 0o755), os.Symlink(filepath.Join("a", "b"), filepath.Join(dir, "link"))} {
		if made != nil {
			t.Fatal(made)
		}
	}
	if err := Save(dir+"/link/../c", some("tag")); err != nil {
		t.Fatal(err)
	}
	if _, _, err := Load(filepath.Join(dir, "a", "c")); err != nil {
		t.Error(err)
	}
}
