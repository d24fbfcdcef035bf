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

// Numbers of messages and durations of the measurement. All messages of a trial wait at their
// receiver together; both MPI libraries have buffers for that number.
const (
	costTrials   = 20
	costMessages = 32
	costPause    = 500 * time.Microsecond // time in which sent messages arrive
)

// messageCosts measures the processor time that a message of the given number of bytes costs its
// sender and its receiver. Rank 0 sends messages to the last rank, which is probably the most
// distant. The last rank begins to receive when the messages should have arrived, so that neither
// rank waits. The cheapest trial counts, because all disturbances only add time. The cost of a
// byte is included, because all messages have one size. Package calibrate measures more, in
// wall-clock time. Every rank of the transport must call messageCosts, and all get the same
// result. With one rank messages cost nothing.
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

// sendTrial sends the messages of a trial and returns the processor time in nanoseconds.
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

// receiveTrial receives the messages of a trial and returns the processor time in nanoseconds.
func receiveTrial(t comm.Transport) int64 {
	if _, ok := t.Recv(comm.Never); !ok { // the transport has failed; Drain will return the error
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
