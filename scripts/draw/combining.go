package main

import (
	"fmt"

	"treesplit/comm"
	"treesplit/internal/svg"
	"treesplit/lb"
	"treesplit/search/model"
	"treesplit/sim"
	"treesplit/termination"
)

const (
	combiningRanks = 8
	microsecond    = comm.Time(1000)
	combiningDelay = 500 * microsecond
)

// flight is a message between its two ends.
type flight struct {
	comm.Message
	sent, received comm.Time
}

// traceCombining simulates the beginning of a run under grr-m, and returns the first request of each
// rank for the counter, combined on its way, with all answers.
func traceCombining() (flights []flight, err error) {
	machine, err := sim.FindMachine("ncube2")
	if err != nil {
		return nil, err
	}
	const nodes = 20000
	type channel struct{ from, to int32 }
	open := map[channel][]int{} // flights that are not received
	answered := 0
	again := map[int]bool{} // ranks whose next request is no longer their first
	_, err = sim.Run(machine, combiningRanks, 1, func(rank int) lb.Balancer {
		detector, failed := termination.New("ring", rank, combiningRanks)
		share := model.New(0, model.Splitting{Alpha: 0.3, Seed: 1})
		if rank == 0 {
			share = model.New(nodes, model.Splitting{Alpha: 0.3, Seed: 1})
		}
		b, also := lb.New("grr-m", lb.Options{Work: share, Detector: detector, Delay: combiningDelay}, rank, combiningRanks)
		if failed != nil || also != nil {
			panic(fmt.Sprint(failed, also))
		}
		return b
	}, sim.Options{Nodes: nodes, Trace: func(e sim.Entry) {
		m := e.Message
		m.Body = nil
		if m.Kind != comm.FetchAdd && m.Kind != comm.FetchAddReply {
			return
		}
		switch ch := (channel{m.From, m.To}); {
		case e.What == sim.Sent && m.Kind == comm.FetchAdd && again[e.Rank]:
		case e.What == sim.Sent && answered < combiningRanks-1:
			ch.from, m.From = int32(e.Rank), int32(e.Rank)
			open[ch] = append(open[ch], len(flights))
			flights = append(flights, flight{m, e.At, 0})
		case e.What == sim.Received && len(open[ch]) > 0:
			flights[open[ch][0]].received = e.At
			open[ch] = open[ch][1:]
			if m.Kind == comm.FetchAddReply {
				answered++
				again[e.Rank] = true
			}
		}
	}})
	return flights, err
}

// countRequests counts the messages to rank 0 with requests.
func countRequests(flights []flight) (n int) {
	for _, f := range flights {
		if f.Kind == comm.FetchAdd && f.To == 0 {
			n++
		}
	}
	return n
}

// drawCombining draws how requests for GRR-M's counter are combined on their way to rank 0.
func drawCombining() (*svg.Canvas, error) {
	flights, err := traceCombining()
	if err != nil {
		return nil, err
	}
	const width, left, right, top, row = 760.0, 84.0, 40.0, 64.0, 46.0
	bottom := top + row*(combiningRanks-1)
	c := svg.New(width, bottom+74, "Combining of requests under grr-m on 8 simulated ranks",
		"Requests for the counter at rank 0 travel up a tree. A rank adds a second request to the one that it holds.")
	c.TextSized(left, 26, 15, svg.Start, "ink bold", fmt.Sprintf("grr-m: the first %d requests reach the counter at rank 0 in %d messages", combiningRanks-1, countRequests(flights)))
	c.Line(left, 44, left+30, 44, "line c0")
	c.Text(left+38, 48.5, svg.Start, "ink", "request for n values of the counter (+n)")
	c.Line(left+350, 44, left+380, 44, "line c1 dash")
	c.Text(left+388, 48.5, svg.Start, "ink", "answer: the first of them")
	end := comm.Time(0)
	for _, f := range flights {
		end = max(end, f.received)
	}
	x := func(t comm.Time) float64 { return left + float64(t)/float64(end)*(width-left-right) }
	y := func(rank int32) float64 { return top + 22 + row*float64(rank) }
	for r := range int32(combiningRanks) {
		c.Line(left, y(r), width-right, y(r), "grid thin")
		c.Text(left-10, y(r)+4.5, svg.End, "muted", fmt.Sprint("rank ", r))
	}
	for step := comm.Time(0); step <= end; step += 500 * microsecond {
		c.Line(x(step), y(7)+10, x(step), y(7)+15, "ref thin")
		c.Text(x(step), y(7)+31, svg.Middle, "muted", fmt.Sprintf("%d µs", step/microsecond))
	}
	for _, f := range flights {
		request := f.Kind == comm.FetchAdd
		class, head := "line c1 dash", "f1"
		if request {
			class, head = "line c0", "f0"
		}
		c.Arrow(x(f.sent), y(f.From), x(f.received), y(f.To), class, head)
	}
	for _, f := range flights {
		if f.Kind == comm.FetchAdd {
			c.Text(x(f.sent)-6, y(f.From)-8, svg.End, "f0 bold", fmt.Sprintf("+%d", f.Arg))
		} else {
			c.Text(x(f.received)+6, y(f.To)-8, svg.Start, "f1 bold", fmt.Sprint(f.Arg))
		}
	}
	return c, nil
}
