package scenario

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"treesplit/comm"
)

// Rank is one rank of a protocol as a World sees it.
type Rank interface {
	Deliver(env comm.Env, m comm.Message)
	Wake(env comm.Env)
	// Work lets the rank do a little of its own work. It returns what the rank did, or "" if it
	// has no work.
	Work(env comm.Env) (did string)
	// State is the rank's state in one word. Done is the state of a rank whose run is over: it
	// receives messages, but does not work or wake any more.
	State() string
	// Err is an error that the rank has met, or nil.
	Err() error
}

// Done is the state of a rank whose run is over.
const Done = "Done"

// World is some ranks with the messages between them. Messages wait in one queue per pair of ranks,
// in the order sent, until a script delivers them, and time stands still until a script moves it.
// Everything that happens is printed, one event per line; what follows from an event is indented
// below it.
type World struct {
	ranks    []Rank
	envs     []*env
	channels [][]comm.Message // from rank a to rank b, at a·P+b
	now      comm.Time
	describe func(comm.Message) string
	lines    []string
	err      error // the first that a rank has met
}

// env is the comm.Env of a rank.
type env struct {
	world  *World
	number int
	rand   *rand.Rand
	alarms []comm.Time // ascending
}

// NewWorld returns a world without messages. describe returns in a few words what a message is,
// without its sender and receiver.
func NewWorld(ranks []Rank, seed uint64, describe func(comm.Message) string) *World {
	w := &World{ranks: ranks, channels: make([][]comm.Message, len(ranks)*len(ranks)), describe: describe}
	for i := range ranks {
		w.envs = append(w.envs, &env{world: w, number: i, rand: rand.New(rand.NewPCG(seed, uint64(i)))})
	}
	return w
}

func (e *env) Rank() int        { return e.number }
func (e *env) Size() int        { return len(e.world.ranks) }
func (e *env) Now() comm.Time   { return e.world.now }
func (e *env) Rand() *rand.Rand { return e.rand }

func (e *env) Send(m comm.Message) {
	m.From = int32(e.number)
	c := e.number*e.Size() + int(m.To)
	e.world.channels[c] = append(e.world.channels[c], m)
	e.world.Printf("  %d→%d %s", m.From, m.To, e.world.describe(m))
}

func (e *env) Alarm(at comm.Time) {
	e.alarms = append(e.alarms, at)
	slices.Sort(e.alarms)
	e.world.Printf("  %d sets an alarm for %v", e.number, at.Duration())
}

// Printf prints a line.
func (w *World) Printf(format string, args ...any) {
	w.lines = append(w.lines, fmt.Sprintf(format, args...))
}

// TakeLines returns the lines printed since the last call, and an error if a rank has met one.
func (w *World) TakeLines() ([]string, error) {
	lines := w.lines
	w.lines = nil
	return lines, w.err
}

// Ranks returns the ranks.
func (w *World) Ranks() []Rank { return w.ranks }

// LetRankAct lets a rank do something. It prints what did returns for it, with the rank's state if
// that is new, and then the consequences: messages and alarms in their order. did returns "" if
// nothing happens.
func (w *World) LetRankAct(rank int, did func(env comm.Env) string) {
	before, state := len(w.lines), w.ranks[rank].State()
	event := did(w.envs[rank])
	if now := w.ranks[rank].State(); now != state {
		event += fmt.Sprintf(" (now %s)", now)
	}
	if event != "" {
		w.lines = slices.Insert(w.lines, before, fmt.Sprintf("%d %s", rank, event))
	}
	if err := w.ranks[rank].Err(); err != nil && w.err == nil {
		w.err = fmt.Errorf("rank %d: %w", rank, err)
	}
}

// ExecuteCommand executes a command that is the same for all protocols:
//
//	deliver FROM>TO [KIND]   the next message; * stands for all ranks; the kind is checked
//	tick DURATION            moves the clock and rings the alarms on the way
//	stabilize [quietly]      delivers messages and lets ranks work until nothing more can happen
//	messages                 the messages in flight
func (w *World) ExecuteCommand(words []string) error {
	args := words[1:]
	switch words[0] {
	case "deliver":
		return w.deliverNext(args)
	case "tick":
		return w.moveClock(args)
	case "stabilize":
		return w.stabilize(args)
	case "messages":
		w.printMessages()
		return nil
	}
	return fmt.Errorf("unknown command %q", words[0])
}

// deliverNext delivers the next message of each channel that an argument stands for.
func (w *World) deliverNext(args []string) error {
	if len(args) == 0 || len(args) > 2 {
		return fmt.Errorf("expected FROM>TO and perhaps a kind")
	}
	from, to, ok := strings.Cut(args[0], ">")
	if !ok {
		return fmt.Errorf("%q: expected FROM>TO", args[0])
	}
	senders, err := w.parseRanks(from)
	if err != nil {
		return err
	}
	receivers, err := w.parseRanks(to)
	if err != nil {
		return err
	}
	var next []comm.Message // chosen before any of them is delivered
	for _, a := range senders {
		for _, b := range receivers {
			if queue := w.channels[a*len(w.ranks)+b]; len(queue) > 0 {
				next = append(next, queue[0])
			}
		}
	}
	if len(next) == 0 {
		return fmt.Errorf("no message is in flight")
	}
	for _, m := range next {
		if len(args) == 2 && m.Kind.String() != args[1] {
			return fmt.Errorf("the next message from %d to %d is %s", m.From, m.To, w.describe(m))
		}
		w.deliverMessage(m)
	}
	return nil
}

