package lb

import (
	"fmt"
	"math"

	"treesplit/comm"
	"treesplit/search"
)

// GeneratorRank is a rank under SL or ML, the sender-initiated schemes with subtask generation
// on demand (Furuichi, Taki and Ichiyoshi 1990; Kumar et al., sections 6.1 and 6.2). A
// generator expands the tree down to a cutoff depth and hands out every node at that depth to
// the next requester.
//
// Under SL (single level) rank 0 is the only generator, and every rank asks it. Under ML
// (multi level) generators form an m-ary tree, m = ⌈P^(1/l)⌉ unless Options.Arity sets it. The
// generator at the root cuts
// off large subtasks at depth D/l and hands them to the generators below, which cut them into
// smaller ones, and so on for l levels. Each generator of the last level serves P/m^(l−1)
// ranks. A generator that has nothing left to hand out refuses all further requests, and its
// requesters ask the next generator of its level.
//
// Departures from the paper: every rank works, including generators, as the speedups of table
// 5 suggest (7.51 on 8 ranks). A rank performs all its roles itself, and messages between them
// go through its own inbox.
type GeneratorRank struct {
	rank
	levels     int // l; role number l is the rank's own work
	arity      int // m
	generators []*generator
	worker     asker
}

// generator is one role: it asks the level above for subtasks and cuts them into smaller ones.
type generator struct {
	asker
	work   search.Work
	tasks  search.Subtasker // the capability of work
	credit credit
	depth  int            // the depth at which it cuts off subtasks
	queue  []comm.Message // requests without an answer
}

// asker is the common part of a generator and a worker: it asks a generator of the level
// above.
type asker struct {
	level    int  // the level of this role
	supplier int  // index of the generator to ask, at level−1
	refused  int  // number of generators that have refused because they have nothing left
	waiting  bool // a request is not answered
}

// NewGeneratorRank returns a rank under SL (levels = 1) or ML. It panics if Options.Work is no
// search.Subtasker.
func NewGeneratorRank(o Options, levels, rank, size int) *GeneratorRank {
	r := &GeneratorRank{rank: newRank(o), levels: levels}
	r.arity = int(math.Ceil(math.Pow(float64(size), 1/float64(levels)) - 1e-9))
	if levels > 1 && o.Arity > 0 {
		r.arity = max(o.Arity, 2)
	}
	for l := range levels {
		index, ok := r.generatorIndexAt(l, rank, size)
		if !ok {
			continue
		}
		g := &generator{asker: r.newAsker(l, index, r.countGenerators(l, size), size), depth: o.Cutoff * (l + 1) / levels}
		g.depth = max(g.depth, l+1)
		if rank == 0 && l == 0 { // the first generator holds the root of the search
			g.work = r.work
			r.workOnShare(o.Fresh())
		} else {
			g.work = o.Fresh()
			r.trackShare(g.work)
		}
		g.tasks = asSubtasker(g.work)
		r.generators = append(r.generators, g)
	}
	r.worker = r.newAsker(levels, rank, size, size)
	return r
}

// countGenerators returns the number of generators of a level.
func (r *GeneratorRank) countGenerators(level, size int) int {
	n := 1
	for range level {
		n = min(n*r.arity, size)
	}
	return n
}

// hostOfGenerator returns the rank of a generator.
func (r *GeneratorRank) hostOfGenerator(level, index, size int) int {
	return index * size / r.countGenerators(level, size)
}

// generatorIndexAt returns the index of the generator of a level that a rank hosts, if there
// is one.
func (r *GeneratorRank) generatorIndexAt(level, rank, size int) (index int, ok bool) {
	n := r.countGenerators(level, size)
	index = (rank*n + size - 1) / size
	return index, index < n && r.hostOfGenerator(level, index, size) == rank
}

// newAsker returns the asker with the given index of n at a level.
func (r *GeneratorRank) newAsker(level, index, n, size int) asker {
	a := asker{level: level}
	if level > 0 {
		a.supplier = index * r.countGenerators(level-1, size) / n
	}
	return a
}

