package lb

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"treesplit/comm"
	"treesplit/search"
	"treesplit/termination"
	"treesplit/topology"
)

// Options holds the parameters of a rank.
type Options struct {
	Work     search.Work          // the rank's share: the root on rank 0, empty on the others
	Detector termination.Detector // this rank's part of the termination detector
	Network  topology.Topology    // the network whose neighbours NN asks
	Delay    comm.Time            // δ of GRR-M
	Backoff  comm.Time            // the shortest pause of a requester that all ranks have refused; 0: none
	Cutoff   int                  // depth at which SL and ML cut off subtasks, and above which RA scatters nodes; 1 to MaxCutoff
	Levels   int                  // l of ML; 0: 2
	Arity    int                  // m of ML, 2 or more: the generators below one generator; 0: ⌈P^(1/l)⌉
	Fresh    func() search.Work   // returns an empty share, for the generators of SL and ML
	// RouteThroughScheduler makes SB send its pieces through the scheduler.
	RouteThroughScheduler bool
	// EqualTargets makes all ranks of ARR ask rank 0 first, instead of their successor.
	EqualTargets bool

	// Options of a static start.
	Splits       int                // k: the tree is dealt out in 2^k parts, at least one per rank; AutoSplits: chosen by samples
	Uncounted    func() search.Work // returns a share for samples of the tree, whose counts are not added up; nil: Fresh
	Permutations *Permutations      // shared by ranks of one goroutine; nil: the rank has its own

	Cluster float64 // α of static+clustered; 0: 1

	// Options of poll and shuffle.
	PhaseNodes  int       // the length of a phase, in nodes; 0: Phase determines it
	Phase       comm.Time // the length of a phase, in time; 0: DefaultPhase
	Trigger     string    // determines the cycles that end in a shuffle, one of Triggers; "": the first
	TriggerAt   float64   // the fraction of idle ranks from which cycles end in a shuffle; 0: DefaultTriggerAt
	Permutation string    // one of ShufflePermutations; "": the first
	Seed        uint64    // of the permutations, the same on all ranks

	// Requests records the durations of the rank's requests; nil: not recorded.
	Requests *Requests

	// Kept makes every rank begin with the nodes of its Work, in a search that resumes. There
	// is no root and no static start. CanKeepWork must hold for the scheme.
	Kept bool

	static bool // see Scheme
	whole  bool
}

// MaxCutoff is the largest Options.Cutoff. Under RA rank 0 tries each depth up to the cutoff for each node of
// its first work, so that a much larger cutoff would take minutes.
const MaxCutoff = 1 << 20

// Scheme is an entry of the registry.
type Scheme struct {
	Name   string   // as on the command line
	Help   string   // one line
	tasks  bool     // Work must be a search.Subtasker
	static bool     // begins with a static start: Work must be a search.Bisecter
	moves  bool     // Work must be a search.Packer
	whole  bool     // nothing is split after the static start
	queues bool     // ranks have pieces that wait outside their share
	uses   []string // options that only this scheme and a few others use, see UsesOption
	make   func(o Options, rank, size int) Balancer
}

// receiverScheme returns the entry of a scheme that has its own Selector and is otherwise a
// Receiver.
func receiverScheme(name, help string, selector func(o Options, rank, size int) Selector, uses ...string) Scheme {
	return Scheme{Name: name, Help: help, uses: uses, make: func(o Options, rank, size int) Balancer {
		return NewReceiver(o, selector(o, rank, size))
	}}
}

// Schemes is the registry.
var Schemes = append(slices.Clone(singleSchemes), staticThen("rp"), clustered)

// singleSchemes holds the schemes that are not combinations.
var singleSchemes = []Scheme{
	receiverScheme("arr", "asynchronous round robin: every rank asks the others in turn",
		func(o Options, _, _ int) Selector { return NewAsynchronousRoundRobin(o.EqualTargets) }, "equal-targets"),
	receiverScheme("nn", "nearest neighbour: the neighbours of --topology in turn",
		func(o Options, rank, _ int) Selector { return NewNearestNeighbour(o.Network, rank) }, "topology"),
	receiverScheme("grr", "global round robin: one counter at rank 0",
		func(Options, int, int) Selector { return &GlobalRoundRobin{} }),
	receiverScheme("grr-m", "global round robin with message combining, held for --delay",
		func(o Options, rank, size int) Selector { return NewCombining(o.Delay, rank, size) }, "delay"),
	receiverScheme("rp", "random polling: any other rank",
		func(Options, int, int) Selector { return RandomPolling{} }),
	{Name: "sb", Help: "scheduler based: rank 0 polls the donors", uses: []string{"route-through-scheduler"},
		make: func(o Options, _, _ int) Balancer { return NewScheduledRank(o) }},
	{Name: "sl", Help: "single level: rank 0 hands out subtasks of depth --cutoff on demand", tasks: true,
		make: func(o Options, rank, size int) Balancer { return NewGeneratorRank(o, 1, rank, size) }},
	{Name: "ml", Help: "multi level: a tree of generators, --levels deep, cuts up subtasks on demand", tasks: true, uses: []string{"levels", "arity"},
		make: func(o Options, rank, size int) Balancer {
			return NewGeneratorRank(o, cmp.Or(o.Levels, 2), rank, size)
		}},
	{Name: "ra", Help: "randomized allocation: every node above --cutoff goes to a random rank", tasks: true,
		make: func(o Options, _, _ int) Balancer { return NewScatterRank(o, drawAnyRank) }},
	{Name: "ranade", Help: "randomized allocation over a butterfly in the hypercube", tasks: true,
		make: func(o Options, _, _ int) Balancer { return NewScatterRank(o, drawSuccessor) }},
	{Name: "lifeline", Help: "two random requests, then hypercube neighbours that remember the requester", queues: true,
		make: func(o Options, rank, size int) Balancer { return NewLifelineRank(o, rank, size) }},
	{Name: "shuffle", Help: "poll and shuffle: partners share along each dimension in turn, then all work moves at random", moves: true, uses: []string{"topology", "phase", "trigger", "trigger-at", "permutation"},
		make: func(o Options, rank, size int) Balancer { return NewShuffleRank(o, rank, size) }},
	{Name: "static", Help: "2^k parts of the tree (--splits), dealt out at random before the work begins", static: true, whole: true,
		make: func(o Options, _, _ int) Balancer { return NewStaticRank(o) }},
}

