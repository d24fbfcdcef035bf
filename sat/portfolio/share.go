package portfolio

import (
	"treesplit/sat/cdcl"
	"treesplit/sat/mailbox"
	"treesplit/sat/proof"
	"treesplit/search"
)

// Share is a rank's share of a portfolio: the current attempt, and a list of attempts that no share
// has begun. The list is endless for all purposes. So a share becomes empty only by Pack and
// Subtask, and the search ends by a verdict.
type Share struct {
	of       *Portfolio
	rule     search.Rule
	log      *proof.AttemptLog
	exchange bool
	now      Key
	list     list
	held     bool // the share holds an attempt
	run      *Running
	left     *Key // the engine that this share has left in the depot last; nil: none
	count    Counts
	box      *mailbox.Box

	status cdcl.Status
	model  []bool
}

// Counts are the counts of a share so far.
type Counts struct {
	Conflicts int64
	// Attempts is the number of attempts that were begun here, again after a move included.
	Attempts int64
	// Decided is 1 plus the number of the attempt that has decided the formula, or 0.
	Decided int64
	// Taken is the number of clauses of other shares that were taken in.
	Taken int64
}

// Options control a share.
type Options struct {
	Splitting search.Splitting
	// Root makes the share begin with all attempts; otherwise it begins empty.
	Root bool
	// Exchange lets the attempts exchange learnt clauses with attempts of other shares, unless the share has a
	// log. All shares must have the same value.
	Exchange bool
}

// NewShare returns a share. Engines are made when their attempt begins.
func (p *Portfolio) NewShare(o Options) *Share {
	s := &Share{of: p, rule: o.Splitting.Rule, exchange: o.Exchange, box: mailbox.New(shared)}
	if o.Root {
		s.hold(Key{}, list{1, 1})
	}
	return s
}

// hold makes the share hold an attempt and a list.
func (s *Share) hold(now Key, rest list) {
	s.now, s.list, s.held, s.run = now, rest, true, nil
}

// LogTo makes the share write the lemmas of its attempts to the log. It must not have begun one.
func (s *Share) LogTo(log *proof.AttemptLog) { s.log = log }

// Empty reports whether the share has no attempt.
func (s *Share) Empty() bool { return !s.held }

// Decided reports whether the current attempt has decided the formula: it has found a model, or
// shown that there is none.
func (s *Share) Decided() bool { return s.status != cdcl.Unknown }

// Status returns the verdict of this share.
func (s *Share) Status() cdcl.Status { return s.status }

// Model returns the model that this share has found, or nil.
func (s *Share) Model() []bool { return s.model }

// Counts returns the counts of this share.
func (s *Share) Counts() Counts {
	c := s.count
	c.Taken = s.box.Taken()
	return c
}

// Expand searches up to limit nodes of the current attempt.
func (s *Share) Expand(limit int) (expanded int) {
	if !s.held || limit < 1 || s.Decided() {
		return 0
	}
	if s.run == nil {
		s.beginStay()
	}
	before := s.run.Conflicts()
	expanded, s.status = s.run.Search(limit)
	s.run.nodes += int64(expanded)
	s.count.Conflicts += s.run.Conflicts() - before
	if s.Decided() {
		s.noteVerdict()
	}
	return expanded
}

// beginStay fetches the engine of the current attempt, or makes it. An engine in the depot under part
// 0 has searched before the run; its lemmas are no part of the logs.
func (s *Share) beginStay() {
	if s.of.depot != nil {
		s.run = s.of.depot.Fetch(s.now)
	}
	if s.run != nil && s.now.Part > 0 {
		s.log.ContinuePart(s.now.Attempt, s.now.Part, s.run.tap.clauses)
	} else {
		s.log.BeginPart(s.now.Attempt, s.now.Part)
		s.count.Attempts++
	}
	if s.run == nil {
		s.run = Start(s.of.engine, s.of.formula, s.now.Attempt, s.lemmaLog())
		s.run.beginAgain(s.now.Part)
	} else if s.log != nil {
		s.run.LogTo(s.lemmaLog(), s.now.Part > 0)
	}
	s.connect()
}

// lemmaLog returns the log for engines, or nil.
func (s *Share) lemmaLog() cdcl.Proof {
	if s.log == nil {
		return nil
	}
	return attemptLog{s.log}
}

// noteVerdict keeps the model, or closes the log.
func (s *Share) noteVerdict() {
	s.count.Decided = int64(s.now.Attempt) + 1
	if s.status == cdcl.Satisfiable {
		s.model = s.run.Model(s.of.formula.Variables)
		return
	}
	s.log.WriteLearnt(nil) // for a formula with an empty clause, where the engine learns nothing
	s.log.WriteRefuted(s.run.tap.clauses + 1)
}