// Start gives the root to the first generator; all roles without work send requests.
func (r *GeneratorRank) Start(env comm.Env) {
	r.state = Waiting
	if env.Rank() == 0 {
		root := r.generators[0]
		root.credit.holdPiece(0)
		r.account.noteReceived(root.work)
		r.others++
		r.recoverIfEmpty(env, root)
	}
	r.advanceRoles(env)
}

// Step generates a subtask for the first waiting requester. If there is none it expands nodes
// of the rank's own work.
func (r *GeneratorRank) Step(env comm.Env, limit int) (expanded int) {
	for _, g := range r.generators {
		if len(g.queue) > 0 && g.credit.held {
			expanded = r.generateSubtask(env, g, limit)
			r.advanceRoles(env)
			return expanded
		}
	}
	if r.credit.held {
		expanded = r.expandNodes(env, limit)
	}
	r.advanceRoles(env)
	return expanded
}

// generateSubtask expands nodes towards the next subtask and hands it out.
func (r *GeneratorRank) generateSubtask(env comm.Env, g *generator, limit int) int {
	piece, n, ok := r.cutSubtask(g.work, g.tasks, g.depth, limit)
	r.spreadImprovement(env)
	if ok {
		m := g.queue[0]
		g.queue = g.queue[1:]
		r.sendPiece(env, int(m.From), int32(m.Arg), g.credit.giveAwayHalf(), piece)
	}
	if search.Decided(g.work) {
		r.Halt(env, Decided)
		return n
	}
	r.recoverIfEmpty(env, g)
	return n
}

// recoverIfEmpty returns a generator's credit if all its work is handed out.
func (r *GeneratorRank) recoverIfEmpty(env comm.Env, g *generator) {
	if !g.credit.held || !g.work.Empty() {
		return
	}
	r.others--
	r.detector.Recover(env, g.credit.recoverHeld())
}

// advanceRoles lets the roles request the work that they need, and sets the rank's state.
func (r *GeneratorRank) advanceRoles(env comm.Env) {
	if r.state == Done || r.halting {
		return
	}
	r.state = Waiting
	for _, g := range r.generators {
		if len(g.queue) > 0 && !g.credit.held {
			r.requestSubtask(env, &g.asker)
			r.rejectQueued(env, g)
		}
		if len(g.queue) > 0 && g.credit.held {
			r.state = Busy
		}
	}
	if r.credit.held {
		r.state = Busy
	} else {
		r.requestSubtask(env, &r.worker)
	}
	r.reportIdle(env)
}

// requestSubtask sends an asker's request, unless one is not answered or all generators above
// have nothing left.
func (r *GeneratorRank) requestSubtask(env comm.Env, a *asker) {
	if a.waiting || r.isSupplyExhausted(a, env.Size()) {
		return
	}
	a.waiting = true
	if a.level == r.levels {
		r.noteRequest(env, soleRequest)
	}
	to := r.hostOfGenerator(a.level-1, a.supplier, env.Size())
	env.Send(comm.Message{To: int32(to), Kind: comm.WorkRequest, Tag: int32(a.level - 1), Arg: int64(a.level)})
}

// isSupplyExhausted reports whether no more subtasks can come from the level above.
func (r *GeneratorRank) isSupplyExhausted(a *asker, size int) bool {
	return a.level == 0 || a.refused == r.countGenerators(a.level-1, size)
}

// rejectQueued refuses the waiting requesters of a generator that has nothing left.
func (r *GeneratorRank) rejectQueued(env comm.Env, g *generator) {
	if g.credit.held || !r.isSupplyExhausted(&g.asker, env.Size()) {
		return
	}
	for _, m := range g.queue {
		r.stats.Rejects++
		env.Send(comm.Message{To: m.From, Kind: comm.Reject, Tag: int32(m.Arg)})
	}
	g.queue = g.queue[:0]
}

