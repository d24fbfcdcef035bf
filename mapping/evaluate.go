package mapping

import "slices"

// Evaluation is the cost of a map.
type Evaluation struct {
	Cost     []int64 // ns of each processor: background, computation and communication
	Makespan int64   // the largest of them
	Comp     int64   // ns of computation of all objects
	Comm     int64   // ns of communication paid by all processors
}

// Efficiency returns the computation divided by P times the makespan.
func (e Evaluation) Efficiency() float64 {
	if e.Makespan == 0 {
		return 1
	}
	return float64(e.Comp) / (float64(len(e.Cost)) * float64(e.Makespan))
}

// EvaluateMap computes the costs of a map by the definition (section 2). It shares no code with
// the strategies, because it checks their results. The map must be a map of the problem. It takes
// O(n + a log a + P) time for n objects and a arcs.
func (p *Problem) EvaluateMap(m Map) Evaluation {
	e := Evaluation{Cost: make([]int64, p.Processors)}
	copy(e.Cost, p.Background)
	for i, o := range p.Objects {
		e.Cost[m[i]] += o.Comp
		e.Comp += o.Comp
	}
	pay := func(from, to int32, send, receive int64) {
		e.Cost[from] += send
		e.Cost[to] += receive
		e.Comm += send + receive
	}
	var grouped []Arc
	for _, a := range p.Arcs {
		switch {
		case a.Proxy != NoProxy:
			grouped = append(grouped, a)
		case m[a.From] != m[a.To]:
			pay(m[a.From], m[a.To], a.Send, a.Receive)
		}
	}
	slices.SortFunc(grouped, func(a, b Arc) int {
		if a.From != b.From {
			return int(a.From - b.From)
		}
		return int(a.Proxy - b.Proxy)
	})
	for len(grouped) > 0 {
		first, n := grouped[0], 0
		send, receive, reached := int64(0), int64(0), map[int32]bool{}
		for _, a := range grouped {
			if a.From != first.From || a.Proxy != first.Proxy {
				break
			}
			n++
			send, receive = max(send, a.Send), max(receive, a.Receive)
			if m[a.To] != m[a.From] {
				reached[m[a.To]] = true
			}
		}
		for q := range reached {
			pay(m[first.From], q, send, receive)
		}
		grouped = grouped[n:]
	}
	for _, c := range e.Cost {
		e.Makespan = max(e.Makespan, c)
	}
	return e
}
