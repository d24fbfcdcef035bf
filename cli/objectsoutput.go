package cli

import (
	"fmt"
	"io"
	"strconv"

	"treesplit/cli/internal/units"
	"treesplit/mapping"
	"treesplit/mapping/objects"
	"treesplit/run"
	"treesplit/run/workloads"
	"treesplit/study/figure"
)

// objectsResult is the JSON of objects. Spans are in nanoseconds unless their names state another
// unit.
type objectsResult struct {
	*run.Result
	Strategy     string      `json:"strategy"`
	Objects      int         `json:"objects"`
	Iterations   int         `json:"iterations"` // of a phase
	Work         int         `json:"work"`
	Sizes        string      `json:"sizes"`
	MessageBytes int         `json:"messageBytes"`
	Start        string      `json:"start"`
	Send         float64     `json:"send"`    // the assumed cost of a message for its sender
	Receive      float64     `json:"receive"` // the assumed cost of a message for its receiver
	Clock        string      `json:"clock"`   // the clock that measures computation
	Phases       []phaseJSON `json:"phases"`
	Speedup      *float64    `json:"speedup"`            // time of the first phase divided by the time of the last; null if there is none
	Checksum     string      `json:"checksum,omitempty"` // of the states of all objects, in hexadecimal; only of complete runs
	Verified     bool        `json:"verified"`           // the checksum equals the checksum of a plain loop that ran before
}

// phaseJSON is a phase.
type phaseJSON struct {
	Seconds   float64     `json:"seconds"`
	Predicted int64       `json:"predicted,omitempty"` // makespan of the map, predicted from the phase before
	Makespan  int64       `json:"makespan"`            // makespan as measured in this phase
	Comp      int64       `json:"comp"`                // computation of all objects
	Costs     []int64     `json:"costs"`               // of each rank
	Moved     int         `json:"moved"`               // objects that moved before the phase
	Messages  int64       `json:"messages"`            // between ranks
	Bytes     int64       `json:"bytes"`
	Map       mapping.Map `json:"map"`
}

func newObjectsJSON(w *workloads.Objects, r *run.Result, o *workloads.Observed) *objectsResult {
	b := w.Benchmark
	out := &objectsResult{
		Result: r, Strategy: w.Strategy, Objects: b.Objects, Iterations: b.Iterations, Work: b.Work, Sizes: b.Sizes,
		MessageBytes: b.Bytes, Start: b.Start, Send: o.Costs.SendMessage, Receive: o.Costs.ReceiveMessage, Clock: o.Clock,
		Phases: []phaseJSON{}, Speedup: speedup(o.Phases),
	}
	for _, p := range o.Phases {
		out.Phases = append(out.Phases, phaseJSON{
			Seconds: p.Time.Duration().Seconds(), Predicted: p.Predicted, Makespan: p.Makespan, Comp: p.Comp, Costs: p.Costs,
			Moved: p.Moved, Messages: p.Messages, Bytes: p.Bytes, Map: p.Map,
		})
	}
	if len(o.Phases) == b.Phases {
		out.Checksum = fmt.Sprintf("%016x", o.Checksum)
		out.Verified = o.Loop != nil
	}
	return out
}

// speedup returns the time of the first phase divided by the time of the last.
func speedup(all []objects.Phase) *float64 {
	if len(all) < 2 || all[len(all)-1].Time == 0 {
		return nil
	}
	s := float64(all[0].Time) / float64(all[len(all)-1].Time)
	return &s
}

// printText prints the result as text.
func (r *objectsResult) printText(out io.Writer) {
	t := figure.Table{
		Title: fmt.Sprintf("%d objects on %d ranks, %d iterations per phase, mapped by %s", r.Objects, r.Ranks, r.Iterations, r.Strategy),
		Head:  []string{"phase", "time", "predicted", "makespan", "ideal", "moved", "messages"},
	}
	for i, p := range r.Phases {
		predicted := "–"
		if i > 0 {
			predicted = units.Nanoseconds(p.Predicted)
		}
		ideal := (p.Comp + int64(r.Ranks) - 1) / int64(r.Ranks)
		t.Rows = append(t.Rows, []string{
			strconv.Itoa(i + 1), units.Seconds(p.Seconds), predicted, units.Nanoseconds(p.Makespan), units.Nanoseconds(ideal), units.Count(int64(p.Moved)), units.Count(p.Messages),
		})
	}
	t.PrintText(out)
	if r.Speedup != nil {
		fmt.Fprintf(out, "the last phase was %.2f times as fast as the first\n", *r.Speedup)
	}
	fmt.Fprintf(out, "a message of %s costs %s to send and %s to receive; computation is measured in %s\n",
		units.Bytes(int64(r.MessageBytes)), units.Seconds(r.Send/1e9), units.Seconds(r.Receive/1e9), r.Clock)
	if r.Checksum != "" {
		verified := ""
		if r.Verified {
			verified = ", equal to that of the plain loop"
		}
		fmt.Fprintf(out, "checksum %s%s\n", r.Checksum, verified)
	}
}
