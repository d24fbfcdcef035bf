package graphfile

import (
	"fmt"
	"io"
	"math"
	"slices"

	"treesplit/mapping"
)

// The load-balancing data of DARMA vt (LBDatafile): JSON that each rank of a run writes,
// usually compressed with brotli. A phase has tasks, which are objects with what they
// computed for and the rank they were on, and communications.
//
// A task of an object becomes an object, whose computation is its time, rounded to nanoseconds
// (exact up to 52 days). It may move if it is migratable. Resources, subphases and user-defined
// fields are ignored. A SendRecv between two objects becomes an arc. A Broadcast from object to
// object becomes an arc of a proxy group; the broadcasts of an object to a collection form the
// group. Communication of other kinds, from or to a rank, is left out and counted (Skipped). So
// are arcs with an end that no file defines (Unknown).
//
// Source: vt's scripts/LBDatafile_schema.py and lb_data_holder.cc, and the reader of the
// load-balancing analysis framework.

// maxRanks bounds the ranks that files may speak of, for each of which memory is needed.
const maxRanks = 1 << 20

type (
	// entity is an object, or a rank.
	entity struct {
		Type       string  `json:"type"`
		ID         *uint64 `json:"id"`     // with home and more in its bits, or
		SeqID      *uint64 `json:"seq_id"` // without
		Home       *int64  `json:"home"`   // where vt looks it up, not where it is
		Migratable *bool   `json:"migratable"`
		Collection *int64  `json:"collection_id"`
	}
	// task is what an object did in a phase.
	task struct {
		Entity entity   `json:"entity"`
		Node   *int64   `json:"node"`
		Time   *float64 `json:"time"`
	}
	// communication is what was sent in a phase.
	communication struct {
		Type     string   `json:"type"`
		From     entity   `json:"from"`
		To       entity   `json:"to"`
		Bytes    *float64 `json:"bytes"`
		Messages *int64   `json:"messages"`
	}
)

// recording is what of a vt file is written again.
type recording struct {
	tasks          [][]byte // JSON, of each object
	communications [][]byte
	ends           [][2]int32 // objects of each communication, or none
}

// none is in place of an object that is not known.
const none int32 = -1

// key names an object.
type key struct {
	seq    bool // its number is a seq_id
	number uint64
	home   int64 // of a seq_id that comes with one, whose home is part of the name
}

const anyHome = math.MinInt64

// vtReader puts the files of a run together.
type vtReader struct {
	options Options
	file    *File
	at      []span // of each object's task, in the document
	from    []*document
	known   map[key]int32
	hasHome []bool // of each object, whether its task names a home
	ranks   int64
	groups  map[[2]int64]int32 // sender and collection: proxy group
}

// ReadVT reads the files of all ranks of a run. It calls open for each file and closes the file
// afterwards. P is the number of ranks in the files, unless the options give it. A rank without
// data for the phase must declare that the phase is like the previous one. Time and memory are
// linear in the text.
func ReadVT(names []string, open func(name string) (io.ReadCloser, error), o Options) (*File, error) {
	if len(names) == 0 {
		return nil, fmt.Errorf("no files: expected at least one")
	}
	var all []*rankFile
	total := 0
	for _, name := range names {
		in, err := open(name)
		if err != nil {
			return nil, err
		}
		x, err := readRankFile(name, in, o)
		if err := firstError(err, in.Close()); err != nil {
			return nil, err
		}
		if total += len(x.text); total > maxRanksText {
			return nil, fmt.Errorf("%s: the files of all ranks have more than %d bytes of text: expected less", name, maxRanksText)
		}
		all = append(all, x)
	}
	return assembleProblem(all, o)
}