// staticStart is the prefix of the names of schemes that follow a static start.
const staticStart = "static+"

// clustered is random polling within clusters. It needs the static start, because the root is
// in one cluster.
var clustered = func() Scheme {
	s := receiverScheme("static+clustered", "a static start, then random polling within clusters of log^α P ranks; --cluster is α",
		func(o Options, rank, _ int) Selector { return NewClusterPolling(o.Network, o.Cluster, rank) }, "topology", "cluster")
	s.static = true
	return s
}()

// staticThen returns the entry of a plain scheme after a static start. The entry has no name
// if no scheme has this name, or if the scheme does not split work.
func staticThen(name string) Scheme {
	i := slices.IndexFunc(singleSchemes, func(s Scheme) bool { return s.Name == name && !s.tasks && !s.static })
	if i < 0 {
		return Scheme{}
	}
	s := singleSchemes[i]
	s.Name, s.Help, s.static = staticStart+name, "a static start, then "+s.Help, true
	return s
}

// findScheme returns the scheme of that name. A combination of a static start and another
// scheme need not be listed.
func findScheme(name string) (Scheme, error) {
	if i := slices.IndexFunc(Schemes, func(s Scheme) bool { return s.Name == name }); i >= 0 {
		return Schemes[i], nil
	}
	if then, ok := strings.CutPrefix(name, staticStart); ok {
		if s := staticThen(then); s.make != nil {
			return s, nil
		}
	}
	return Scheme{}, fmt.Errorf("unknown scheme %q: expected one of %s, or %sNAME with another scheme that splits work", name, strings.Join(SchemeNames(), ", "), staticStart)
}

// SchemeNames returns the names of the schemes of the registry.
func SchemeNames() []string {
	var names []string
	for _, s := range Schemes {
		names = append(names, s.Name)
	}
	return names
}

// CheckName returns an error unless there is a scheme of that name. The error lists the known
// names.
func CheckName(name string) error {
	_, err := findScheme(name)
	return err
}

// CheckShare returns an error if the scheme of that name cannot balance shares of this type.
// The error names the capability that they lack.
func CheckShare(name string, share search.Work) error {
	s, err := findScheme(name)
	if err != nil {
		return err
	}
	for _, c := range []struct {
		wanted, there bool
		capability    string
	}{
		{s.tasks, search.HasCapability[search.Subtasker](share), "search.Subtasker"},
		{s.static, search.HasCapability[search.Bisecter](share), "search.Bisecter"},
		{s.moves, search.HasCapability[search.Packer](share), "search.Packer"},
	} {
		if c.wanted && !c.there {
			return fmt.Errorf("scheme %s needs shares that are a %s: a share of type %T is none", name, c.capability, share)
		}
	}
	return nil
}

// HoldsInShare reports whether ranks under the scheme of that name hold nodes only in their
// share: no subtasks, parts or pieces wait outside it.
func HoldsInShare(name string) bool {
	s, err := findScheme(name)
	return err == nil && !s.tasks && !s.static && !s.moves && !s.queues
}

// CutsSubtasks reports whether the scheme of that name cuts the tree into subtasks from the
// root downwards. It then needs a search.Subtasker.
func CutsSubtasks(name string) bool {
	s, _ := findScheme(name)
	return s.tasks
}

// HasStaticStart reports whether the scheme of that name has a static start. It then needs a
// search.Bisecter.
func HasStaticStart(name string) bool {
	s, _ := findScheme(name)
	return s.static
}

// MovesShares reports whether the scheme of that name moves whole shares. It then needs a
// search.Packer.
func MovesShares(name string) bool {
	s, _ := findScheme(name)
	return s.moves
}

// New returns the given rank of size ranks under the scheme of that name. It returns an error
// for an unknown scheme, trigger or permutation.
func New(name string, o Options, rank, size int) (Balancer, error) {
	s, err := findScheme(name)
	if err != nil {
		return nil, err
	}
	if err := o.checkWords(); err != nil {
		return nil, err
	}
	o.static, o.whole = s.static && !o.Kept, s.whole
	return s.make(o, rank, size), nil
}
