package spmd

import (
	"strings"
	"sync"
	"testing"

	"treesplit/comm"
	"treesplit/local"
)

// auditAll returns the results of an audit in which every rank has sent its right neighbour one message of
// each kind. wrong is a kind of which rank 0 counts one message too many, or comm.Kinds.
func auditAll(ranks int, wrong comm.Kind) []error {
	errs := make([]error, ranks)
	var all sync.WaitGroup
	for i, e := range local.New(ranks) {
		all.Go(func() {
			count := newTally(i, ranks)
			for k := range comm.Kinds {
				count.countSent(comm.Message{From: int32(i), To: int32((i + 1) % ranks), Kind: k})
				count.countReceived(comm.Message{From: int32((i + ranks - 1) % ranks), To: int32(i), Kind: k})
			}
			if i == 0 && wrong < comm.Kinds {
				count.countSent(comm.Message{To: 1, Kind: wrong})
			}
			errs[i] = count.auditMessages(e)
		})
	}
	all.Wait()
	return errs
}

// All ranks learn of one message too many, of any kind, whether the audit compares all kinds at once, some of
// them, or the totals.
func TestAuditOfManyRanks(t *testing.T) {
	for _, ranks := range []int{2, 3, 300, maxPairs + 1} {
		for _, wrong := range []comm.Kind{0, 12, 13, comm.Kinds - 1, comm.Kinds} {
			expected := ""
			switch {
			case wrong == comm.Kinds: // none
			case ranks > maxPairs:
				expected = "conservation audit: 4098 " + wrong.String() + " messages were sent and 4097 received"
			default:
				expected = "conservation audit: rank 0 sent 2 " + wrong.String() + " messages to rank 1, which received 1"
			}
			for i, err := range auditAll(ranks, wrong) {
				if got := errorText(err); got != expected {
					t.Fatalf("%d ranks, kind %v, rank %d: %q, expected %q", ranks, wrong, i, got, expected)
				}
			}
		}
	}
}

// An error of one rank is an error of all, and different errors are joined.
func TestAgreeOnError(t *testing.T) {
	for _, texts := range [][]string{{"", "", ""}, {"", "", "lost"}, {"lost", "", "lost"}, {"lost", "found", ""}} {
		got := make([]error, len(texts))
		var all sync.WaitGroup
		for i, e := range local.New(len(texts)) {
			all.Go(func() {
				var own error
				if texts[i] != "" {
					own = textError(texts[i])
				}
				got[i] = AgreeOnError(e, own)
			})
		}
		all.Wait()
		for i, err := range got {
			for _, text := range texts {
				if !strings.Contains(errorText(err), text) || (err == nil) != (strings.Join(texts, "") == "") {
					t.Errorf("%q, rank %d: %v", texts, i, err)
				}
			}
		}
	}
}

type textError string

func (e textError) Error() string { return string(e) }

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
