package commtest

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"treesplit/comm"
)

// pattern returns n bytes that depend on seed. Up to 64 KiB they are practically independent
// of each other; longer patterns repeat with a period that is no power of two.
func pattern(n int, seed uint64) []byte {
	const period = 1<<16 + 1
	b := make([]byte, n)
	if n > 0 {
		var key [32]byte
		binary.LittleEndian.PutUint64(key[:], seed)
		rand.NewChaCha8(key).Read(b[:min(n, period)])
	}
	for have := period; have < n; have *= 2 {
		copy(b[have:], b[:have])
	}
	return b
}

// checkOrder: messages of one rank to another, short and long ones mixed, arrive once and in
// the order in which they were sent.
func checkOrder(tr comm.Transport, _ int) error {
	const each = 300
	size := tr.Size()
	length := func(i int) int { return i % 7 * (i % 3) * 3000 } // 0 to 36,000 bytes: eager messages and others
	for i := range each {
		for to := range size {
			tr.Send(comm.Message{To: int32(to), Arg: int64(i), Body: pattern(length(i), uint64(i))})
		}
	}
	next := make([]int, size)
	for range each * size {
		m, err := receive(tr)
		if err != nil {
			return err
		}
		i := next[m.From]
		if next[m.From]++; int(m.Arg) != i || !bytes.Equal(m.Body, pattern(length(i), uint64(i))) {
			return fmt.Errorf("message %d of %d bytes from rank %d differs from the rank's message %d", m.Arg, len(m.Body), m.From, i)
		}
	}
	return nil
}

// checkFields: every field except From arrives as it was sent.
func checkFields(tr comm.Transport, _ int) error {
	sent := []comm.Message{
		{},
		{Kind: 255, Tag: math.MinInt32, Arg: math.MinInt64, Body: []byte{0}},
		{Kind: 1, Tag: math.MaxInt32, Arg: math.MaxInt64, Body: pattern(257, 1)},
		{Tag: -1, Arg: -1},
	}
	to := (tr.Rank() + 1) % tr.Size()
	from := (tr.Rank() + tr.Size() - 1) % tr.Size()
	for _, m := range sent {
		m.To, m.From = int32(to), 99
		tr.Send(m)
	}
	for _, want := range sent {
		got, err := receive(tr)
		if err != nil {
			return err
		}
		if int(got.From) != from || got.Kind != want.Kind || got.Tag != want.Tag || got.Arg != want.Arg || !bytes.Equal(got.Body, want.Body) {
			return fmt.Errorf("%+v arrived as %+v", want, got)
		}
	}
	return nil
}

// checkLarge: bodies of 16 MiB (1 MiB from four ranks up) cross each other, although all ranks
// send before they receive.
func checkLarge(tr comm.Transport, _ int) error {
	size := tr.Size()
	length := 16 << 20
	if size > 3 {
		length = 1 << 20 // large enough
	}
	targets := []int{(tr.Rank() + 1) % size, (tr.Rank() + size - 1) % size}
	for _, to := range targets {
		// Each send needs its own body, which belongs to the receiver afterwards.
		tr.Send(comm.Message{To: int32(to), Body: pattern(length, uint64(tr.Rank()))})
	}
	for range targets {
		m, err := receive(tr)
		if err != nil {
			return err
		}
		if !bytes.Equal(m.Body, pattern(length, uint64(m.From))) {
			return fmt.Errorf("%d bytes from rank %d differ from the bytes sent", len(m.Body), m.From)
		}
	}
	return nil
}

// checkMany: of a large number of messages, which ranks send to all ranks in turn and poll in
// between, none is lost or duplicated.
func checkMany(tr comm.Transport, messages int) error {
	size := tr.Size()
	count, sum := int64(0), int64(0)
	note := func(m comm.Message) { count++; sum += m.Arg }
	each := messages / size
	for i := range each {
		tr.Send(comm.Message{To: int32((tr.Rank() + i) % size), Arg: int64(i)})
		if m, ok := tr.TryRecv(); ok {
			note(m)
		}
	}
	if err := tr.Drain(note); err != nil {
		return err
	}
	total := []int64{count, sum}
	if err := tr.Sum(total); err != nil {
		return err
	}
	n := int64(each)
	if want := []int64{n * int64(size), n * (n - 1) / 2 * int64(size)}; total[0] != want[0] || total[1] != want[1] {
		return fmt.Errorf("received messages and their sum are %v, want %v", total, want)
	}
	return nil
}

// checkSelf: a rank can send to itself, and receives the message only when it calls TryRecv or
// Recv.
func checkSelf(tr comm.Transport, _ int) error {
	const n = 1000
	for i := range n {
		tr.Send(comm.Message{To: int32(tr.Rank()), Arg: int64(i), Body: pattern(i, uint64(i))})
	}
	for i := range n {
		m, err := receive(tr)
		if err != nil {
			return err
		}
		if int(m.From) != tr.Rank() || int(m.Arg) != i || !bytes.Equal(m.Body, pattern(i, uint64(i))) {
			return fmt.Errorf("the rank received message %d from rank %d instead of its own message %d", m.Arg, m.From, i)
		}
	}
	return nil
}

// checkTimeout: a wait without a message ends when its moment has passed. If the moment is in
// the past, the wait is a poll.
func checkTimeout(tr comm.Transport, _ int) error {
	for _, span := range []comm.Time{-1, 0, 1e3, 3e6} {
		until := tr.Now() + span
		if m, ok := tr.Recv(until); ok {
			return fmt.Errorf("the rank received %+v, which no rank sent", m)
		}
		if now := tr.Now(); now < until {
			return fmt.Errorf("the wait ended at %v, before %v", now, until)
		}
	}
	tr.Send(comm.Message{To: int32(tr.Rank()), Arg: 5})
	for range 1_000_000 { // a poll may miss a message that has just been sent
		if m, ok := tr.Recv(0); ok {
			if m.Arg != 5 {
				return fmt.Errorf("the rank received %+v", m)
			}
			return tr.Err()
		}
	}
	return errors.New("a wait until a moment in the past never receives the message")
}

// checkError: an operation that the transport cannot perform becomes the transport's error, as
// text, and ends every later wait. All ranks in a Drain get the error.
func checkError(tr comm.Transport, _ int) error {
	if err := tr.Err(); err != nil {
		return fmt.Errorf("the transport has an error before the first failure: %w", err)
	}
	if err := tr.Sum([]int64{1}); err != nil { // the other ranks have checked too
		return err
	}
	if tr.Rank() == tr.Size()-1 {
		tr.Send(comm.Message{To: int32(tr.Size())})
		err := tr.Err()
		if err == nil {
			return errors.New("a message to a rank that does not exist causes no error")
		}
		if !bytes.Contains([]byte(err.Error()), []byte("rank")) {
			return fmt.Errorf("the error of a message to a rank that does not exist does not name the rank: %w", err)
		}
		if m, ok := tr.Recv(comm.Never); ok {
			return fmt.Errorf("the rank received %+v after an error", m)
		}
		tr.Send(comm.Message{To: -1})
		if tr.Err() != err {
			return fmt.Errorf("a second error has replaced the first: %w", tr.Err())
		}
	}
	if err := tr.Drain(func(comm.Message) {}); err == nil || tr.Err() == nil {
		return errors.New("a drain does not return the error of a rank")
	}
	return nil
}
