package calibrate

import (
	"treesplit/comm"
	"treesplit/spmd"
)

// The two ranks of a pair exchange messages of these kinds. The names of the kinds have no meaning
// here.
const (
	echo  = comm.WorkRequest // must be sent back; its Tag is then 1 if the partner was interrupted
	count = comm.FetchAdd    // needs no answer, unless Tag is 1: then it is answered
	burst = comm.Poll        // requests Arg messages
	over  = comm.Stop        // ends the exchange
)

// answerPartner answers rank 0's messages until rank 0 ends the exchange.
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

// bodies are the lengths of the bodies from which t_w is fitted, in bytes: typical lengths of
// pieces.
var bodies = []int{0, 64, 128, 256, 512, 1024, 2048, 4096}

// bursts are the numbers of messages from which the cost of receiving one message is fitted.
var bursts = []int{1, 2, 4, 8, 16}

// manyTrips is the number of round trips in one sample, if ranks are not paced: reading the clock takes
// a part of a round trip.
const manyTrips = 8

// samplesOf holds samples by index in bodies or bursts.
type samplesOf [][]float64

// pair measures messages between rank 0 and a partner, from rank 0.
type pair struct {
	t       comm.Transport
	partner int32
	work    func(until comm.Time) // occupies the rank without polls
	trips   int                   // round trips in one sample
	halt    func() bool           // reports whether this rank was interrupted
	halted  bool                  // this rank or the partner was interrupted
	pacer   spmd.Pacer            // of this rank; or nil

	oneWay  samplesOf // ns of half a round trip, by bodies
	startup []float64 // ns of a Send
	taken   samplesOf // ns to receive a burst that has arrived, by bursts
}

// takeSamples takes rounds samples of each kind. It takes fewer if they take longer than span, but
// at least the given least number, and none after an interruption. The kinds alternate, so that
// other work of the machine affects all of them.
func (p *pair) takeSamples(rounds, least int, span comm.Time) error {
	p.oneWay, p.taken = make(samplesOf, len(bodies)), make(samplesOf, len(bursts))
	body := make([]byte, bodies[len(bodies)-1])
	p.measureOneWay(body[:0], p.trips) // initialisations happen here
	for i, start := 0, p.t.Now(); p.t.Err() == nil && !p.halted && i < rounds && (i < least || p.t.Now()-start < span); i++ {
		for j, n := range bodies {
			p.oneWay[j] = append(p.oneWay[j], p.measureOneWay(body[:n], p.trips))
		}
		p.startup = append(p.startup, p.measureSend())
		for j, n := range bursts {
			p.taken[j] = append(p.taken[j], p.measureReceive(n))
		}
	}
	p.t.Send(comm.Message{To: p.partner, Kind: over})
	return p.t.Err()
}

// measureOneWay returns half the time of a round trip, as the mean of n round trips.
func (p *pair) measureOneWay(body []byte, n int) float64 {
	if len(body) == 0 {
		body = nil
	}
	start := beginSample(p.t, p.pacer)
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

// sendBurst is the number of messages of a sample of Send. It is small enough for any buffer.
const sendBurst = 16

// measureSend returns the time of a Send, as the mean of a burst.
func (p *pair) measureSend() float64 {
	start := beginSample(p.t, p.pacer)
	for range sendBurst {
		p.t.Send(comm.Message{To: p.partner, Kind: count})
	}
	took := endSample(p.t, p.pacer, start)
	p.t.Send(comm.Message{To: p.partner, Kind: count, Tag: 1})
	p.t.Recv(comm.Never)
	return took / sendBurst
}

// measureReceive returns the time for which n messages occupy a rank that polls after they have
// arrived: n times o_r, and a poll or two. The rank works until they must have arrived.
func (p *pair) measureReceive(n int) float64 {
	wait := comm.Time(2*float64(n+2)*p.measureOneWay(nil, 1)) + 20_000
	p.t.Send(comm.Message{To: p.partner, Kind: burst, Arg: int64(n)})
	p.work(p.t.Now() + wait)
	start := beginSample(p.t, p.pacer)
	for got := 0; got < n && p.t.Err() == nil; {
		if _, ok := p.t.TryRecv(); ok {
			got++
		}
	}
	p.t.TryRecv()
	return endSample(p.t, p.pacer, start)
}

// polls is the number of empty polls in one sample.
const polls = 64

// measurePoll returns the time of an empty poll as the driver of a rank makes it, as the mean of
// several polls between two readings of the clock.
func measurePoll(t comm.Transport) float64 {
	start := t.Now()
	for range polls {
		t.TryRecv()
		t.Now()
	}
	return float64(t.Now()-start) / polls
}
