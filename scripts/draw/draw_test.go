package main

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"treesplit/comm"
	"treesplit/internal/svg"
	"treesplit/internal/svg/svgtest"
)

// dir is where the pictures are.
const dir = "../../docs/pictures"

// Every picture is there for both backgrounds, and small; labels are inside and do not overlap.
func TestPictures(t *testing.T) {
	names, err := filepath.Glob(filepath.Join(dir, "*.svg"))
	if err != nil || len(names) != 2*len(pictures) {
		t.Fatalf("%v, %v: want two files per picture (scripts/pictures makes them)", names, err)
	}
	for _, p := range pictures {
		for _, theme := range []string{"light", "dark"} {
			data, err := os.ReadFile(filepath.Join(dir, p.name+"-"+theme+".svg"))
			if err != nil {
				t.Fatal(err)
			}
			if len(data) >= 150_000 || bytes.Contains(data, []byte("@media")) {
				t.Errorf("%s-%s: %d bytes, or a picture for both backgrounds", p.name, theme, len(data))
			}
			svgtest.Check(t, data)
		}
	}
}

// The stored pictures that need no data equal the pictures that the program draws now.
func TestPicturesAreCurrent(t *testing.T) {
	for _, p := range pictures[len(pictures)-4:] {
		for suffix, theme := range map[string]svg.Theme{"light": svg.Light, "dark": svg.Dark} {
			now, err := p.draw("", theme)
			if err != nil {
				t.Fatal(err)
			}
			if kept, err := os.ReadFile(filepath.Join(dir, p.name+"-"+suffix+".svg")); err != nil || !bytes.Equal(kept, now) {
				t.Errorf("%s-%s differs from what is drawn now: run scripts/pictures (%v)", p.name, suffix, err)
			}
		}
	}
}

// Each request and each answer arrives after it was sent; the requests that reach rank 0 ask for one value
// per other rank, and all values are different.
func TestCombining(t *testing.T) {
	flights, err := traceCombining()
	if err != nil {
		t.Fatal(err)
	}
	asked, messages, requests := int64(0), 0, 0
	for _, f := range flights {
		if f.received <= f.sent {
			t.Errorf("%+v", f)
		}
		if f.Kind == comm.FetchAdd {
			requests++
			if f.To == 0 {
				asked, messages = asked+f.Arg, messages+1
			}
		}
	}
	if asked != combiningRanks-1 || messages != countRequests(flights) || messages >= combiningRanks-1 || requests != combiningRanks-1 || len(flights) != 2*requests {
		t.Errorf("%d values in %d messages to rank 0, %d requests, %d messages in all", asked, messages, requests, len(flights))
	}
}

// Each part is dealt out once.
func TestDeal(t *testing.T) {
	order := dealOrder()
	if slices.IsSorted(order) {
		t.Error("the parts are dealt out in order")
	}
	slices.Sort(order)
	for i, part := range order {
		if part != uint64(i) {
			t.Fatalf("parts %v", order)
		}
	}
}

// The three weights add up to that of the whole tree, and every node is in one of the three sets.
func TestWeights(t *testing.T) {
	tree, err := splitQueens()
	if err != nil {
		t.Fatal(err)
	}
	if sum := tree.weights[0] + tree.weights[1] + tree.weights[2]; math.Abs(sum-1) > 1e-12 || slices.Min(tree.weights[:]) <= 0 {
		t.Errorf("weights %v", tree.weights)
	}
	nodes := 0
	var count func(n placing)
	count = func(n placing) {
		nodes++
		for _, child := range (queens{}).Children(nil, n) {
			count(child)
		}
	}
	count(placing{})
	if got := len(tree.before) + len(tree.donor) + len(tree.requester); got != nodes {
		t.Errorf("%d of %d nodes", got, nodes)
	}
	for v, want := range map[float64]string{1: "1", 0.375: "3/8", 1.0 / 6: "1/6"} {
		if got := fraction(v); got != want {
			t.Errorf("%v: %s", v, got)
		}
	}
}
