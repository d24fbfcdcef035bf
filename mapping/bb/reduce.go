package bb

import (
	"math/rand/v2"
	"slices"

	"treesplit/mapping"
)

// reduced is the problem of mapping the objects of a pair of processors again.
type reduced struct {
	problem *mapping.Problem // of two processors
	objects []int32          // its objects' numbers in the whole problem
	whole   bool             // all movable objects may move
	heard   map[int32]int64  // by group whose sender is elsewhere: number of its receivers on the pair
}

// reducePair returns the problem of a pair, in which at most most objects may move, or all if
// most is 0. It takes O(objects + arcs of the pair) time, plus the receivers of its groups.
func (v *Improver) reducePair(pair Pair, most int, rng *rand.Rand) reduced {
	r := reduced{whole: true, heard: map[int32]int64{}}
	for _, q := range pair {
		r.objects = append(r.objects, v.on[q]...)
	}
	slices.Sort(r.objects)
	r.problem = &mapping.Problem{
		Processors: 2, Background: []int64{v.in.background(pair[0]), v.in.background(pair[1])},
		Objects: make([]mapping.Object, len(r.objects)),
	}
	for k, i := range r.objects {
		o := mapping.Object{Comp: v.in.problem.Objects[i].Comp, Fixed: v.in.problem.Objects[i].Fixed}
		if v.where[i] == pair[1] {
			o.Home = 1
		}
		for _, l := range v.in.links[i] {
			switch other, inside := slices.BinarySearch(r.objects, l.other); {
			case !inside:
				o.Comp += l.mine
			case other > k:
				r.appendArc(k, other, l.mine, l.theirs, mapping.NoProxy)
			}
		}
		for number, g := range v.in.speaks[i] {
			o.Comp += v.addSenderArcs(&r, pair, k, int32(number), &v.in.groups[g])
		}
		for _, g := range v.in.hears[i] {
			o.Comp += v.receiverCharge(&r, g)
		}
		r.problem.Objects[k] = o
	}
	if most > 0 {
		r.freezeObjects(most, rng)
	}
	return r
}

func (r *reduced) appendArc(from, to int, send, receive int64, proxy int32) {
	r.problem.Arcs = append(r.problem.Arcs, mapping.Arc{From: int32(from), To: int32(to), Send: send, Receive: receive, Proxy: proxy})
}

// addSenderArcs adds the arcs of a group whose sender is on the pair to receivers on the pair. It
// returns the sender's payment for receivers elsewhere, which is the same on both processors of
// the pair.
func (v *Improver) addSenderArcs(r *reduced, pair Pair, k int, number int32, g *group) (outside int64) {
	reached := map[int32]bool{}
	for _, j := range g.receivers {
		if other, inside := slices.BinarySearch(r.objects, j); inside {
			r.appendArc(k, other, g.send, g.receive, number)
		} else {
			reached[v.where[j]] = true
		}
	}
	return g.send * int64(len(reached))
}

// receiverCharge returns a receiver's part of the charge of a group whose sender is not on the
// pair. If the pair has several receivers, the charge depends on their placement.
func (v *Improver) receiverCharge(r *reduced, number int32) int64 {
	g := &v.in.groups[number]
	if _, inside := slices.BinarySearch(r.objects, g.sender); inside {
		return 0
	}
	inside, known := r.heard[number]
	if !known {
		for _, j := range g.receivers {
			if _, ok := slices.BinarySearch(r.objects, j); ok {
				inside++
			}
		}
		r.heard[number] = inside
	}
	return g.receive / inside
}

// freezeObjects lets at most most objects move, drawn at random. The reduction is valid for any
// choice of objects.
func (r *reduced) freezeObjects(most int, rng *rand.Rand) {
	var free []int
	for k, o := range r.problem.Objects {
		if !o.Fixed {
			free = append(free, k)
		}
	}
	for n := len(free); n > most; n-- {
		at := rng.IntN(n)
		r.problem.Objects[free[at]].Fixed = true
		free[at] = free[n-1]
		r.whole = false
	}
}
