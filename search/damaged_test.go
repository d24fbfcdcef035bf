package search_test

import (
	"errors"
	"testing"

	"treesplit/internal/explore"
	"treesplit/search"
)

// All shares of a damaged share, including shares that are made later, know the least value
// that any of them has found or received.
func TestDamagedKnowsBounds(t *testing.T) {
	for seed := range uint64(50) {
		shape := explore.Shape{Seed: seed, Depth: 9, Width: 4, Values: true}
		d := search.NewDamaged(explore.NewToy(shape, true), 0.2, func() search.Work { return explore.NewToy(shape, false) })
		if search.BoundOf(d) != search.NoBound {
			t.Fatalf("seed %d: the first bound is %d", seed, search.BoundOf(d))
		}
		shares := 0
		check := func(told int64) {
			t.Helper()
			least := int64(search.NoBound)
			shares = 0
			search.Each(d, func(w search.Work) { least = min(least, w.(*explore.Toy).Bound()); shares++ })
			if search.BoundOf(d) != min(least, told) {
				t.Fatalf("seed %d: the bound is %d, the least bound of its shares %d", seed, search.BoundOf(d), least)
			}
		}
		for range 30 {
			d.Expand(7)
			d.Split(nil)
			check(search.NoBound)
		}
		const told = -5
		search.TightenTo(d, told)
		for range 30 {
			d.Expand(7)
			d.Split(nil)
			check(told)
			search.Each(d, func(w search.Work) {
				if b := w.(*explore.Toy).Bound(); b != told {
					t.Fatalf("seed %d: a share has the bound %d, want %d", seed, b, told)
				}
			})
		}
		for !d.Empty() {
			d.Expand(100)
		}
		check(told)
		if shares < 2 && shape.CountNodes() > 200 {
			t.Errorf("seed %d: there are %d shares for %d nodes", seed, shares, shape.CountNodes())
		}
	}
}

// frail is a share that fails when it expands a node after its rank has expanded some nodes.
type frail struct {
	*explore.Toy
	left *int // number of nodes until the failure
	err  error
}

func (f *frail) Err() error { return f.err }
func (f *frail) Expand(limit int) (expanded int) {
	for ; expanded < limit && f.err == nil && !f.Empty(); expanded++ {
		if *f.left--; *f.left < 0 {
			f.err = errors.New("a node cannot be expanded")
			f.Pack(nil)
			break
		}
		f.Toy.Expand(1)
	}
	return expanded
}

// A damaged share has the error of any of its shares, whichever was active at the failure.
func TestDamagedReportsErrors(t *testing.T) {
	shape := explore.Shape{Seed: 3, Depth: 8, Width: 4}
	nodes := shape.CountNodes()
	for left := 0; left <= nodes; left += 7 {
		rest := left
		fresh := func() search.Work { return &frail{Toy: explore.NewToy(shape, false), left: &rest} }
		d := search.NewDamaged(&frail{Toy: explore.NewToy(shape, true), left: &rest}, 0.2, fresh)
		outer := search.NewResumed(d, nil, nil, false)
		given := 0
		for !d.Empty() {
			d.Expand(5)
			if piece, ok := d.Split(nil); ok {
				w := explore.NewToy(shape, false)
				if err := w.Accept(piece); err != nil {
					t.Fatal(err)
				}
				given += w.Expand(nodes)
			}
		}
		for _, w := range []search.Work{d, outer} {
			f, ok := search.As[search.Fallible](w)
			if !ok {
				t.Fatalf("%T cannot fail", w)
			}
			if failed := nodes-given > left; (f.Err() != nil) != failed {
				t.Fatalf("failure after %d nodes of %d: %T has the error %v", left, nodes-given, w, f.Err())
			}
		}
	}
}

// The number of shares is bounded by the number of waiting pieces, however many pieces could not be
// split again.
func TestDamagedReusesShares(t *testing.T) {
	shape := explore.Shape{Seed: 11, Depth: 4, Width: 4}
	fresh := func() search.Work { return explore.NewToy(shape, false) }
	d := search.NewDamaged(fresh(), 0.2, fresh)
	grants, most := 0, 0
	for range 200 {
		if err := d.Accept(explore.NewToy(shape, true).Pack(nil)); err != nil {
			t.Fatal(err)
		}
		for !d.Empty() {
			d.Expand(3)
			most = max(most, search.SizeOf(d).Open)
			if _, ok := d.Split(nil); ok {
				grants++
			}
		}
	}
	shares := 0
	search.Each(d, func(search.Work) { shares++ })
	if t.Logf("%d pieces were given away, %d nodes were open at most", grants, most); grants < 10*most || shares > most {
		t.Errorf("there are %d shares", shares)
	}
}

// pupil is a share that exchanges facts and sends its nodes.
type pupil struct {
	*explore.Toy
	learnt, got string
	sent        int64
}

func (p *pupil) Exchanges() bool { return true }
func (p *pupil) Export(dst []byte, limit int) []byte {
	dst, p.learnt = append(dst, p.learnt[:min(limit, len(p.learnt))]...), ""
	return dst
}

func (p *pupil) Import(facts []byte) error {
	if p.got += string(facts); string(facts) == "wrong" {
		return errors.New("wrong facts")
	}
	return nil
}

// Expand learns one fact per call.
func (p *pupil) Expand(limit int) int {
	n := p.Toy.Expand(limit)
	p.learnt, p.sent = "fact", int64(n)
	return n
}

func (p *pupil) TransferTime() int64 { return p.sent }

// All shares of a damaged share exchange facts, and the time of a transfer is the sum over the shares.
func TestDamagedExchanges(t *testing.T) {
	shape := explore.Shape{Seed: 11, Depth: 9, Width: 4}
	fresh := func() search.Work { return &pupil{Toy: explore.NewToy(shape, false)} }
	d := search.NewDamaged(&pupil{Toy: explore.NewToy(shape, true)}, 0.2, fresh)
	e, ok := search.As[search.Exchanger](d)
	sent, _ := search.As[search.Transferring](d)
	if !ok || !e.Exchanges() {
		t.Fatal("a damaged share of shares that exchange facts exchanges none")
	}
	for !d.Empty() {
		d.Split(nil)
		if n := d.Expand(50); sent.TransferTime() != int64(n) {
			t.Fatalf("a transfer of %d nodes takes %d", n, sent.TransferTime())
		}
	}
	shares, exports := 0, 0
	search.Each(d, func(search.Work) { shares++ })
	for string(e.Export(nil, 10)) == "fact" {
		exports++
	}
	if exports < 2 || exports > shares {
		t.Errorf("%d exports of %d shares: expected one for each share that has expanded nodes", exports, shares)
	}
	if err := e.Import([]byte("news")); err != nil {
		t.Fatal(err)
	}
	search.Each(d, func(w search.Work) {
		if got := w.(*pupil).got; got != "news" {
			t.Errorf("a share has received %q, want %q", got, "news")
		}
	})
	if e.Import([]byte("wrong")) == nil {
		t.Error("wrong facts are no error")
	}
}
