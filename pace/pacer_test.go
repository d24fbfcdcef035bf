package pace

import (
	"math"
	"testing"

	"treesplit/comm"
)

// fakeClock is a clock whose sleeps end late by a given time.
type fakeClock struct {
	now, late, longest comm.Time
	sleeps             int
	shortest           comm.Time
}

func (c *fakeClock) Now() comm.Time { return c.now }

func (c *fakeClock) Sleep(until comm.Time) {
	span := until - c.now
	if c.sleeps++; c.sleeps == 1 || span < c.shortest {
		c.shortest = span
	}
	c.longest = max(c.longest, span)
	c.now = until + c.late
}

// expand makes a rank expand nodes of a given real time in steps, and returns the time that passes.
func (c *fakeClock) expand(p *Pacer, steps, nodes int, real comm.Time) comm.Time {
	start := c.now
	for step := range steps {
		p.begin()
		c.now += real * comm.Time(nodes)
		p.pay(nodes, step == steps-1)
		p.Settle(nodes, start)
		c.now += 100 // an empty poll
	}
	return c.now - start
}

// W nodes take W·D, although every sleep ends late: the time that is too long is carried. Only the
// end of the last sleep is left.
func TestPacerIsExact(t *testing.T) {
	const late = 70_000
	for _, node := range []comm.Time{1e3, 10e3, 105e3, 1e6, 10e6} {
		c := &fakeClock{late: late}
		p := New(Rate{Node: node}, 0, 1, c, nil)
		quantum := Rate{Node: node}.QuantumSize(0, 75_000)
		steps := int(2e9/node)/quantum + 1
		got, want := c.expand(p, steps, quantum, 20), comm.Time(steps*quantum)*node
		if off := got - want; off < 0 || off > late+100 {
			t.Errorf("%d nodes of %v take %v, want %v and at most %v more", steps*quantum, node.Duration(), got.Duration(), want.Duration(), comm.Time(late+100).Duration())
		}
		if h := p.Honesty(); h.Waits != int64(c.sleeps) || h.Largest != late || h.MeanOvershoot() != late {
			t.Errorf("the pacer has measured %+v, want %d waits that end %d late", h, c.sleeps, late)
		}
	}
}

// No sleep is shorter than the granularity of timers, except the sleep at the end of the work.
func TestPacerSleepsLong(t *testing.T) {
	c := &fakeClock{}
	p := New(Rate{Node: 1000}, 0, 1, c, nil)
	c.expand(p, 1000, 7, 20)
	if c.sleeps < 100 || c.sleeps > 140 || c.shortest < 50 {
		t.Errorf("7 ms in steps of 7 µs take %d sleeps, the shortest of %v", c.sleeps, c.shortest.Duration())
	}
	before := c.sleeps
	p.begin()
	p.pay(1, false)
	if c.sleeps != before {
		t.Errorf("a rank with work sleeps for a debt of 1 µs")
	}
}

// Nodes that take longer than their time leave the rank behind its pace, and it does not wait.
func TestPacerIsBehind(t *testing.T) {
	c := &fakeClock{}
	p := New(Rate{Node: 1000}, 0, 1, c, nil)
	c.expand(p, 10, 10, 1500)
	if h := p.Honesty(); c.sleeps != 0 || h.Behind < 50_000 || h.Behind > 51_000 {
		t.Errorf("100 nodes that take 0.5 µs too long cause %d sleeps and leave the rank %v behind", c.sleeps, h.Behind.Duration())
	}
}

// The time without work is in no debt.
func TestPacerRests(t *testing.T) {
	c := &fakeClock{}
	p := New(Rate{Node: 1e6}, 0, 1, c, nil)
	c.expand(p, 1, 1, 20)
	p.Rest()
	c.now += 5e9
	start := c.now
	c.expand(p, 1, 1, 20)
	if took := c.now - start; took < 1e6-200 || took > 1e6+200 {
		t.Errorf("after a rest a node of 1 ms takes %v", took.Duration())
	}
}

