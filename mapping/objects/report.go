package objects

import (
	"strconv"

	"treesplit/comm"
	"treesplit/mapping"
)

// Report is what rank 0 has seen of a run.
type Report struct {
	Phases   []Phase // that are over
	Checksum uint64  // of the states of all objects after the last; 0 before that is over
}

// Phase is what rank 0 has seen of a phase. What is measured is by the clock of Config, but
// for Time.
type Phase struct {
	Time      comm.Time   // from the moment that rank 0 began it until it knew that all had ended, by its Env
	Map       mapping.Map // where objects were
	Moved     int         // objects that came from elsewhere after the phase before
	Predicted int64       // ns; the makespan of Map by what the phase before has shown; 0 in the first
	Makespan  int64       // ns; of Map by what this phase has shown: the largest of Costs
	Costs     []int64     // ns, by rank: loads of its objects, and what their messages cost there
	Comp      int64       // ns; the sum of Loads
	Loads     []int64     // ns that each object has computed
	Messages  int64       // from object to object between ranks
	Bytes     int64       // of those messages
}

// MappingProblem returns the measurements of a phase, on the given number of processors, as a
// mapping problem: the measured loads, every object's rank as its home, and one arc for each two
// partners with the cost of its messages. O(n²) time and space.
func (b *Benchmark) MappingProblem(processors int, phase *Phase, costs mapping.Machine) *mapping.Problem {
	p := &mapping.Problem{Processors: processors}
	for i, load := range phase.Loads {
		p.Objects = append(p.Objects, mapping.Object{Name: strconv.Itoa(i), Comp: load, Home: phase.Map[i]})
	}
	send, receive := costs.MessageCosts(int64(b.Iterations), int64(b.Iterations)*int64(b.Bytes))
	for i := range phase.Loads {
		for _, o := range b.partnerOffsets() {
			p.Arcs = append(p.Arcs, mapping.Arc{
				From: int32(i), To: int32((i + o) % b.Objects), Send: send, Receive: receive, Proxy: mapping.NoProxy,
			})
		}
	}
	return p
}
