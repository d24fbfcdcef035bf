package sweep

import (
	"maps"
	"testing"
)

// The commit is known also for programs of scripts/build, which gives it to the linker.
func TestStampedCommit(t *testing.T) {
	for ldflags, want := range map[string]map[string]string{
		"-X treesplit/cli.commit=1ab":             {"vcs.revision": "1ab", "vcs.modified": "false"},
		"-s -X treesplit/cli.commit=1ab-dirty -w": {"vcs.revision": "1ab", "vcs.modified": "true"},
		"-X treesplit/cli.commit=":                {},
		"-s -w":                                   {},
	} {
		b := Build{Settings: map[string]string{}}
		if b.readCommit(ldflags); !maps.Equal(b.Settings, want) {
			t.Errorf("%q: %v, want %v", ldflags, b.Settings, want)
		}
	}
}
