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

// pattern returns n bytes that depend on seed, and hardly on each other up to
// 64 KiB; longer ones repeat with a period that is no power of two.
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

// checkOrder: messages of one rank to another, short and long ones mixed, arrive
// once and in the order sent.
func checkOrder(tr comm.Transport, _ int) error {
	const each = 300
	size := tr.Size()
	length := func(i int) int { return i % 7 * (i % 3) * 3000 } // 0 to 36,000: eager and not
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
			return fmt.Errorf("message %d of %d bytes from %d is not its message %d", m.Arg, len(m.Body), m.From, i)
		}
	}
	return nil
}

// checkFields: every field arrives as it was sent, except for From.
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

// checkLarge: bodies of 16 MiB (1 MiB from four ranks up) cross each other, though all ranks send
// before they receive.
func checkLarge(tr comm.Transport, _ int) error {
	size := tr.Size()
	length := 16 << 20
	if size > 3 {
		length = 1 << 20 // enough said
	}
	targets := []int{(tr.Rank() + 1) % size, (tr.Rank() + size - 1) % size}
	for _, to := range targets {
		// Each send has a body of its own: it is the receiver's once sent.
		tr.Send(comm.Message{To: int32(to), Body: pattern(length, uint64(tr.Rank()))})
	}
	for range targets {
		m, err := receive(tr)
		if err != nil {
			return err
		}
		if !bytes.Equal(m.Body, pattern(length, uint64(m.From))) {
			return fmt.Errorf("%d bytes from %d are not those sent", len(m.Body), m.From)
		}
	}
	return nil
}

// checkMany: of a great many messages, sent to all ranks in turn by ranks that
// poll in between, none is lost and none comes twice.
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

// checkSelf: a rank can send to itself, and does not receive before it asks to.
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
			return fmt.Errorf("message %d from %d in place of own message %d", m.Arg, m.From, i)
		}
	}
	return nil
}

// checkTimeout: a wait without success ends once its moment has come, and one whose moment
// is past is a poll.
func checkTimeout(tr comm.Transport, _ int) error {
	for _, span := range []comm.Time{-1, 0, 1e3, 3e6} {
		until := tr.Now() + span
		if m, ok := tr.Recv(until); ok {
			return fmt.Errorf("received %+v, which nobody sent", m)
		}
		if now := tr.Now(); now < until {
			return fmt.Errorf("gave up at %v, before %v", now, until)
		}
	}
	tr.Send(comm.Message{To: int32(tr.Rank()), Arg: 5})
	for range 1_000_000 { // a poll need not see at once what has just been sent
		if m, ok := tr.Recv(0); ok {
			if m.Arg != 5 {
				return fmt.Errorf("received %+v", m)
			}
			return tr.Err()
		}
	}
	return errors.New("a wait whose moment is past never receives")
}

// checkError: what a transport cannot do becomes its error, as text, and ends
// every later wait; the ranks of a Drain all learn of it.
func checkError(tr comm.Transport, _ int) error {
	if err := tr.Err(); err != nil {
		return fmt.Errorf("error before any was made: %w", err)
	}
	if err := tr.Sum([]int64{1}); err != nil { // the others have looked, too
		return err
	}
	if tr.Rank() == tr.Size()-1 {
		tr.Send(comm.Message{To: int32(tr.Size())})
		err := tr.Err()
		if err == nil {
			return errors.New("a message to a rank that does not exist is no error")
		}
		if !bytes.Contains([]byte(err.Error()), []byte("rank")) {
			return fmt.Errorf("the error of a message to a rank that does not exist does not say so: %w", err)
		}
		if m, ok := tr.Recv(comm.Never); ok {
			return fmt.Errorf("received %+v after an error", m)
		}
		tr.Send(comm.Message{To: -1})
		if tr.Err() != err {
			return fmt.Errorf("a second error has displaced the first: %w", tr.Err())
		}
	}
	if err := tr.Drain(func(comm.Message) {}); err == nil || tr.Err() == nil {
		return errors.New("a drain does not report the error of a rank")
	}
	return nil
}
