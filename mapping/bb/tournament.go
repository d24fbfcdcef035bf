package bb

// TournamentRounds is the number of rounds of a tournament of p processors: p − 1, or p if it is odd.
func TournamentRounds(p int) int {
	if p < 2 {
		return 0
	}
	return p + p%2 - 1
}

// RoundPairs returns the pairs of a round, 0 ≤ r < TournamentRounds(p). No processor is in two
// pairs of a round. Over all rounds every two processors meet once. This is the circle method:
// one place is fixed, and the others rotate. If p is odd, the fixed place is empty, and its
// partner has no pair.
func RoundPairs(p, r int) []Pair {
	n := p + p%2 - 1 // number of rotating places
	var pairs []Pair
	if p%2 == 0 {
		pairs = append(pairs, Pair{int32(r), int32(n)})
	}
	for i := 1; i <= n/2; i++ {
		a, b := int32((r+i)%n), int32((r-i+n)%n)
		pairs = append(pairs, Pair{min(a, b), max(a, b)})
	}
	return pairs
}

// Tournament improves a map pair by pair, round after round, with a growing number of nodes per
// pair, until no pair can be improved. The caller decides where the searches run, in turn or at
// the same time. It asks for the pairs of the next round, searches them, and returns the results,
// in the same order everywhere.
type Tournament struct {
	*Improver
	Limits  Limits // of the searches of this round
	round   int
	better  bool              // a pair was improved in this tournament
	ended   bool              // all searches of this tournament were complete
	settled map[Pair][2]int32 // by pair whose search was complete: the change counts of its processors
}

// Bounds on the nodes per pair: at first, and in the last tournament.
const (
	firstNodes = 1 << 10
	lastNodes  = 1 << 22
)

// pairObjects is the largest number of objects of a pair that may move at once. With more
// objects, a search of few nodes finds little.
const pairObjects = 48

// NewTournament begins a tournament.
func NewTournament(v *Improver) *Tournament {
	return &Tournament{Improver: v, Limits: Limits{firstNodes, pairObjects}, ended: true, settled: map[Pair][2]int32{}}
}

// NextRound returns the pairs of the next round that need a search. A round may have no pairs. ok
// is false if no pair remains to be tried.
func (t *Tournament) NextRound() (pairs []Pair, ok bool) {
	p := t.in.p
	if t.round == TournamentRounds(p) {
		if !t.better && (t.ended || t.Limits.Nodes >= lastNodes) {
			return nil, false
		}
		if !t.better {
			t.Limits.Nodes *= 4
		}
		t.round, t.better, t.ended = 0, false, true
	}
	for _, pair := range RoundPairs(p, t.round) {
		if at, known := t.settled[pair]; !known || at != t.changeStamp(pair) {
			pairs = append(pairs, pair)
		}
	}
	t.round++
	return pairs, true
}

func (t *Tournament) changeStamp(pair Pair) [2]int32 {
	return [2]int32{t.changed[pair[0]], t.changed[pair[1]]}
}

// TakeChange applies the result of a search. It reports whether the map is better.
func (t *Tournament) TakeChange(c Change) (better bool) {
	better = t.ApplyChange(c)
	t.better = t.better || better
	t.ended = t.ended && c.Ended
	if c.Ended && len(t.in.groups) == 0 { // with proxies the result also depends on other processors
		t.settled[c.Pair] = t.changeStamp(c.Pair)
	}
	return better
}
