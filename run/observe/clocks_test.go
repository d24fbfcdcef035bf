package observe

import (
	"sync"
	"testing"

	"treesplit/comm"
	"treesplit/local"
)

// skewed is a rank whose clock is ahead.
type skewed struct {
	*local.Endpoint
	ahead comm.Time
}

func (s skewed) Now() comm.Time { return s.Endpoint.Now() + s.ahead }

// Ranks whose clocks differ by known offsets find these offsets, within the uncertainty that they
// report.
func TestAlignClocks(t *testing.T) {
	truth := []comm.Time{4e9, 1, -7e12, 33e9, 4e9}
	var found clocks
	var wg sync.WaitGroup
	for rank, e := range local.New(len(truth)) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			c, err := alignClocks(skewed{e, truth[rank]})
			if err != nil {
				e.World().FailAllRanks(err)
				t.Error(err)
			}
			if rank == 0 {
				found = c
			}
		}()
	}
	wg.Wait()
	for rank, ahead := range truth {
		if off := found.rankOffset(rank) - (ahead - truth[0]); off > found.within || off < -found.within {
			t.Errorf("rank %d: %d ahead, said to be %d to within %d", rank, ahead-truth[0], found.rankOffset(rank), found.within)
		}
	}
}

// However clocks differ, the offsets from the meetings are right within the reported uncertainty.
func TestClocks(t *testing.T) {
	truth := []comm.Time{0, 5e9, -3e9, 7}
	all := make([]*meetings, len(truth))
	for rank, ahead := range truth {
		all[rank] = new(meetings)
		for i := range alignRounds {
			// by rank 0's clock the last rank comes to meeting i at 1000·i + 100; no rank leaves before
			came, left := comm.Time(1000*i+rank*7%100), comm.Time(1000*i+100+(i*rank*31)%400)
			all[rank].Came[i], all[rank].Left[i] = came+ahead, left+ahead
		}
	}
	c := compareClocks(all)
	for rank, want := range truth {
		if off := c.rankOffset(rank) - want; off > c.within || off < -c.within {
			t.Errorf("rank %d: %d ahead, said to be %d to within %d", rank, want, c.rankOffset(rank), c.within)
		}
	}
	if c.within < 1 || c.within > 150 {
		t.Errorf("to within %d", c.within)
	}
}
