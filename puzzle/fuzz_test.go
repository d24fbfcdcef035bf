package puzzle

import (
	"strings"
	"testing"
)

// FuzzParse: a board that is read is written as text that gives the same board; sizes, paths
// and boards that are none are refused.
func FuzzParse(f *testing.F) {
	f.Add("14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3", "", "")
	f.Add("0,1,2,3,4,5", "2x3", "ULDR")
	f.Add("1 0 0 2", "9x9", "X")
	f.Add("-1 99999999999999999999 1 2", "0×0", "\xff")
	f.Fuzz(func(t *testing.T, tiles, size, path string) {
		s, err := ParseSize(size)
		if err != nil {
			s = Size{}
		} else if again, err := ParseSize(s.String()); err != nil || again != s {
			t.Fatalf("size %q is %v, and again %v, %v", size, s, again, err)
		}
		if moves, err := ParsePath(path); err == nil && FormatPath(moves) != path {
			t.Fatalf("path %q is written as %q", path, FormatPath(moves))
		}
		b, err := ParseBoard(tiles, s, BlankFirst)
		if err != nil {
			if strings.TrimSpace(err.Error()) == "" {
				t.Fatal("an error that says nothing")
			}
			return
		}
		if again, err := ParseBoard(b.String(), b.Size(), BlankFirst); err != nil || again != b {
			t.Fatalf("%q is %v, and again %v, %v", tiles, b, again, err)
		}
		_ = b.CheckSolvable()
	})
}