// firstError returns the first error.
func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// assembleProblem makes a problem of the files of all ranks.
func assembleProblem(all []*rankFile, o Options) (*File, error) {
	phase, err := choosePhase(all, o)
	if err != nil {
		return nil, err
	}
	v := &vtReader{
		options: o, known: map[key]int32{}, groups: map[[2]int64]int32{}, ranks: int64(len(all)),
		file: &File{Format: VT, Problem: &mapping.Problem{}, Phase: int(phase), vt: &recording{}},
	}
	for _, x := range all {
		v.ranks = max(v.ranks, x.rank+1)
		if err := x.eachElement(x.tasks, "tasks", func(at span) error { return v.addTaskObject(x.document, at) }); err != nil {
			return nil, err
		}
	}
	if err := v.settleHomes(); err != nil {
		return nil, err
	}
	for _, x := range all {
		if err := x.eachElement(x.communications, "communications", func(at span) error { return v.communication(x.document, at) }); err != nil {
			return nil, err
		}
	}
	return v.file, checkProblem(all[0].name, v.file.Problem)
}

// addTaskObject adds an object.
func (v *vtReader) addTaskObject(d *document, at span) error {
	var t task
	if err := d.decodeValue(at, "task", &t); err != nil {
		return err
	}
	switch {
	case t.Entity.Type != "object":
		return d.errorAtOffset(at.from, "task: entity of type %q: expected \"object\"", t.Entity.Type)
	case t.Entity.ID == nil && t.Entity.SeqID == nil:
		return d.errorAtOffset(at.from, "task: expected an entity with id or seq_id")
	case t.Entity.Migratable == nil:
		return d.errorAtOffset(at.from, "task: expected an entity with migratable")
	case t.Node == nil || *t.Node < 0 || *t.Node >= maxRanks:
		return d.errorAtOffset(at.from, "task: expected a node, 0 to %d", maxRanks-1)
	case t.Time == nil || !(*t.Time >= 0 && *t.Time <= mapping.MaxTotal/1e9):
		return d.errorAtOffset(at.from, "task: expected a time, 0 or more seconds, less than 2^60 ns")
	}
	v.ranks = max(v.ranks, *t.Node+1)
	if first, twice := v.defineNames(t.Entity, int32(len(v.at))); twice {
		if *t.Time == 0 { // vt ends phase 0 of each rank with such a task for object 0
			return nil
		}
		other := v.from[first].errorAtOffset(v.at[first].from, "its other task")
		return d.errorAtOffset(at.from, "task: object %s again: expected one task of it, see %v", t.Entity.objectName(), other)
	}
	o := mapping.Object{
		Name: t.Entity.objectName(), Comp: int64(math.Round(float64(*t.Time * 1e9))),
		Home: int32(*t.Node), Fixed: !*t.Entity.Migratable,
	}
	v.file.Problem.Objects = append(v.file.Problem.Objects, o)
	v.file.Start = append(v.file.Start, o.Home)
	v.at, v.from, v.hasHome = append(v.at, at), append(v.from, d), append(v.hasHome, t.Entity.Home != nil)
	v.file.vt.tasks = append(v.file.vt.tasks, d.text[at.from:at.to])
	return nil
}

// objectName is what people call an object.
func (e entity) objectName() string {
	if e.ID != nil {
		return fmt.Sprint(*e.ID)
	}
	return fmt.Sprint(*e.SeqID)
}

// lookupKeys are an object's names: id, and seq_id with the home if there is one, since ranks
// count their objects one by one.
func (e entity) lookupKeys() (all []key) {
	if e.ID != nil {
		all = append(all, key{number: *e.ID})
	}
	if e.SeqID != nil {
		k := key{true, *e.SeqID, anyHome}
		if e.Home != nil {
			k.home = *e.Home
		}
		all = append(all, k)
	}
	return all
}

// defineNames gives an object its names, unless it has been defined already.
func (v *vtReader) defineNames(e entity, n int32) (first int32, twice bool) {
	keys := e.lookupKeys()
	for _, k := range keys {
		if first, ok := v.known[k]; ok && first != none {
			return first, true
		}
	}
	for _, k := range keys {
		v.known[k] = n
	}
	if e.SeqID != nil && e.Home != nil {
		k := key{true, *e.SeqID, anyHome}
		if _, ok := v.known[k]; ok {
			n = none // which of several it is only the home tells
		}
		v.known[k] = n
	}
	return none, false
}

