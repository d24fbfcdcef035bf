package lb_test

import (
	"fmt"
	"math/rand/v2"
	"sync"

	"treesplit/comm"
	"treesplit/lb"
	"treesplit/local"
	"treesplit/search"
	"treesplit/search/stack"
	"treesplit/spmd"
	"treesplit/termination"
)

// heights is a binary tree of 2^(n+1)−1 nodes, n being the node at the root: a node n > 0 has two
// children n−1.
type heights struct{ root uint8 }

func (h heights) Root() uint8     { return h.root }
func (heights) Visit(uint8)       {}
func (heights) Check(uint8) error { return nil }

func (heights) Children(dst []uint8, n uint8) []uint8 {
	if n > 0 {
		dst = append(dst, n-1, n-1)
	}
	return dst
}

// newRank returns a rank that searches this tree: rank 0 holds the root, the others nothing.
func newRank(scheme string, root uint8, rank, size int) lb.Balancer {
	detector, err := termination.New("ring", rank, size)
	if err != nil {
		panic(err)
	}
	balancer, err := lb.New(scheme, lb.Options{
		Work:     stack.New(heights{root}, search.DefaultSplitting, rank == 0),
		Detector: detector,
	}, rank, size)
	if err != nil {
		panic(err)
	}
	return balancer
}

// desk is the surroundings of a rank that is driven by hand: its messages are printed, and wait
// until the example delivers them.
type desk struct {
	rank, size int
	post       *[]comm.Message
}

func (d desk) Rank() int        { return d.rank }
func (d desk) Size() int        { return d.size }
func (d desk) Now() comm.Time   { return 0 }
func (d desk) Alarm(comm.Time)  {}
func (d desk) Rand() *rand.Rand { return rand.New(rand.NewPCG(1, uint64(d.rank))) }

func (d desk) Send(m comm.Message) {
	m.From = int32(d.rank)
	fmt.Printf("%d → %d: %v\n", m.From, m.To, m.Kind)
	*d.post = append(*d.post, m)
}

// A scheme is driven by hand. Rank 1 has no work and sends a request to rank 0, which splits its
// share. Then both ranks expand nodes until their shares are empty, and the token of the ring
// detects the end of the search.
func Example() {
	const size = 2
	var post []comm.Message
	var ranks [size]lb.Balancer
	for i := range ranks {
		ranks[i] = newRank("grr", 4, i, size)
		ranks[i].Start(desk{i, size, &post})
	}
	ranks[0].Step(desk{0, size, &post}, 3) // three nodes, so that there is something to split
	for ranks[0].State() != lb.Done || ranks[1].State() != lb.Done {
		for len(post) > 0 {
			m := post[0]
			post = post[1:]
			ranks[m.To].Deliver(desk{int(m.To), size, &post}, m)
		}
		for i, r := range ranks {
			if r.State() == lb.Busy {
				r.Step(desk{i, size, &post}, 100)
			}
		}
	}
	for i, r := range ranks {
		fmt.Printf("rank %d: %d nodes expanded, pieces given away: %d\n", i, r.Stats().Expanded, r.Stats().Grants)
	}
	// Output:
	// 1 → 0: FetchAdd
	// 0 → 1: FetchAddReply
	// 1 → 0: WorkRequest
	// 0 → 1: Grant
	// 0 → 1: Token
	// 0 → 1: WorkRequest
	// 1 → 0: FetchAdd
	// 1 → 0: Token
	// 1 → 0: Reject
	// 0 → 1: FetchAddReply
	// 0 → 1: Token
	// 0 → 1: WorkRequest
	// 1 → 0: WorkRequest
	// 1 → 0: Token
	// 1 → 0: Reject
	// 0 → 1: Reject
	// 0 → 1: Stop
	// 1 → 0: FetchAdd
	// 0 → 1: FetchAddReply
	// rank 0: 13 nodes expanded, pieces given away: 1
	// rank 1: 18 nodes expanded, pieces given away: 0
}

// The same scheme on goroutines: package local carries the messages, and package spmd calls the
// rank.
func ExampleNew() {
	const size = 4
	var expanded [size]int64
	var all sync.WaitGroup
	for _, endpoint := range local.New(size) {
		all.Go(func() {
			rank := newRank("rp", 15, endpoint.Rank(), size)
			report, err := spmd.DriveRank(endpoint, rank, spmd.Config{Seed: 1})
			if err != nil {
				fmt.Println(err)
			}
			expanded[endpoint.Rank()] = report.Stats.Expanded
		})
	}
	all.Wait()
	total := int64(0)
	for _, n := range expanded {
		total += n
	}
	fmt.Println(total, "nodes")
	// Output: 65535 nodes
}
