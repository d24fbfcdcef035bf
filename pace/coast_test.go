package pace

import (
	"math/rand/v2"
	"testing"

	"treesplit/comm"
)

// mailClock is a clock of a rank to which messages are sent at given moments.
type mailClock struct {
	fakeClock
	mail []comm.Time
}

// Await ends when a message is there.
func (c *mailClock) Await(until comm.Time) {
	if len(c.mail) > 0 && c.mail[0] < until {
		c.now = max(c.now, c.mail[0])
		return
	}
	c.Sleep(until)
}

// work expands nodes in quanta of two and returns the moments of the polls that find the messages. A rank that
// coasts does so for at most 100 quanta.
func (c *mailClock) work(p *Pacer, nodes int, coasts bool) (found []comm.Time) {
	for nodes > 0 {
		quanta := int64(1)
		if coasts {
			quanta = p.Coast(2, int64(min(nodes/2, 100)), c.now+50e6)
		}
		for range quanta {
			p.begin()
			p.pay(2, false)
			p.Settle(2, c.now)
			nodes -= 2
		}
		for len(c.mail) > 0 && c.mail[0] <= c.now {
			found = append(found, c.now)
			c.mail = c.mail[1:]
		}
	}
	return found
}

// A rank that coasts finds each message at the same poll as a rank that waits after each quantum, or earlier by
// less than the shortest wait. Its nodes take the same time.
func TestCoastingFindsMessagesAtTheSamePolls(t *testing.T) {
	const nodes = 2000
	r := rand.New(rand.NewPCG(1, 2))
	rate := Rate{Node: 1e6, Poll: 70e3}
	for range 200 {
		var mail []comm.Time
		for at := comm.Time(0); at < nodes*1e6; at += comm.Time(r.ExpFloat64() * 40e6) {
			mail = append(mail, at)
		}
		step, coast := &mailClock{mail: mail}, &mailClock{mail: mail}
		want := step.work(New(rate, 0, 1, step, nil), nodes, false)
		got := coast.work(New(rate, 0, 1, coast, nil), nodes, true)
		if len(got) != len(want) || len(got) != len(mail) {
			t.Fatalf("%d and %d of %d messages were found", len(got), len(want), len(mail))
		}
		for i := range got {
			if early := want[i] - got[i]; early < 0 || early >= leastWait {
				t.Fatalf("the message of %v is found at %v, want %v", mail[i].Duration(), got[i].Duration(), want[i].Duration())
			}
		}
		if early := step.now - coast.now; early < 0 || early >= leastWait {
			t.Fatalf("%d nodes take %v, want %v", nodes, coast.now.Duration(), step.now.Duration())
		}
		if most := 2*len(mail) + nodes/50 + 2; coast.sleeps > most {
			t.Fatalf("the rank has slept %d times for %d messages, want at most %d times", coast.sleeps, len(mail), most)
		}
	}
}

// Waits that end late make the time of the nodes no longer.
func TestCoastingIsExact(t *testing.T) {
	const late = 70_000
	c := &mailClock{fakeClock: fakeClock{late: late}}
	p := New(Rate{Node: 105e3}, 0, 1, c, nil)
	c.work(p, 20_000, true)
	if off := c.now - 20_000*105e3; off < 0 || off > late {
		t.Errorf("20,000 nodes of 105 µs take %v too long, want 0 to %v", off.Duration(), comm.Time(late).Duration())
	}
	if h := p.Honesty(); h.Largest != late {
		t.Errorf("the latest wait has ended %v late, want %v", h.Largest.Duration(), comm.Time(late).Duration())
	}
}

// A rank does not coast if it cannot know when its nodes end, or cannot wait for messages.
func TestSomeRanksDoNotCoast(t *testing.T) {
	if n := New(Rate{Node: 1e6, Jitter: 0.1}, 0, 1, &mailClock{}, nil).Coast(2, 100, 1e9); n != 1 {
		t.Errorf("a rank with jitter coasts for %d quanta", n)
	}
	if n := New(Rate{Node: 1e6}, 0, 1, &fakeClock{}, nil).Coast(2, 100, 1e9); n != 1 {
		t.Errorf("a rank that cannot wait for messages coasts for %d quanta", n)
	}
}
