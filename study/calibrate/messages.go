package calibrate

import (
	"treesplit/comm"
)

// The two ranks of a pair talk in messages of these kinds, whose names elsewhere have
// nothing to do with what they are here.
const (
	echo  = comm.WorkRequest // to be sent back; its Tag is 1 then if the partner was interrupted
	count = comm.FetchAdd    // nothing is to be said, unless Tag is 1: then an answer
	burst = comm.Poll        // asks for so many messages as Arg says
	over  = comm.Stop        // ends it
)

// answerPartner is what a partner does, until it is told that it is over.
func answerPartner(t comm.Transport, interrupted func() bool) error {
	for {
		m, ok := t.Recv(comm.Never)
		if !ok {
			return t.Err()
		}
		switch m.Kind {
		case over:
			return nil
		case echo:
			back := comm.Message{To: m.From, Kind: echo, Body: m.Body}
			if interrupted() {
				back.Tag = 1
			}
			t.Send(back)
		case count:
			if m.Tag == 1 {
				t.Send(comm.Message{To: m.From, Kind: count})
			}
		case burst:
			for range m.Arg {
				t.Send(comm.Message{To: m.From, Kind: count})
			}
		}
	}
}

// bodies are the lengths of the bodies that t_w is fitted to, in bytes: those of pieces.
var bodies = []int{0, 64, 128, 256, 512, 1024, 2048, 4096}

// bursts are the numbers of messages that the cost of receiving one is fitted to.
var bursts = []int{1, 2, 4, 8, 16}

// trips is how many round trips one sample lasts: the clock takes a part of one.
const trips = 8

// samplesOf are by the place in bodies or bursts.
type samplesOf [][]float64

// pair measures messages between rank 0 and a partner, from rank 0.
type pair struct {
	t       comm.Transport
	partner int32
	work    func(until comm.Time) // occupies the rank without a look at messages
	halt    func() bool           // says whether this rank was interrupted
	halted  bool                  // it was, or the partner

	oneWay  samplesOf // ns of an echo's half, by bodies
	startup []float64 // ns of a Send
	taken   samplesOf // ns until a burst that is there has been received, by bursts
}

// takeSamples takes rounds samples of each kind, fewer where that takes longer than span but least at
// the least, and none after an interruption. Kinds take turns, so that what else the machine does
// meets all.
func (p *pair) takeSamples(rounds, least int, span comm.Time) error {
	p.oneWay, p.taken = make(samplesOf, len(bodies)), make(samplesOf, len(bursts))
	body := make([]byte, bodies[len(bodies)-1])
	p.measureOneWay(body[:0], trips) // what is done once is done now
	for i, start := 0, p.t.Now(); p.t.Err() == nil && !p.halted && i < rounds && (i < least || p.t.Now()-start < span); i++ {
		for j, n := range bodies {
			p.oneWay[j] = append(p.oneWay[j], p.measureOneWay(body[:n], trips))
		}
		p.startup = append(p.startup, p.measureSend())
		for j, n := range bursts {
			p.taken[j] = append(p.taken[j], p.measureReceive(n))
		}
	}
	p.t.Send(comm.Message{To: p.partner, Kind: over})
	return p.t.Err()
}

// measureOneWay is half the time of a round trip, the mean of n.
func (p *pair) measureOneWay(body []byte, n int) float64 {
	if len(body) == 0 {
		body = nil
	}
	start := p.t.Now()
	for range n {
		if p.halted {
			break
		}
		p.t.Send(comm.Message{To: p.partner, Kind: echo, Body: body})
		m, _ := p.t.Recv(comm.Never)
		p.halted = m.Tag == 1 || p.halt()
	}
	return float64(p.t.Now()-start) / float64(2*n)
}

// sendBurst is how many messages send sends: few enough for any buffer.
const sendBurst = 16

// measureSend is the time of a Send, the mean of a burst.
func (p *pair) measureSend() float64 {
	start := p.t.Now()
	for range sendBurst {
		p.t.Send(comm.Message{To: p.partner, Kind: count})
	}
	took := p.t.Now() - start
	p.t.Send(comm.Message{To: p.partner, Kind: count, Tag: 1})
	p.t.Recv(comm.Never)
	return float64(took) / sendBurst
}

// measureReceive is the time that n messages occupy a rank for that looks when they have
// arrived: o_r, n times, and a poll or two. The rank works until they must be there.
func (p *pair) measureReceive(n int) float64 {
	wait := comm.Time(2*float64(n+2)*p.measureOneWay(nil, 1)) + 20_000
	p.t.Send(comm.Message{To: p.partner, Kind: burst, Arg: int64(n)})
	p.work(p.t.Now() + wait)
	start := p.t.Now()
	for got := 0; got < n && p.t.Err() == nil; {
		if _, ok := p.t.TryRecv(); ok {
			got++
		}
	}
	p.t.TryRecv()
	return float64(p.t.Now() - start)
}

// polls is how many empty polls one sample lasts.
const polls = 64

// measurePoll is the time of an empty poll as the driver of a rank makes it, the mean of some:
// between two looks at the clock.
func measurePoll(t comm.Transport) float64 {
	start := t.Now()
	for range polls {
		t.TryRecv()
		t.Now()
	}
	return float64(t.Now()-start) / polls
}
