package graphfile

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strconv"

	"treesplit/mapping"
)

// Maps as load-balancing data of vt: everything that was read, with the ranks that the
// map gives in place of those where objects were.

// WriteVT writes a map, or where the objects are if it is nil, with all ranks in one
// file. Of a graph that comes from METIS or Scotch a byte stands for each nanosecond that
// an edge costs: it costs the same when it is read with a Machine of 1 ns for a byte at
// either end.
func WriteVT(w io.Writer, f *File, m mapping.Map) error {
	return writeVTFile(w, f, m, 0, func(int32) bool { return true })
}

// WriteVTRank writes what a rank has of it, as vt does, which wants a file for each rank:
// tasks are on the rank they are mapped to, communications on that of the sender, or of
// the receiver if the sender is unknown, or on rank 0.
func WriteVTRank(w io.Writer, f *File, m mapping.Map, rank int) error {
	return writeVTFile(w, f, m, rank, func(q int32) bool { return int(q) == rank })
}

func writeVTFile(w io.Writer, f *File, m mapping.Map, rank int, ours func(int32) bool) error {
	if m == nil {
		m = f.Start
	}
	if err := f.Problem.CheckMap(m); err != nil {
		return err
	}
	r := f.vt
	if r == nil {
		var err error
		if r, err = recordGraph(f.Problem); err != nil {
			return err
		}
	}
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "{\"type\":\"LBDatafile\",\"metadata\":{\"type\":\"LBDatafile\",\"rank\":%d},\"phases\":[{\"id\":%d,\"tasks\":[", rank, f.Phase)
	l := list{out: out}
	for i, text := range r.tasks {
		if ours(m[i]) {
			moved, err := taskOnRank(text, m[i])
			if err != nil {
				return err
			}
			l.addElement(moved)
		}
	}
	out.WriteString("\n],\"communications\":[")
	l = list{out: out}
	for k, text := range r.communications {
		at := int32(0)
		if from, to := r.ends[k][0], r.ends[k][1]; from != none {
			at = m[from]
		} else if to != none {
			at = m[to]
		}
		if ours(at) {
			l.addElement(text)
		}
	}
	out.WriteString("\n]}]}\n")
	return out.Flush()
}

// list writes elements of an array.
type list struct {
	out *bufio.Writer
	any bool
}

func (l *list) addElement(element []byte) {
	if l.any {
		l.out.WriteByte(',')
	}
	l.any = true
	l.out.WriteByte('\n')
	l.out.Write(element)
}

// taskOnRank is a task on another rank.
func taskOnRank(text []byte, rank int32) ([]byte, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(text, &members); err != nil {
		return nil, err
	}
	members["node"] = strconv.AppendInt(nil, int64(rank), 10)
	return json.Marshal(members)
}

// recordGraph says a graph in vt's words. What vt's own checks of its files ask for is
// there: numbers that need not be whole have a decimal point.
func recordGraph(p *mapping.Problem) (*recording, error) {
	r := &recording{}
	name := func(i int32) string {
		return fmt.Sprintf(`{"type":"object","seq_id":%d,"home":%d,"migratable":%t,"collection_id":1}`, i+1, max(p.Objects[i].Home, 0), !p.Objects[i].Fixed)
	}
	for i, o := range p.Objects {
		text := fmt.Sprintf(`{"entity":%s,"node":0,"resource":"cpu","time":%d.%09d}`, name(int32(i)), o.Comp/1e9, o.Comp%1e9)
		r.tasks = append(r.tasks, []byte(text))
	}
	for k, a := range p.Arcs {
		if a.Send != a.Receive || a.Proxy != mapping.NoProxy {
			return nil, fmt.Errorf("arc %d: expected one that costs the same at both ends and is in no proxy group", k)
		}
		text := fmt.Sprintf(`{"type":"SendRecv","from":%s,"to":%s,"messages":1,"bytes":%d.0}`, name(a.From), name(a.To), a.Send)
		r.communications, r.ends = append(r.communications, []byte(text)), append(r.ends, [2]int32{a.From, a.To})
	}
	return r, nil
}
