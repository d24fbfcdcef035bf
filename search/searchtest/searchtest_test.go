package searchtest

import (
	"encoding/binary"
	"errors"
	"testing"

	"treesplit/search"
)

// fib is a Work for testing the suite: the tree of fib(n)'s recursion, in which node n > 1 has
// the children n-1 and n-2. Its fault, if any, breaks the contract.
type fib struct {
	stack  []uint16
	fault  string
	leak   []byte // the last allocation of the fault "allocates"
	shared []byte // the faults "aliases" and "aliases packs" read their nodes from here

	bisected bool // the share has been a part
	spent    bool // the share accepts no more pieces
}

const fibRoot = 17 // W = 2·fib(18)-1

func (w *fib) Empty() bool { return len(w.stack) == 0 && len(w.shared) == 0 }

func (w *fib) Expand(limit int) (n int) {
	if w.fault == "expands too much" {
		limit++
	}
	w.unshare()
	for ; n < limit && len(w.stack) > 0; n++ {
		if w.fault == "allocates" {
			w.leak = make([]byte, 64)
		}
		k := w.stack[len(w.stack)-1]
		w.stack = w.stack[:len(w.stack)-1]
		if k > 1 {
			w.stack = append(w.stack, k-2, k-1)
		}
	}
	return n
}

// unshare reads the nodes of shared into the stack.
func (w *fib) unshare() {
	for i := 1; i+1 < len(w.shared); i += 2 {
		w.stack = append(w.stack, min(fibRoot, binary.LittleEndian.Uint16(w.shared[i:])))
	}
	w.shared = nil
}

func (w *fib) Split(dst []byte) ([]byte, bool) {
	switch {
	case w.fault == "gives its last node" && len(w.stack) == 1:
		dst = binary.LittleEndian.AppendUint16(append(dst, 'f'), w.stack[0])
		w.stack = w.stack[:0]
		return dst, true
	case len(w.stack) < 2:
		if w.fault == "writes on refusal" {
			dst = append(dst, 0)
		}
		return dst, false
	case w.fault == "overwrites dst" && len(dst) > 0:
		dst[0] = 'x'
	}
	dst = binary.LittleEndian.AppendUint16(append(dst, 'f'), w.stack[0])
	switch {
	case w.fault == "keeps the nodes it gives" || w.fault == "keeps the nodes a part gives" && w.bisected:
	case w.fault == "loses a node":
		w.stack = w.stack[2:]
	default:
		w.stack = w.stack[1:]
	}
	return dst, true
}

func (w *fib) Accept(piece []byte) error {
	switch {
	case w.fault == "stays empty":
		return nil
	case w.fault == "accepts anything":
		w.stack = append(w.stack, 1)
		return nil
	case w.fault == "panics on short pieces" && piece[2] == 0 && piece[0] == 'f':
	case w.fault == "panics on odd packs" && len(piece) > 12 && len(piece)%2 == 0:
		panic("odd")
	case w.spent || !sound(piece):
		if w.fault == "keeps refused pieces" || w.fault == "keeps refused packs" && len(piece) > 40 {
			w.stack = append(w.stack, 1)
		}
		return errors.New("bad piece")
	}
	if w.fault == "aliases" || w.fault == "aliases packs" && len(piece) > 3 {
		w.shared = piece
		return nil
	}
	for i := 1; i < len(piece); i += 2 {
		w.stack = append(w.stack, binary.LittleEndian.Uint16(piece[i:]))
	}
	return nil
}

// sound reports whether a piece is an f followed by nodes of two bytes each.
func sound(piece []byte) bool {
	if len(piece) < 3 || len(piece)%2 == 0 || piece[0] != 'f' {
		return false
	}
	for i := 1; i < len(piece); i += 2 {
		if binary.LittleEndian.Uint16(piece[i:]) > fibRoot {
			return false
		}
	}
	return true
}

func fibSuite(fault string) suite {
	return suite{
		newRoot:  func() search.Work { return &fib{stack: []uint16{fibRoot}, fault: fault} },
		newEmpty: func() search.Work { return &fib{fault: fault} },
		wantW:    2*2584 - 1,
	}
}

func TestRunPassesAGoodWork(t *testing.T) {
	s := fibSuite("")
	Run(t, s.newRoot, s.newEmpty, s.wantW)
}

// Each broken workload must fail a check; otherwise the suite is broken.
func TestChecksCatchFaults(t *testing.T) {
	for _, fault := range []string{
		"expands too much", "allocates", "overwrites dst", "gives its last node", "writes on refusal", "keeps the nodes it gives",
		"loses a node", "stays empty", "accepts anything", "panics on short pieces", "keeps refused pieces", "aliases",
	} {
		if by := caughtBy(fibSuite(fault)); by == "" {
			t.Errorf("no check caught the fault %q", fault)
		} else {
			t.Logf("%s: caught by %s", fault, by)
		}
	}
	wrong := fibSuite("")
	wrong.wantW++
	if caughtBy(wrong) == "" {
		t.Error("no check caught a wrong W")
	}
}

// caughtBy returns the name of the first check that fails or panics.
func caughtBy(s suite) (name string) { return firstFailed(s.listChecks()) }

func firstFailed(checks []check) (name string) {
	for _, c := range checks {
		if func() (failed bool) {
			defer func() { failed = recover() != nil || failed }()
			return c.check() != nil
		}() {
			return c.name
		}
	}
	return ""
}
