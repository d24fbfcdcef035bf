package run

import (
	"strings"
	"testing"
)

// The error names the first difference between two ranks.
func TestStartedCompare(t *testing.T) {
	own := Started{Build: "1", Command: "treesplit uts", Arguments: []string{"a"}, Flags: map[string]string{"tree": "T1", "seed": "1"}}
	for want, change := range map[string]func(s *Started){
		"":                           func(*Started) {},
		"rank 3 was started as 2":    func(s *Started) { s.Build = "2" },
		`as "treesplit sat", rank 0`: func(s *Started) { s.Command = "treesplit sat" },
		`with ["b"], rank 0 with`:    func(s *Started) { s.Arguments = []string{"b"} },
		`with --tree "T2", rank 0`:   func(s *Started) { s.Flags = map[string]string{"tree": "T2", "seed": "1"} },
		"without --seed, rank 0":     func(s *Started) { s.Flags = map[string]string{"tree": "T1"} },
		"rank 3: bad flag":           func(s *Started) { s.Command, s.Flags, s.Failed = "", nil, "bad flag" },
	} {
		other := own
		change(&other)
		err := own.compareStarts(3, &other)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
