package objects

import (
	"strconv"

	"treesplit/comm"
	"treesplit/mapping"
)

// Report holds the observations of rank 0 about a run.
type Report struct {
	Phases   []Phase // complete phases
	Checksum uint64  // of the states of all objects after the last phase; 0 before its end
}

// Phase holds the observations of rank 0 about a phase. All times except Time are measured by the
// clock of Config.
type Phase struct {
	Time      comm.Time   // from the beginning of the phase on rank 0 until rank 0 knew that all ranks had ended it, by its Env
	Map       mapping.Map // the places of the objects
	Moved     int         // number of objects that came from another rank after the previous phase
	Predicted int64       // ns; the makespan of Map by the measurements of the previous phase; 0 in the first phase
	Makespan  int64       // ns; the makespan of Map by the measurements of this phase: the largest of Costs
	Costs     []int64     // ns, by rank: loads of its objects, and costs of their messages there
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