// Deliver handles a message.
func (r *GeneratorRank) Deliver(env comm.Env, m comm.Message) {
	if r.handleControl(env, m) {
		return
	}
	switch {
	case m.Kind == comm.WorkRequest && r.generatorOfLevel(m.Tag) != nil:
		g := r.generatorOfLevel(m.Tag)
		g.queue = append(g.queue, m)
	case m.Kind == comm.Grant && int(m.Tag) == r.levels:
		r.worker.waiting = false
		r.noteAnswer(env, soleRequest, true)
		r.takeGrant(m)
	case m.Kind == comm.Grant && r.generatorOfLevel(m.Tag) != nil:
		r.takeSubtask(r.generatorOfLevel(m.Tag), m)
	case m.Kind == comm.Reject && int(m.Tag) == r.levels:
		r.noteAnswer(env, soleRequest, false)
		r.switchSupplier(env, &r.worker)
	case m.Kind == comm.Reject && r.generatorOfLevel(m.Tag) != nil:
		r.switchSupplier(env, &r.generatorOfLevel(m.Tag).asker)
	default:
		r.failUnexpected(m)
	}
	r.advanceRoles(env)
}

// generatorOfLevel returns the rank's generator of a level, or nil.
func (r *GeneratorRank) generatorOfLevel(level int32) *generator {
	for _, g := range r.generators {
		if g.level == int(level) {
			return g
		}
	}
	return nil
}

// takeSubtask gives a subtask to a generator.
func (r *GeneratorRank) takeSubtask(g *generator, m comm.Message) {
	g.waiting = false
	if !r.checkCredit(m) {
		return
	}
	if err := g.work.Accept(m.Body); err != nil {
		r.recordError(fmt.Errorf("a subtask of %d bytes from rank %d is invalid: %w", len(m.Body), m.From, err))
		return
	}
	r.account.noteReceived(g.work)
	r.detector.Received()
	r.stats.Accepted++
	r.others++
	r.told = false
	g.credit.holdPiece(m.Arg)
}

// switchSupplier makes an asker ask the next generator of the level above.
func (r *GeneratorRank) switchSupplier(env comm.Env, a *asker) {
	a.waiting = false
	a.refused++
	a.supplier = (a.supplier + 1) % r.countGenerators(a.level-1, env.Size())
}

// Wake does nothing: the scheme sets no alarm.
func (r *GeneratorRank) Wake(comm.Env) {}

// Audit adds the credits of the generators.
func (r *GeneratorRank) Audit() Audit {
	a := r.rank.Audit()
	for _, g := range r.generators {
		b := g.credit.auditCredit()
		a.Recovered.AddFraction(&b.Recovered)
		a.Held.AddFraction(&b.Held)
	}
	return a
}

// Dump describes the rank and its generators.
func (r *GeneratorRank) Dump() string {
	s := r.rank.Dump()
	for _, g := range r.generators {
		s += fmt.Sprintf("; generator of level %d: empty %v, %d wait, refused %d times", g.level, g.work.Empty(), len(g.queue), g.refused)
	}
	return s
}

// asSubtasker returns a share as a search.Subtasker. It panics if the share is none.
func asSubtasker(w search.Work) search.Subtasker {
	tasks, ok := search.As[search.Subtasker](w)
	if !ok {
		panic(fmt.Sprintf("lb: a share of type %T is no search.Subtasker", w))
	}
	return tasks
}

// cutSubtask cuts off the next node at a depth from one of the rank's shares, which is also given as
// a search.Subtasker. It first expands up to limit nodes on the way to it, counts them, and returns
// their number, including redundant ones. It differs from search.Subtasker in that one call does
// both.
func (r *rank) cutSubtask(w search.Work, tasks search.Subtasker, depth, limit int) (piece []byte, expanded int, ok bool) {
	for {
		before := search.WeightOf(w)
		piece, n, ok := tasks.Subtask(nil, depth, max(limit-expanded, 0))
		r.stats.Expanded += int64(n)
		n += r.countRedundant()
		expanded += n
		if ok {
			r.account.noteCutOff(w, before)
			return piece, expanded, true
		}
		if n == 0 {
			return nil, expanded, false
		}
	}
}
