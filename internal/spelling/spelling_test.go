package spelling

import "testing"

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "ab", 2}, {"ab", "ba", 1}, {"kitten", "sitting", 3}, {"ca", "abc", 3}, {"rp", "rp", 0}} {
		if d := distance(c.a, c.b); d != c.want {
			t.Errorf("distance(%q, %q) = %d, want %d", c.a, c.b, d, c.want)
		}
	}
}
