package lb_test

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"treesplit/comm"
	"treesplit/internal/explore"
	"treesplit/lb"
	"treesplit/search"
	"treesplit/termination"
	"treesplit/topology"
)

// deaf is the Env of a rank whose messages never arrive.
type deaf struct {
	rank int
	now  comm.Time
	rand *rand.Rand
}

func (d *deaf) Rank() int         { return d.rank }
func (d *deaf) Size() int         { return 5 }
func (d *deaf) Now() comm.Time    { return d.now }
func (d *deaf) Send(comm.Message) {}
func (d *deaf) Alarm(comm.Time)   {}
func (d *deaf) Rand() *rand.Rand  { return d.rand }

// FuzzDeals: a rank under a static start accepts any Deal or Grant or records an error, and
// does not panic. The first byte selects the scheme, the rank and the kind of message; the
// rest is an exponent of credit and the body.
func FuzzDeals(f *testing.F) {
	deal := binary.BigEndian.AppendUint64([]byte{0xDE, 3}, 1)
	deal = binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(deal, 2), 2)
	f.Add(uint8(0), int64(1), deal)
	f.Add(uint8(7), int64(-1), deal[:20])
	f.Add(uint8(30), int64(1)<<62, explore.NewToy(dealtShape, true).Pack(nil))
	schemes := []string{"static", "static+rp", "static+lifeline", "static+grr-m", "static+sb", "static+shuffle"}
	f.Fuzz(func(t *testing.T, which uint8, arg int64, body []byte) {
		env := &deaf{rank: 1 + int(which)%4, rand: rand.New(rand.NewPCG(1, 2))}
		shape := explore.Shape{Seed: 1, Depth: 4, Width: 3}
		detector, err := termination.New("ring", env.rank, env.Size())
		if err != nil {
			t.Fatal(err)
		}
		b, err := lb.New(schemes[int(which)/4%len(schemes)], lb.Options{
			Work: explore.NewToy(shape, false), Fresh: func() search.Work { return explore.NewToy(shape, false) },
			Detector: detector, Network: topology.Ring{P: env.Size()},
		}, env.rank, env.Size())
		if err != nil {
			t.Fatal(err)
		}
		b.Start(env)
		kind := comm.Deal
		if which >= 128 {
			kind = comm.Grant
		}
		b.Deliver(env, comm.Message{To: int32(env.rank), Kind: kind, Arg: arg, Body: body})
		for range 20 {
			if b.Err() != nil || b.State() != lb.Busy {
				break
			}
			b.Step(env, 10)
		}
		_ = b.Dump()
	})
}
