// Package feed brings the activity of all ranks to rank 0 while a search runs: reports of the ranks,
// and a board on which rank 0 adds them up, row by row and column by column, for a page that shows
// them. Its memory does not grow with the length of the run.
package feed

import (
	"encoding/binary"
	"errors"

	"treesplit/comm"
	"treesplit/internal/wire"
	"treesplit/run/observe/ledger"
	"treesplit/run/observe/trace"
)

// Activity is the use of a rank's time, as the page shows it.
type Activity uint8

// The activities. They combine the states of package trace.
const (
	Working      Activity = iota // expands nodes
	Asking                       // has no work and looks for a donor, waits for its answer, or pauses
	Idle                         // has no work and no request, or knows of the end
	Transferring                 // polls, handles messages and pieces, or begins and ends a search

	// Activities is the number of activities.
	Activities
)

// activityOf returns the activity of each state.
var activityOf = [trace.States]Activity{
	trace.Busy: Working, trace.Seeking: Asking, trace.Waiting: Asking,
	trace.Idle: Idle, trace.Done: Idle, trace.Overhead: Transferring,
}

// Times is a time for each activity.
type Times [Activities]comm.Time

// addAccount adds the times of an account of states.
func (t *Times) addAccount(a *ledger.Account) {
	for state, span := range a {
		t[activityOf[state]] += span
	}
}

// Sum returns the sum of all times.
func (t *Times) Sum() (sum comm.Time) {
	for _, span := range t {
		sum += span
	}
	return sum
}

// Messages counts messages that ranks send: requests for work, messages with work, and refusals.
type Messages struct{ Requests, Grants, Refusals int64 }

func (m *Messages) add(o Messages) {
	m.Requests += o.Requests
	m.Grants += o.Grants
	m.Refusals += o.Refusals
}

// minus returns the messages since an earlier count.
func (m Messages) minus(o Messages) Messages {
	return Messages{m.Requests - o.Requests, m.Grants - o.Grants, m.Refusals - o.Refusals}
}

// Report is the activity of one rank since its last report.
type Report struct {
	Spent     Times
	Sent      Messages
	Transfers []ledger.Transfer // pieces that the rank has sent, at most MaxTransfers
}

// MaxTransfers is the largest number of transfers in a report. A rank that sends more pieces between
// two reports names the first ones only.
const MaxTransfers = 24

// AppendBinary appends the encoded report: the times, the numbers of messages, then the receiver and
// the bytes of each transfer. The length is at most 7·10 + 24·(4 + 10) = 406 bytes.
func (r *Report) AppendBinary(dst []byte) []byte {
	for _, span := range r.Spent {
		dst = binary.AppendUvarint(dst, uint64(span))
	}
	for _, n := range [...]int64{r.Sent.Requests, r.Sent.Grants, r.Sent.Refusals} {
		dst = binary.AppendUvarint(dst, uint64(n))
	}
	for _, t := range r.Transfers[:min(len(r.Transfers), MaxTransfers)] {
		dst = binary.AppendUvarint(dst, uint64(t.To))
		dst = binary.AppendUvarint(dst, uint64(t.Bytes))
	}
	return dst
}

// maxNumber bounds the numbers of a report, so that sums of many reports do not overflow.
const maxNumber = 1 << 52

var errReport = errors.New("the report ends early, has a number that is too large, or names too many transfers")

// decodeReport reads the output of AppendBinary, of a rank of a run of the given number of ranks.
func decodeReport(data []byte, rank, ranks int) (Report, error) {
	var r Report
	in := wire.NewReader(data)
	for i := range r.Spent {
		r.Spent[i] = comm.Time(in.Uvarint(maxNumber))
	}
	for _, n := range [...]*int64{&r.Sent.Requests, &r.Sent.Grants, &r.Sent.Refusals} {
		*n = int64(in.Uvarint(maxNumber))
	}
	for in.Err() == nil && len(in.Rest()) > 0 {
		if len(r.Transfers) == MaxTransfers {
			return r, errReport
		}
		to := in.Uvarint(uint64(ranks - 1))
		r.Transfers = append(r.Transfers, ledger.Transfer{From: int32(rank), To: int32(to), Bytes: int64(in.Uvarint(maxNumber))})
	}
	if in.Err() != nil {
		return r, errReport
	}
	return r, nil
}
