package lb

import (
	"fmt"
	"slices"
	"strings"

	"treesplit/comm"
	"treesplit/search"
)

// ShuffleRank is a rank under poll and shuffle (Sanders, "Better Algorithms for Parallel
// Backtracking"). Time is divided into phases. At the end of each phase a rank meets its
// partner along one dimension of the hypercube. If one of the two is idle, the other gives it
// half of its work. A cycle goes through all dimensions. It quickly distributes work within a
// subcube that contains work, but has no effect on a subcube that is completely idle. So a
// cycle may end in a shuffle: all shares move by one random permutation of the ranks, and work
// is spread over the machine again.
//
// There is no global clock. A rank reports the end of its phase to its partner and works on
// until the partner has reported the same phase: local synchronisation (section 6.3, figure
// 4). A rank waits only for messages of ranks that are no further than itself: a report of
// this phase, the answer to a request in this phase, a share in the shuffle of this cycle. So
// the rank that is furthest behind, in the order of phases and shuffles, never waits without
// success, and no rank waits for ever.
//
// Departures from the paper. P need not be a power of two. With d = ⌊log2 P⌋, every rank from
// 2^d on is folded onto a rank below 2^d: it meets that rank in an extra phase before and one
// after the d others. A rank without work reports at once. A busy rank whose partner has
// reported itself idle ends the phase immediately, because nothing is gained if the partner
// waits. An idle rank that has received nothing in a whole cycle may pause before it
// continues, so that ranks without work do not take processor time from ranks with work. Over
// a cycle, the reports add up the number of ranks that were idle at its beginning. If all
// ranks were idle, the search is over (see trigger), and the ranks send no more messages until
// the detector detects the end too.
type ShuffleRank struct {
	rank
	plan       *plan
	stage      stage
	exchanging bool     // the phase belongs to the exchange
	idled      bool     // the rank was idle when it sent its report
	number     int32    // number of the phase, counted through the run
	place      int      // index of the phase in the plan's cycle, or in its exchange
	vain       int      // successive polling phases without a piece since the last shuffle
	arrived    uint64   // bit d: the report of the partner along dimension d has arrived
	early      []report // by dimension
	length     length
	cycle      int32 // number of the cycle, counted through the run
	shuffles   int32 // number of shuffles so far

	trigger trigger
	packer  search.Packer  // the work
	settler search.Settler // the work, if its shares must settle before they move; else nil
	moving  moving
	exact   *exchange // of an exact permutation; else nil
}

// stage is the progress of a rank within a phase, or its activity between cycles.
type stage uint8

const (
	entering  stage = iota // a phase, or a cycle, is about to begin
	pausing                // the rank has asked all partners without success; the next phase begins later
	working                // the phase is in progress
	reported               // the rank has reported, the partner has not
	awaiting               // the partner must answer with work or a refusal
	targeting              // the rank waits for the number of the rank to which its share moves, or for its share to settle
	shuffling              // the share has moved; the rank waits for another one
	quiet                  // the search is over
)

// String returns the stage's name.
func (s stage) String() string {
	return [...]string{"entering", "pausing", "working", "reported", "awaiting", "targeting", "shuffling", "quiet"}[s&7]
}

// checkWords returns an error if an option of poll and shuffle is an unknown word.
func (o *Options) checkWords() error {
	for _, w := range []struct {
		what, word string
		known      []string
	}{{"trigger", o.Trigger, Triggers}, {"permutation", o.Permutation, ShufflePermutations}} {
		if w.word != "" && !slices.Contains(w.known, w.word) {
			return fmt.Errorf("unknown %s %q: expected one of %s", w.what, w.word, strings.Join(w.known, ", "))
		}
	}
	return nil
}

// NewShuffleRank returns the given rank of size ranks. Options.Work must be a search.Packer.
func NewShuffleRank(o Options, rank, size int) *ShuffleRank {
	known := o.Permutations
	if known == nil {
		known = new(Permutations)
	}
	r := &ShuffleRank{rank: newRank(o), plan: known.planForOptions(&o, size), length: newLength(&o), trigger: newTrigger(&o, size)}
	r.packer, _ = search.As[search.Packer](r.work)
	r.settler, _ = search.As[search.Settler](r.work)
	r.early = make([]report, r.plan.dims+1)
	if o.Permutation == exactPermutation {
		r.exact = newExchange(o.Seed, rank)
	}
	return r
}

