//go:build unix

package puzzle

import (
	"crypto/sha1"
	"fmt"
	"syscall"
	"testing"
	"time"

	"treesplit/search"
)

// BenchmarkKorf44 solves instance 44, 95.7 million nodes. It prints the generated nodes per
// second, the same for a plain program (straight, below), and the cost of one crypto/sha1.Sum of
// 24 bytes. All are measured in turn in processor time, so that a busy machine slows down all of
// them. Reference: the C++ program of Burns et al. generates 124 million nodes per second on a
// machine on which that sum takes 85 ns, and a straight port to Go 116 million.
func BenchmarkKorf44(b *testing.B) {
	k := korf(b)[43]
	for _, bulk := range []int{0, 3, 4, 5, 6} {
		for _, quantum := range []int{30_000, 100_000, 300_000, maxBatch} {
			if bulk == 0 && quantum < maxBatch {
				continue
			}
			b.Run(fmt.Sprintf("bulk=%d/quantum=%d", bulk, quantum), func(b *testing.B) {
				rate(b, k, bulk, quantum)
			})
		}
	}
}

// BenchmarkKorf100 solves all instances, those of Manhattan distance in about 40 s.
func BenchmarkKorf100(b *testing.B) {
	for _, name := range []string{"md", "wd", "pdb"} {
		b.Run(name, func(b *testing.B) {
			var spent, building time.Duration
			var nodes int64
			for b.Loop() {
				start := processorTime()
				h, err := NewHeuristic(name, Size{4, 4})
				if err != nil {
					b.Fatal(err)
				}
				building += processorTime() - start
				nodes = 0
				start = processorTime()
				for _, k := range korf(b) {
					r := solve(b, k.board, h, Options{Bulk: DefaultBulk})
					if nodes += r.Korf; r.SolutionLength() != k.length {
						b.Fatalf("#%d: %d moves, want %d", k.id, r.SolutionLength(), k.length)
					}
				}
				spent += processorTime() - start
			}
			b.ReportMetric(float64(nodes)/1e6, "Mnodes")
			b.ReportMetric(building.Seconds()/float64(b.N), "s-to-build")
			b.ReportMetric(spent.Seconds()/float64(b.N), "s-to-solve")
		})
	}
}

// rate prints the rates of one setting.
func rate(b *testing.B, k instance, bulk, quantum int) {
	p := problem(b, k.board, Manhattan{})
	var ours, plainly, sums time.Duration
	var nodes, plainNodes, n int64
	for b.Loop() {
		for bound := p.RootEstimate(); bound <= k.length; bound += 2 {
			start := processorTime()
			s := share(b, p, bound, Options{Splitting: search.DefaultSplitting, Root: true, Bulk: bulk})
			for !s.Empty() && !s.Decided() {
				s.Expand(quantum)
			}
			ours += processorTime() - start
			nodes += s.Counts().Generated

			if bound == k.length-4 { // 10 million nodes are enough
				start = processorTime()
				plainNodes += newStraight(k.board).iteration(bound)
				plainly += processorTime() - start
			}
			sums += timeSums(20_000)
			n += 20_000
		}
	}
	perSecond := float64(nodes) / ours.Seconds() / 1e6
	perSum := float64(sums.Nanoseconds()) / float64(n)
	b.ReportMetric(perSecond, "Mnodes/s")
	b.ReportMetric(perSum, "ns/sha1")
	b.ReportMetric(perSecond*perSum/85, "Mnodes/s-at-85ns")
	b.ReportMetric(perSecond/(float64(plainNodes)/plainly.Seconds()/1e6), "x-straight")
}

// processorTime is what the process has used so far.
func processorTime() time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		panic(err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

// timeSums is how long n dependent calls of crypto/sha1.Sum take.
func timeSums(n int) time.Duration {
	var message [24]byte
	start := processorTime()
	for range n {
		digest := sha1.Sum(message[:])
		copy(message[:], digest[:])
	}
	return processorTime() - start
}

// straight is IDA* in its usual fast form: one board on which moves are made and undone, tables
// of moves and of their changes of the Manhattan distance, and recursion.
type straight struct {
	tiles     [16]uint8
	moves     [16][]uint8
	gain      [16][16][16]int8 // by tile, from, to
	h, blank  int
	generated int64
	bound     int
}

func newStraight(b Board) *straight {
	s := &straight{h: manhattan(b), blank: b.blankCell()}
	copy(s.tiles[:], b.tiles[:16])
	g := newGrid(b.size)
	for cell := range 16 {
		for rest := g.legal[cell][noMove]; rest != 0; rest &= rest - 1 {
			to := g.to[cell][rest.firstMove()]
			s.moves[cell] = append(s.moves[cell], uint8(to))
			for t := 1; t < 16; t++ {
				s.gain[t][cell][to] = int8(b.size.cellDistance(int(to), t) - b.size.cellDistance(cell, t))
			}
		}
	}
	return s
}

// iteration searches with a bound, which is below the length of a solution, and
// returns the number of nodes generated.
func (s *straight) iteration(bound int) int64 {
	s.bound = bound
	s.search(uint8(s.blank), 16, s.h, 0)
	return s.generated
}

func (s *straight) search(blank, from uint8, h, g int) {
	for _, to := range s.moves[blank&15] {
		if to == from {
			continue
		}
		s.generated++
		tile := s.tiles[to&15]
		childH := h + int(s.gain[tile&15][to&15][blank&15])
		if g+1+childH > s.bound {
			continue
		}
		s.tiles[blank&15], s.tiles[to&15] = tile, 0
		s.search(to, blank, childH, g+1)
		s.tiles[to&15], s.tiles[blank&15] = tile, 0
	}
}

// The plain program searches the same trees.
func TestStraight(t *testing.T) {
	k := korf(t)[11]
	p := problem(t, k.board, Manhattan{})
	for bound := p.RootEstimate(); bound < k.length; bound += 2 {
		s := share(t, p, bound, Options{Root: true})
		s.Expand(1 << 30)
		if got := newStraight(k.board).iteration(bound); got != s.Counts().Generated {
			t.Errorf("bound %d: %d generated, want %d", bound, got, s.Counts().Generated)
		}
	}
}
