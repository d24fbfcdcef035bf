package e2e

import (
	"slices"
	"testing"
)

// Ranks that were started in different ways refuse to run, with one line that names the
// difference and the rank.
func TestStartedDifferently(t *testing.T) {
	t.Parallel()
	inEachWorld(t, libraries, func(t *testing.T, l library) {
		for _, c := range []struct {
			own, other []string
			want       string
		}{
			{[]string{"uts", "--tree", "T3"}, []string{"uts", "--tree", "T1"}, `rank 1 was started with --tree "T1", rank 0 with --tree "T3"`},
			{[]string{"uts", "--tree", "T3"}, []string{"gen", "php"}, `rank 1 was started as "treesplit gen php", rank 0 as "treesplit uts"`},
			{[]string{"uts", "--tree", "T3"}, []string{"uts", "--nosuch"}, "rank 1: uts: unknown flag: --nosuch"},
			{[]string{"sat", "../testdata/php4.cnf"}, []string{"sat", "../testdata/php6.cnf"}, `rank 1 was started with ["../testdata/php6.cnf"]`},
		} {
			program := treesplit(t, l)
			args := slices.Concat(l.launch(1), l.hasty(), []string{program}, c.own, []string{":", "-n", "1", program}, c.other)
			refused(t, run(t, "", args...), c.want)
		}
	})
}