// Redundant nodes, which no share has paced, are paced at the end of the step.
func TestPacerSettles(t *testing.T) {
	c := &fakeClock{}
	p := New(Rate{Node: 1e6}, 0, 1, c, nil)
	p.begin()
	p.pay(2, false)
	p.Settle(5, 0)
	p.Settle(1, c.now)
	if c.now != 6e6 {
		t.Errorf("6 nodes of 1 ms take %v", c.now.Duration())
	}
}

// Messages occupy a rank with and without work.
func TestPacerChargesMessages(t *testing.T) {
	c := &fakeClock{}
	p := New(Rate{Node: 1e6, Send: 300e3, Receive: 200e3}, 0, 1, c, nil)
	p.PaceReceive()
	if c.now != 200e3 {
		t.Errorf("a message is handled after %v, want 200 µs", c.now.Duration())
	}
	if p.PaceSend(); c.now != 500e3 {
		t.Errorf("the answer leaves a rank without work after %v, want 500 µs", c.now.Duration())
	}
	p.Rest()
	p.begin()
	p.pay(1, false)
	p.PaceReceive()
	c.now += 30e3 // the message is handled
	if p.PaceSend(); c.now != 2000e3 {
		t.Errorf("a node and two messages end at %v, want 2 ms", c.now.Duration())
	}
	p.pay(1, false)
	if c.now != 3000e3 {
		t.Errorf("the next node ends at %v, want 3 ms", c.now.Duration())
	}
}

// A poll lasts for its time after each step.
func TestPacerPolls(t *testing.T) {
	c := &fakeClock{}
	p := New(Rate{Node: 1e6, Poll: 70e3}, 0, 1, c, nil)
	for range 10 {
		p.begin()
		p.pay(1, false)
		p.Settle(1, 0)
	}
	p.Rest()
	if c.now != 10.7e6 {
		t.Errorf("10 nodes and polls take %v, want 10.7 ms", c.now.Duration())
	}
}

// The mean of nodes with jitter is D, the times differ, and the same seed gives the same times.
func TestJitter(t *testing.T) {
	times := func(seed uint64) (all []comm.Time) {
		c := &fakeClock{}
		p := New(Rate{Node: 1e6, Jitter: 0.5}, 0, seed, c, nil)
		for range 20_000 {
			p.begin()
			start := c.now
			p.pay(1, false)
			all = append(all, c.now-start)
		}
		return all
	}
	sum, squares := 0.0, 0.0
	for _, d := range times(1) {
		if d < 499_999 || d > 1_500_001 {
			t.Fatalf("a node takes %v, want 0.5 to 1.5 ms", d.Duration())
		}
		sum += float64(d)
		squares += (float64(d) - 1e6) * (float64(d) - 1e6)
	}
	if mean := sum / 20_000; math.Abs(mean-1e6) > 10_000 {
		t.Errorf("the mean is %.0f ns, want 1 ms", mean)
	}
	if deviation := math.Sqrt(squares / 20_000); math.Abs(deviation-288_675) > 5_000 {
		t.Errorf("the deviation is %.0f ns, want 288,675 ns", deviation)
	}
	a, b, other := times(1), times(1), times(2)
	same := 0
	for i := range a {
		if a[i] != b[i] {
			t.Fatal("the same seed gives other times")
		}
		if a[i] == other[i] {
			same++
		}
	}
	if same > 100 {
		t.Errorf("%d of 20,000 times are the same with another seed", same)
	}
}

// A wait ends soon after a request to stop.
func TestPacerStops(t *testing.T) {
	c := &fakeClock{}
	p := New(Rate{Node: MaxNode}, 0, 1, c, func() bool { return c.now > 1e9 })
	p.begin()
	p.pay(1, false)
	if c.now > 1.2e9 || c.longest > longestNap {
		t.Errorf("the rank stops waiting at %v, want 1.1 s", c.now.Duration())
	}
	if h := p.Honesty(); h.Unpaid != MaxNode-c.now {
		t.Errorf("the rank has not waited for %v, want %v", h.Unpaid.Duration(), (MaxNode - c.now).Duration())
	}
}