// findObject returns the object that an end of an arc names. Many files leave out the home there. An
// end with a home names an object with this home, or an object whose task has no home.
func (v *vtReader) findObject(e entity) int32 {
	for _, k := range e.lookupKeys() {
		if i, ok := v.known[k]; ok && i != none {
			return i
		}
	}
	if e.SeqID != nil && e.Home != nil {
		if i, ok := v.known[key{true, *e.SeqID, anyHome}]; ok && i != none && !v.hasHome[i] {
			return i
		}
	}
	return none
}

// settleHomes settles on P, and who is at home where. With fewer processors than there were
// ranks, objects of the others have no home, and there is no map to start from.
func (v *vtReader) settleHomes() error {
	if v.ranks > maxRanks {
		return fmt.Errorf("%d ranks: expected at most %d", v.ranks, maxRanks)
	}
	p := v.file.Problem
	if p.Processors = v.options.Processors; p.Processors == 0 {
		p.Processors = int(v.ranks)
	}
	for i := range p.Objects {
		o := &p.Objects[i]
		if int(o.Home) < p.Processors {
			continue
		}
		if o.Fixed {
			return v.from[i].errorAtOffset(v.at[i].from, "task: object %s cannot leave node %d: expected more than %d processors", o.Name, o.Home, p.Processors)
		}
		o.Home, v.file.Start = mapping.Nowhere, nil
	}
	return nil
}

// communication adds an arc.
func (v *vtReader) communication(d *document, at span) error {
	var c communication
	if err := d.decodeValue(at, "communication", &c); err != nil {
		return err
	}
	const most = 1 << 53
	switch {
	case c.Bytes == nil || !(*c.Bytes >= 0 && *c.Bytes <= most):
		return d.errorAtOffset(at.from, "communication: expected bytes, 0 to 2^53")
	case c.Messages == nil || *c.Messages < 0 || *c.Messages > most:
		return d.errorAtOffset(at.from, "communication: expected messages, 0 to 2^53")
	}
	ends := [2]int32{none, none}
	if c.From.Type == "object" {
		ends[0] = v.findObject(c.From)
	}
	if c.To.Type == "object" {
		ends[1] = v.findObject(c.To)
	}
	v.file.vt.communications = append(v.file.vt.communications, d.text[at.from:at.to])
	v.file.vt.ends = append(v.file.vt.ends, ends)
	if !slices.Contains([]string{"SendRecv", "Broadcast"}, c.Type) || c.From.Type != "object" || c.To.Type != "object" {
		v.file.Skipped++
		return nil
	}
	if ends[0] == none || ends[1] == none {
		v.file.Unknown++
		return nil
	}
	m, bytes := v.options.Machine, int64(math.Round(*c.Bytes))
	for _, ns := range []float64{
		float64(m.SendMessage*float64(*c.Messages)) + float64(m.SendByte*float64(bytes)),
		float64(m.ReceiveMessage*float64(*c.Messages)) + float64(m.ReceiveByte*float64(bytes)),
	} {
		if !(ns >= 0 && ns <= mapping.MaxTotal) {
			return d.errorAtOffset(at.from, "communication: it costs %g ns: expected 0 to 2^60", ns)
		}
	}
	a := mapping.Arc{From: ends[0], To: ends[1], Proxy: mapping.NoProxy}
	a.Send, a.Receive = m.MessageCosts(*c.Messages, bytes)
	if c.Type == "Broadcast" {
		a.Proxy = v.proxyGroup(a.From, c.To.Collection)
	}
	v.file.Problem.Arcs = append(v.file.Problem.Arcs, a)
	return nil
}

// proxyGroup returns the proxy group of what an object broadcasts to a collection.
func (v *vtReader) proxyGroup(from int32, collection *int64) int32 {
	k := [2]int64{int64(from), -1}
	if collection != nil {
		k[1] = *collection
	}
	g, ok := v.groups[k]
	if !ok {
		g = int32(len(v.groups))
		v.groups[k] = g
	}
	return g
}
