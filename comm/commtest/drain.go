package commtest

import (
	"fmt"
	"math/rand/v2"

	"treesplit/comm"
)

// checkDrain: a drain returns when every message has been served, including the messages that
// serve has sent, and can be repeated. Messages carry the number of times that they must still
// be forwarded. So the messages of a drain are distinguishable, and all end within it. Some
// ranks enter with many messages to send, some with none.
func checkDrain(tr comm.Transport, _ int) error {
	size := tr.Size()
	rnd := rand.New(rand.NewPCG(1, uint64(tr.Rank())))
	for turn := range 40 {
		sent, received := int64(0), int64(0)
		send := func(hops int64) {
			sent++
			tr.Send(comm.Message{To: rnd.Int32N(int32(size)), Tag: int32(turn), Arg: hops, Body: pattern(int(hops)*100, uint64(turn))})
		}
		var wrong error
		serve := func(m comm.Message) {
			received++
			if m.Arg > 0 {
				send(m.Arg - 1)
			}
			if m.Arg%4 == 3 { // otherwise a message is always followed by at most one
				send(m.Arg - 3)
			}
			if int(m.Tag) != turn {
				wrong = fmt.Errorf("drain %d served a message of drain %d", turn, m.Tag)
			}
		}
		if rnd.IntN(3) > 0 {
			for range rnd.IntN(50) {
				send(rnd.Int64N(20))
			}
		}
		for range rnd.IntN(3) { // some are received before the drain and are served too
			if m, ok := tr.TryRecv(); ok {
				serve(m)
			}
		}
		if err := tr.Drain(serve); err != nil {
			return err
		}
		if wrong != nil {
			return wrong
		}
		total := []int64{sent, received}
		if err := tr.Sum(total); err != nil {
			return err
		}
		if total[0] != total[1] {
			return fmt.Errorf("drain %d: %d messages are sent and %d received", turn, total[0], total[1])
		}
		if err := settle(tr); err != nil {
			return err
		}
	}
	return nil
}

// checkDrainLater: a message that a rank sends after a drain is not served by ranks that have
// not left the drain yet; it is received after the drain.
func checkDrainLater(tr comm.Transport, _ int) error {
	size := int32(tr.Size())
	for turn := range int64(100) {
		for to := range size {
			tr.Send(comm.Message{To: to, Arg: turn})
		}
		for range size {
			m, err := receive(tr)
			if err != nil {
				return err
			}
			if m.Arg != turn {
				return fmt.Errorf("the rank received message %d in turn %d", m.Arg, turn)
			}
		}
		served := 0
		if err := tr.Drain(func(comm.Message) { served++ }); err != nil {
			return err
		}
		if served > 0 {
			return fmt.Errorf("turn %d: the drain served %d messages of the next", turn, served)
		}
	}
	return nil
}