// Start begins the search and the first phase.
func (r *ShuffleRank) Start(env comm.Env) {
	r.beginSearch(env)
	r.advanceUntilWaiting(env)
}

// Step expands nodes, at most to the end of the phase if its length is given in nodes.
func (r *ShuffleRank) Step(env comm.Env, limit int) int {
	if r.stage == working {
		limit = r.length.limitToPhase(limit)
	}
	n := r.expandNodes(env, limit)
	r.length.done += n
	r.advanceUntilWaiting(env)
	return n
}

// Deliver handles a message.
func (r *ShuffleRank) Deliver(env comm.Env, m comm.Message) {
	if !r.handleControl(env, m) {
		r.handleMessage(env, m)
	}
	r.advanceUntilWaiting(env)
}

// handleMessage handles the messages of this scheme. After the end of the run only pieces
// matter, for the audit.
func (r *ShuffleRank) handleMessage(env comm.Env, m comm.Message) {
	over := r.state == Done || r.halting
	switch {
	case m.Kind == comm.Move:
		r.bufferMove(m)
	case m.Kind == comm.Grant && (r.stage == awaiting || over):
		r.noteAnswer(env, soleRequest, true)
		r.takeGrant(m)
		r.vain = 0
		r.goToNextPhase()
	case m.Kind == comm.Reject && (r.stage == awaiting || over):
		r.noteAnswer(env, soleRequest, false)
		r.vain++
		r.goToNextPhase()
	case over:
	case m.Kind == comm.Status:
		r.bufferReport(env, m)
	case m.Kind == comm.Notify && env.Rank() == 0:
		r.trigger.addNotification()
	case m.Kind == comm.Item && r.exact != nil:
		r.exact.bufferItem(m)
	case m.Kind == comm.Target && r.exact != nil && m.Tag == r.cycle && m.Arg >= 0 && m.Arg < int64(env.Size()):
		r.exact.target = int(m.Arg)
	default:
		r.failUnexpected(m)
	}
}

// Wake continues after a pause.
func (r *ShuffleRank) Wake(env comm.Env) { r.advanceUntilWaiting(env) }

// advanceUntilWaiting advances the rank until it must wait.
func (r *ShuffleRank) advanceUntilWaiting(env comm.Env) {
	if env.Size() > 1 {
		for r.state != Done && !r.halting && !r.isDealing() && r.err == nil && r.advanceOneStage(env) {
		}
	}
	if r.state == Seeking {
		r.state = Waiting
	}
}

// advanceOneStage takes one step, and returns false if the rank must wait.
func (r *ShuffleRank) advanceOneStage(env comm.Env) bool {
	switch r.stage {
	case entering:
		r.enterPhase(env)
		return true
	case pausing:
		return r.resumeAfterPause(env)
	case working:
		return r.reportPhaseEnd(env)
	case reported:
		return r.meetPartner(env)
	case targeting:
		return r.moveToTarget(env)
	case shuffling:
		return r.settleMovedShare()
	}
	return false // awaiting, quiet
}

// Audit adds the credits of shares that have moved to this rank and are not begun.
func (r *ShuffleRank) Audit() Audit {
	a := r.rank.Audit()
	for _, m := range r.moving.arrived {
		if len(m.Body) > 0 {
			a.Held.AddCredit(m.Arg)
		}
	}
	return a
}

// Dump describes the rank and its position in the cycle.
func (r *ShuffleRank) Dump() string {
	return fmt.Sprintf("%s; cycle %d after %d shuffles, phase %d, place %d (of an exchange: %v), %v, %d moves waiting",
		r.rank.Dump(), r.cycle, r.shuffles, r.number, r.place, r.exchanging, r.stage, len(r.moving.arrived))
}
