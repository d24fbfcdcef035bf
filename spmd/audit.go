package spmd

import (
	"fmt"
	"slices"
	"strings"

	"treesplit/comm"
	"treesplit/lb"
	"treesplit/termination"
)

// maxPairs is the largest number of ranks for which messages are counted for every pair of ranks.
// Above it only the totals are counted.
const maxPairs = 4096

// counts are numbers of messages by kind.
type counts [comm.Kinds]int64

// tally counts a rank's messages by peer and kind. A row is allocated when the first message is
// sent to a peer.
type tally struct {
	rank     int
	out, in  []*counts // by peer, or one row for all of them
	outgoing int64     // messages to other ranks
}

func newTally(rank, size int) tally {
	if size > maxPairs {
		size = 1
	}
	return tally{rank: rank, out: make([]*counts, size), in: make([]*counts, size)}
}

func (t *tally) countSent(m comm.Message) {
	if int(m.To) != t.rank {
		t.outgoing++
	}
	countMessage(t.out, m.To, m.Kind)
}

func (t *tally) countReceived(m comm.Message) { countMessage(t.in, m.From, m.Kind) }

func countMessage(rows []*counts, peer int32, k comm.Kind) {
	if len(rows) == 1 {
		peer = 0
	}
	if uint(peer) >= uint(len(rows)) || k >= comm.Kinds {
		return
	}
	if rows[peer] == nil {
		rows[peer] = new(counts)
	}
	rows[peer][k]++
}

// auditMessages compares the messages sent with the messages received, for every pair of ranks and
// every kind, or in total. All ranks must call it when no message is left. All ranks get the same
// result.
func (t *tally) auditMessages(c comm.Collective) error {
	var wrong []string
	atOnce := max(1, numbersAtOnce/len(t.out))
	for first := 0; first < int(comm.Kinds); first += atOnce {
		kinds := min(atOnce, int(comm.Kinds)-first)
		differ, err := t.auditKinds(c, comm.Kind(first), kinds)
		if err != nil {
			return err
		}
		wrong = append(wrong, differ...)
	}
	return AgreeOnError(c, conservationError(wrong))
}

// numbersAtOnce bounds the length of a rank's vector in a collective of the audit. The vectors of all
// goroutine ranks are in memory at the same time.
const numbersAtOnce = 4096

// auditKinds compares the numbers of n kinds of messages in one collective, and returns the differences
// that this rank reports.
func (t *tally) auditKinds(c comm.Collective, first comm.Kind, n int) (differ []string, err error) {
	sent, received := countsOfKinds(t.out, first, n), countsOfKinds(t.in, first, n)
	if len(t.out) == 1 {
		totals := append(sent, received...)
		if err := c.Sum(totals); err != nil {
			return nil, err
		}
		for i := range n {
			if totals[i] != totals[n+i] && t.rank == 0 {
				differ = append(differ, fmt.Sprintf("%d %v messages were sent and %d received", totals[i], first+comm.Kind(i), totals[n+i]))
			}
		}
		return differ, nil
	}
	told, err := c.AllToAll(sent)
	if err != nil {
		return nil, err
	}
	for i, sent := range told {
		if sent != received[i] {
			peer, kind := i/n, first+comm.Kind(i%n)
			differ = append(differ, fmt.Sprintf("rank %d sent %d %v messages to rank %d, which received %d", peer, sent, kind, t.rank, received[i]))
		}
	}
	return differ, nil
}

func conservationError(wrong []string) error {
	if len(wrong) == 0 {
		return nil
	}
	return fmt.Errorf("conservation audit: %s", strings.Join(wrong, "; "))
}

// countsOfKinds returns the counts of n kinds, peer after peer.
func countsOfKinds(rows []*counts, first comm.Kind, n int) []int64 {
	v := make([]int64, len(rows)*n)
	for i, row := range rows {
		if row != nil {
			copy(v[i*n:(i+1)*n], row[first:])
		}
	}
	return v
}

// AuditCredits adds up the credits of all pieces of a run, which must be 1. All ranks must call it;
// all of them get the same result.
func AuditCredits(c comm.Collective, a lb.Audit) error {
	sum := a.Recovered
	sum.AddFraction(&a.Held)
	data, err := sum.MarshalBinary()
	if err != nil {
		return err
	}
	all, err := c.Gather(0, data)
	if err != nil {
		return err
	}
	var total termination.Fraction
	var wrong []string
	for rank, data := range all {
		var f termination.Fraction
		if err := f.UnmarshalBinary(data); err != nil {
			wrong = append(wrong, fmt.Sprintf("rank %d: %v", rank, err))
		}
		total.AddFraction(&f)
	}
	if all != nil && !total.IsExactlyOne() {
		wrong = append(wrong, fmt.Sprintf("the credits of all pieces add up to %v, not to 1: a piece was lost or worked on twice", &total))
	}
	return AgreeOnError(c, conservationError(wrong))
}

// AgreeOnError makes an error of any rank an error of all ranks. Every rank gets the errors of all
// ranks, each different text once, or nil.
func AgreeOnError(c comm.Collective, err error) error {
	text, wrong := "", []int64{0}
	if err != nil {
		text, wrong[0] = err.Error(), 1
	}
	if failed := c.Max(wrong); failed != nil || wrong[0] == 0 { // mostly: one collective is enough
		return failed
	}
	all, failed := c.Gather(0, []byte(text))
	if failed != nil {
		return failed
	}
	var texts []string
	for _, t := range all {
		if len(t) > 0 && !slices.Contains(texts, string(t)) {
			texts = append(texts, string(t))
		}
	}
	joined, failed := c.Broadcast(0, []byte(strings.Join(texts, "; ")))
	if failed != nil {
		return failed
	}
	switch {
	case len(joined) == 0:
		return nil
	case err != nil && string(joined) == text:
		return err // keeps the errors that it wraps
	}
	return fmt.Errorf("%s", joined)
}
