package lb_test

import (
	"encoding/binary"
	"fmt"
	"strings"

	"treesplit/comm"
	"treesplit/internal/scenario"
	"treesplit/lb"
	"treesplit/search"
	"treesplit/termination"
)

// The output of the scripts of TestScenarios about ranks and messages. It contains only
// observable data: the messages, the results of Balancer's methods, and the number of nodes of
// a piece.

// player is a Balancer as scenario.World uses it.
type player struct {
	lb.Balancer
	step int // nodes in each round of stabilize
}

func (r *player) State() string { return r.Balancer.State().String() }

// Work expands a few nodes if the rank has any.
func (r *player) Work(env comm.Env) string {
	if r.Balancer.State() != lb.Busy {
		return ""
	}
	return r.expand(env, r.step)
}

func (r *player) expand(env comm.Env, limit int) string {
	before := r.Stats()
	r.Step(env, limit)
	after := r.Stats()
	did := "expands " + count(int(after.Expanded-before.Expanded), "node")
	if n := after.Redundant - before.Redundant; n > 0 {
		did += fmt.Sprintf(" and %d of other parts", n)
	}
	return fmt.Sprintf("%s, %d open", did, r.open())
}

// open returns the number of nodes that the rank has not expanded, as far as it knows them.
func (r *player) open() int { return r.Balancer.(interface{ Progress() lb.Progress }).Progress().Open }

func (p *play) player(rank int) *player { return p.world.Ranks()[rank].(*player) }

// count returns a number with its noun.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// states prints one line for each rank.
func (p *play) states() {
	for i := range p.world.Ranks() {
		r := p.player(i)
		s := r.Stats()
		line := fmt.Sprintf("%d %-8s %2d open, expanded %2d, requests %d, grants %d, rejects %d",
			i, r.State(), r.open(), s.Expanded, s.Requests, s.Grants, s.Rejects)
		if s.Redundant > 0 {
			line += fmt.Sprintf(", of other parts %d", s.Redundant)
		}
		if p.shape.Values {
			line += ", bound " + bound(r.bound())
		}
		p.world.Printf("%s", line)
	}
}

func (r *player) bound() int64 { return r.Balancer.(interface{ Bound() int64 }).Bound() }

func bound(value int64) string {
	if value == search.NoBound {
		return "none"
	}
	return fmt.Sprint(value)
}

// sumUp prints the sums over all ranks when the run is over and no message is in flight.
func (p *play) sumUp() {
	var (
		expanded int64
		credits  termination.Fraction
		bounds   = map[int64]bool{}
	)
	for i := range p.world.Ranks() {
		r := p.player(i)
		if r.Balancer.State() != lb.Done {
			return
		}
		expanded += r.Stats().Expanded
		a := r.Audit()
		credits.AddFraction(&a.Recovered)
		credits.AddFraction(&a.Held)
		bounds[r.bound()] = true
	}
	if p.summed || p.world.CountInFlight() > 0 {
		return
	}
	p.summed = true
	p.world.Printf("over: %v, %d of %d nodes expanded, credits add up to %v",
		p.player(0).Reason(), expanded, p.shape.CountNodes(), &credits)
	if p.shape.Values {
		p.world.Printf("all ranks know the same value: %v, it is the tree's least: %v", len(bounds) == 1, bounds[p.shape.LeastValue()])
	}
}

// left prints the remaining pieces at each rank.
func (p *play) left() error {
	if !p.summed {
		return fmt.Errorf("the run is not over")
	}
	all := 0
	for i := range p.world.Ranks() {
		resumable, ok := p.player(i).Balancer.(lb.Resumable)
		if !ok {
			return fmt.Errorf("rank %d is not a Resumable", i)
		}
		var pieces []string
		resumable.TakeRemaining(func(piece []byte) {
			pieces = append(pieces, p.piece(piece))
			share := p.toy.EmptyShare()
			if share.Accept(piece) == nil {
				all += share.Expand(1 << 30)
			}
		})
		if len(pieces) == 0 {
			pieces = []string{"nothing"}
		}
		p.world.Printf("%d has left: %s", i, strings.Join(pieces, ", "))
	}
	p.world.Printf("below them are %d nodes, themselves included", all)
	return nil
}

// piece describes a piece: parts of the tree or open nodes.
func (p *play) piece(piece []byte) string {
	if len(piece) >= 26 && piece[0] == search.MarkParts { // the format of lb/static_parts.go
		from, n := binary.BigEndian.Uint64(piece[10:]), binary.BigEndian.Uint64(piece[18:])
		return fmt.Sprintf("parts %d to %d of 2^%d", from, from+n-1, piece[1])
	}
	share := p.toy.EmptyShare()
	if err := share.Accept(piece); err != nil {
		return fmt.Sprintf("%d bytes", len(piece))
	}
	return count(share.Open(), "node")
}

// describe describes a message.
func (p *play) describe(m comm.Message) string {
	s := scenario.DescribeMessage(m)
	switch m.Kind {
	case comm.WorkRequest:
		return s + p.requestKind(m)
	case comm.Grant, comm.Deal:
		return fmt.Sprintf("%v of %s, credit 2^-%d", m.Kind, p.piece(m.Body), m.Arg)
	case comm.Reject:
		if m.Arg > 0 {
			s += fmt.Sprintf(" for %d", m.Arg-1)
		}
	case comm.Poll:
		s += fmt.Sprintf(" for %d", m.Arg)
	case comm.FetchAdd:
		s += fmt.Sprintf(" +%d", m.Arg)
		if m.Tag > 0 {
			s += fmt.Sprintf(" to level %d", m.Tag)
		}
	case comm.FetchAddReply:
		s += fmt.Sprintf(" %d", m.Arg)
		if p.scheme == "grr-m" {
			s += fmt.Sprintf(" to level %d", m.Tag)
		}
	case comm.Found, comm.Stop:
		s += fmt.Sprintf(", %v", lb.Reason(m.Arg))
	case comm.Bound:
		s += fmt.Sprintf(" %d", m.Arg)
	}
	return s
}

// requestKind returns the kind of a request in schemes that have two kinds.
func (p *play) requestKind(m comm.Message) string {
	switch {
	case p.scheme == "lifeline" && m.Tag == 1:
		return " by lifeline"
	case p.scheme == "ml":
		return fmt.Sprintf(" to the generator of level %d", m.Tag)
	}
	return ""
}
