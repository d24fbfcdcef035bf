package cubes

import (
	"math/rand/v2"
	"strconv"
	"testing"
)

// ParseCut reads the text of a cut as the same cut.
func TestCutText(t *testing.T) {
	rng, texts := rand.New(rand.NewPCG(1, 2)), []string{"assigned=0", "free=0", "free=1234567", "difficulty=12.34567", "difficulty=1e9", "difficulty=5e-324"}
	for range 100 {
		for _, name := range MeasureNames() {
			texts = append(texts, name+"="+strconv.FormatFloat(1e3*rng.Float64(), 'e', -1, 64))
		}
	}
	for _, text := range texts {
		c, err := ParseCut(text)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := ParseCut(c.String()); again != c || err != nil {
			t.Errorf("%s: %v is read as %+v, %v; want %+v", text, c, again, err, c)
		}
	}
}

func TestWrongCuts(t *testing.T) {
	for _, text := range []string{"", "free", "free=", "=5", "free=-1", "assigned=NaN", "difficulty=Inf", "difficulty=-0.5", "free=1e999", "free=5 6", "depth=3"} {
		if c, err := ParseCut(text); err == nil {
			t.Errorf("%q is read as %+v", text, c)
		}
	}
}
