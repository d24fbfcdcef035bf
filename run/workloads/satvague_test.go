package workloads

import (
	"math"
	"testing"
)

// A vague estimate is not used: the other tree is taken if it has a sound one, and otherwise no tree.
func TestSoundTree(t *testing.T) {
	vague, sound := &Guess{Seconds: 10, Dives: fewDives - 1}, &Guess{Seconds: 60, Dives: fewDives}
	uneven, many := &Guess{Seconds: 10, Dives: manyDives - 1, spread: 1}, &Guess{Seconds: 10, Dives: manyDives, spread: 1}
	for _, c := range []struct {
		plain, lookahead *Guess
		rule             string
		seconds          float64
	}{
		{vague, sound, lookaheadRule, 60},
		{sound, vague, plainRule, 60},
		{uneven, sound, lookaheadRule, 60},
		{many, sound, plainRule, 30},
		{vague, nil, plainRule, math.Inf(1)},
		{vague, uneven, plainRule, math.Inf(1)},
	} {
		chooser := &chooser{Picked: &Picked{Plain: c.plain, Lookahead: c.lookahead}}
		if rule, seconds := chooser.soundTree(); rule != c.rule || seconds != c.seconds {
			t.Errorf("plain %+v, lookahead %+v: %s, %v s; want %s, %v s", c.plain, c.lookahead, rule, seconds, c.rule, c.seconds)
		}
	}
}