// parseRanks returns the ranks that a word stands for.
func (w *World) parseRanks(word string) ([]int, error) {
	if word == "*" {
		all := make([]int, len(w.ranks))
		for i := range all {
			all[i] = i
		}
		return all, nil
	}
	n, err := w.ParseRank(word)
	return []int{n}, err
}

// ParseRank reads the number of a rank.
func (w *World) ParseRank(word string) (rank int, err error) {
	for i := range w.ranks {
		if word == fmt.Sprint(i) {
			return i, nil
		}
	}
	return 0, fmt.Errorf("%q: expected a rank, 0 to %d", word, len(w.ranks)-1)
}

// deliverMessage delivers a message, which is the first of its channel.
func (w *World) deliverMessage(m comm.Message) {
	c := int(m.From)*len(w.ranks) + int(m.To)
	w.channels[c] = w.channels[c][1:]
	w.LetRankAct(int(m.To), func(env comm.Env) string {
		event := fmt.Sprintf("receives %s from %d", w.describe(m), m.From)
		w.ranks[m.To].Deliver(env, m)
		return event
	})
}

// moveClock moves the clock.
func (w *World) moveClock(args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("expected a duration")
	}
	span, err := time.ParseDuration(args[0])
	if err != nil || span <= 0 {
		return fmt.Errorf("%q: expected a duration above 0, such as 20ns", args[0])
	}
	end := w.now + comm.Time(span)
	for {
		rank, ok := w.nextAlarm()
		if !ok || w.envs[rank].alarms[0] > end {
			break
		}
		w.now = max(w.now, w.envs[rank].alarms[0])
		w.envs[rank].alarms = w.envs[rank].alarms[1:]
		w.LetRankAct(rank, func(env comm.Env) string {
			w.ranks[rank].Wake(env)
			return fmt.Sprintf("wakes at %v", w.now.Duration())
		})
	}
	w.now = end
	return nil
}

// nextAlarm returns the rank whose alarm rings next.
func (w *World) nextAlarm() (rank int, ok bool) {
	for i, e := range w.envs {
		if len(e.alarms) > 0 && w.ranks[i].State() != Done && (!ok || e.alarms[0] < w.envs[rank].alarms[0]) {
			rank, ok = i, true
		}
	}
	return rank, ok
}

// printMessages prints the messages in flight.
func (w *World) printMessages() {
	for _, m := range w.messagesInFlight() {
		w.Printf("%d→%d %s", m.From, m.To, w.describe(m))
	}
	if len(w.lines) == 0 {
		w.Printf("none in flight")
	}
}

// CountInFlight returns the number of messages in flight.
func (w *World) CountInFlight() int { return len(w.messagesInFlight()) }

func (w *World) messagesInFlight() (all []comm.Message) {
	for _, queue := range w.channels {
		all = append(all, queue...)
	}
	return all
}

// rounds bounds stabilize.
const rounds = 1000

// stabilize lets the world go on in rounds. In each the messages that are in flight at its beginning
// are delivered, by sender and receiver, and then all ranks work, in the order of their numbers.
// Time stands still.
func (w *World) stabilize(args []string) error {
	quietly := slices.Equal(args, []string{"quietly"})
	if len(args) > 0 && !quietly {
		return fmt.Errorf("%q: expected nothing or quietly", args)
	}
	var delivered [comm.Kinds]int
	for round := 0; ; round++ {
		acted := false
		for _, m := range w.messagesInFlight() {
			delivered[m.Kind]++
			w.deliverMessage(m)
			acted = true
		}
		for i, r := range w.ranks {
			if r.State() != Done {
				w.LetRankAct(i, func(env comm.Env) string {
					did := r.Work(env)
					acted = acted || did != ""
					return did
				})
			}
		}
		if !acted {
			break
		}
		if round == rounds {
			return fmt.Errorf("no end after %d rounds", rounds)
		}
	}
	if quietly {
		w.lines = nil
		w.summarize(delivered)
	}
	if rank, ok := w.nextAlarm(); ok {
		w.Printf("nothing happens until %d wakes at %v", rank, w.envs[rank].alarms[0].Duration())
	}
	return nil
}

// summarize prints how many messages of each kind were delivered.
func (w *World) summarize(delivered [comm.Kinds]int) {
	var counts []string
	for kind, n := range delivered {
		if n > 0 {
			counts = append(counts, fmt.Sprintf("%d %v", n, comm.Kind(kind)))
		}
	}
	if len(counts) == 0 {
		counts = []string{"no message"}
	}
	w.Printf("delivers %s", strings.Join(counts, ", "))
}
