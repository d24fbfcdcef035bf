package cli

import (
	"testing"
	"time"

	"github.com/spf13/cobra"
)

// The watchdog waits for a mapping on rank 0: with --time 0 as long as it takes, unless --stall limits it.
func TestObjectsStall(t *testing.T) {
	for _, c := range []struct {
		args []string
		want time.Duration
	}{
		{nil, time.Minute + time.Second},
		{[]string{"--time", "2s", "--stall", "5s"}, 7 * time.Second},
		{[]string{"--time", "2000000h", "--stall", "1000000h"}, 1<<63 - 1},
		{[]string{"--time", "0"}, 0},
		{[]string{"--time", "0", "--stall", "5s"}, 5 * time.Second},
		{[]string{"--stall", "0"}, 0},
		{[]string{"--strategy", "stay"}, time.Minute},
	} {
		cmd, f := &cobra.Command{}, objectsFlags{searchFlags: newSearchFlags()}
		f.addObjectFlags(cmd)
		f.addRunFlags(cmd.Flags())
		if err := cmd.ParseFlags(c.args); err != nil {
			t.Fatal(err)
		}
		j, err := f.parse(nil)
		if err != nil || j.plan.Stall != c.want {
			t.Errorf("%v: the watchdog waits for %v, %v, want %v", c.args, j.plan.Stall, err, c.want)
		}
	}
}
