package workloads

import (
	"encoding/json"
	"math"
	"runtime"
	"time"

	"treesplit/comm"
	"treesplit/internal/cputime"
	"treesplit/mapping"
)

// How often and how long messages are measured. So many messages as a trial has wait at
// their receiver together, which both MPIs have room for.
const (
	costTrials   = 20
	costMessages = 32
	costPause    = 500 * time.Microsecond // in which what was sent arrives
)

// messageCosts measures what a message of so many bytes costs its sender and its receiver in
// processor time: rank 0 sends some to the last rank, which is likeliest to be far, and
// which begins to receive when they should be there, so that nobody waits. The cheapest
// trial counts, since whatever else happens only adds to it. What a byte costs is part of
// the message's cost, as all messages are of one size. (Package calibrate measures more, by
// the clock on the wall.) Every rank of the transport must
// call it, and all get the same; with one rank messages cost nothing.
func messageCosts(t comm.Transport, bytes int) (m mapping.Machine, err error) {
	last := t.Size() - 1
	if last == 0 {
		return m, nil
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	best := int64(math.MaxInt64)
	for range costTrials {
		switch t.Rank() {
		case 0:
			best = min(best, sendTrial(t, last, bytes))
		case last:
			best = min(best, receiveTrial(t))
		}
		if err := t.Drain(func(comm.Message) {}); err != nil {
			return m, err
		}
	}
	data, err := json.Marshal(float64(best) / costMessages)
	if err != nil {
		return m, err
	}
	for _, end := range []struct {
		rank int
		cost *float64
	}{{0, &m.SendMessage}, {last, &m.ReceiveMessage}} {
		told, err := t.Broadcast(end.rank, data)
		if err != nil {
			return m, err
		}
		if err := json.Unmarshal(told, end.cost); err != nil {
			return m, err
		}
	}
	return m, nil
}

// sendTrial sends messages and returns the processor time that it took.
func sendTrial(t comm.Transport, to, bytes int) int64 {
	var bodies [costMessages][]byte
	for i := range bodies {
		bodies[i] = make([]byte, bytes)
	}
	begin := cputime.Now()
	for _, b := range bodies {
		t.Send(comm.Message{To: int32(to), Kind: comm.Parcel, Body: b})
	}
	return int64(cputime.Now() - begin)
}

// receiveTrial receives the messages of a sendTrial and returns the processor time.
func receiveTrial(t comm.Transport) int64 {
	if _, ok := t.Recv(comm.Never); !ok { // the transport has failed, as Drain will say
		return math.MaxInt64
	}
	time.Sleep(costPause)
	begin := cputime.Now()
	for range costMessages - 1 {
		if _, ok := t.Recv(comm.Never); !ok {
			return math.MaxInt64
		}
	}
	return int64(cputime.Now()-begin) * costMessages / (costMessages - 1)
}
