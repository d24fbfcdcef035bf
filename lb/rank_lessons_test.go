package lb_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"treesplit/comm"
	"treesplit/lb"
	"treesplit/search"
	"treesplit/termination"
)

// pupil is a share that exchanges facts.
type pupil struct {
	plenty
	offers []byte   // the next export; nil: none
	got    []string // what was imported
}

func (w *pupil) Exchanges() bool { return true }
func (w *pupil) Export(dst []byte, limit int) []byte {
	dst = append(dst, w.offers[:min(limit, len(w.offers))]...)
	w.offers = nil
	return dst
}
func (w *pupil) Import(facts []byte) error {
	if string(facts) == "wrong" {
		return errors.New("wrong facts")
	}
	w.got = append(w.got, string(facts))
	return nil
}

var _ search.Exchanger = (*pupil)(nil)

// clocked is a hub at a moment.
type clocked struct {
	hub
	now *comm.Time
}

func (c clocked) Now() comm.Time { return *c.now }

// class is a number of ranks with shares that exchange facts. All ranks have work.
type class struct {
	now   comm.Time
	mail  []comm.Message
	envs  []comm.Env
	works []*pupil
	ranks []lb.Balancer
}

func newClass(t *testing.T, p int) *class {
	c := &class{}
	for i := range p {
		c.envs = append(c.envs, clocked{hub{caller{rank: i, size: p, stream: rand.New(rand.NewPCG(1, uint64(i)))}, &c.mail}, &c.now})
		c.works = append(c.works, &pupil{plenty: plenty{true}})
		b, err := lb.New("rp", lb.Options{Work: c.works[i], Detector: &termination.Credit{}, Kept: true}, i, p)
		if err != nil {
			t.Fatal(err)
		}
		c.ranks = append(c.ranks, b)
		b.Start(c.envs[i])
	}
	return c
}

// deliver delivers all messages and returns the number of Lessons.
func (c *class) deliver() (lessons int) {
	for next := 0; next < len(c.mail); next++ {
		if c.mail[next].Kind == comm.Lessons {
			lessons++
		}
		c.ranks[c.mail[next].To].Deliver(c.envs[c.mail[next].To], c.mail[next])
	}
	c.mail = c.mail[:0]
	return lessons
}

// What a rank has learnt reaches every other rank once, by P−1 messages.
func TestLessonsReachAllRanks(t *testing.T) {
	for p := 1; p <= 17; p++ {
		for from := range p {
			c := newClass(t, p)
			c.works[from].offers = []byte("fact")
			c.ranks[from].Step(c.envs[from], 1)
			if n := c.deliver(); n != p-1 {
				t.Errorf("P = %d, from rank %d: %d messages", p, from, n)
			}
			for i, w := range c.works {
				if want := []string{"fact"}; i != from && !slices.Equal(w.got, want) || i == from && w.got != nil {
					t.Errorf("P = %d, from rank %d: rank %d got %v", p, from, i, w.got)
				}
			}
		}
	}
}

// A rank sends at most one message per interval, which grows with the number of ranks, and at most 1 KiB.
func TestLessonsAreBounded(t *testing.T) {
	for p, want := range map[int]int{2: 50, 10: 50, 100: 5} {
		c := newClass(t, p)
		sent := 0
		for c.now = 0; c.now < 1e9; c.now += 1e6 {
			c.works[0].offers = make([]byte, 5000)
			c.ranks[0].Step(c.envs[0], 1)
			for _, m := range c.mail {
				if len(m.Body) > 1024 {
					t.Fatalf("a message of %d bytes", len(m.Body))
				}
			}
			sent += c.deliver() / (p - 1)
		}
		if sent != want {
			t.Errorf("P = %d: %d messages in a second, want %d", p, sent, want)
		}
	}
}

// Invalid facts end the run with an error that names their sender. Facts after the end are dropped.
func TestInvalidLessons(t *testing.T) {
	for body, want := range map[string]string{"wrong": "wrong facts", strings.Repeat("x", 1025): "1025 bytes"} {
		c := newClass(t, 3)
		c.ranks[1].Deliver(c.envs[1], comm.Message{From: 2, To: 1, Kind: comm.Lessons, Body: []byte(body)})
		if err := c.ranks[1].Err(); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "rank 2") {
			t.Errorf("%v: expected %q and the sender", err, want)
		}
		c.ranks[2].Deliver(c.envs[2], comm.Message{From: 0, To: 2, Kind: comm.Stop})
		c.ranks[2].Deliver(c.envs[2], comm.Message{From: 1, To: 2, Kind: comm.Lessons, Body: []byte(body)})
		if err := c.ranks[2].Err(); err != nil || c.works[2].got != nil {
			t.Errorf("after the end: %v, %v", err, c.works[2].got)
		}
	}
	work := &plenty{true}
	b, err := lb.New("rp", lb.Options{Work: work, Detector: &termination.Credit{}, Kept: true}, 0, 2)
	if err != nil {
		t.Fatal(err)
	}
	b.Deliver(newClass(t, 2).envs[0], comm.Message{From: 1, Kind: comm.Lessons})
	if err := b.Err(); err == nil || !strings.Contains(fmt.Sprint(err), "unexpected") {
		t.Errorf("%v: expected an unexpected message", err)
	}
}
