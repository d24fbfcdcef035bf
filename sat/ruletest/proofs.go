package ruletest

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"treesplit/sat"
	"treesplit/sat/drat"
	"treesplit/sat/proof"
	"treesplit/search"
)

// checkUnsatProof checks the proof that several shares of a tree write together, if the formula
// is unsatisfiable.
func (s Suite) checkUnsatProof(rng *rand.Rand, f *sat.Formula) error {
	rule := s.New(f)
	if runShareToEnd(newFullSearch(rule, true, search.Splitting{}), 1000).Model() != nil {
		return nil
	}
	return s.checkSharedProof(rng, f, rule)
}

// RunProofs checks n proofs of an unsatisfiable formula. Several shares write each of them together.
func (s Suite) RunProofs(t *testing.T, f *sat.Formula, n int) {
	rule := s.New(f)
	for i := range n {
		if err := s.checkSharedProof(rand.New(rand.NewPCG(uint64(i), 11)), f, rule); err != nil {
			t.Fatalf("proof %d: %v", i, err)
		}
	}
}

// checkSharedProof searches an unsatisfiable formula on several shares and checks the proof.
func (s Suite) checkSharedProof(rng *rand.Rand, f *sat.Formula, rule sat.Rule) error {
	shares := make([]*sat.Search, 1+rng.IntN(4))
	logs := make([]*proof.Log, len(shares))
	data := make([]bytes.Buffer, len(shares))
	for i := range shares {
		shares[i] = sat.NewSearch(rule, sat.Options{Splitting: search.Splitting{Rule: search.Rule(rng.IntN(2)), MinOpen: 1}})
		logs[i] = proof.NewLog(func(block []byte) { data[i].Write(block) })
		shares[i].LogTo(logs[i])
	}
	k := rng.IntN(3)
	for _, part := range rng.Perm(1 << k) {
		if err := searchPart(rng, shares, k, uint64(part)); err != nil {
			return err
		}
	}
	streams, nodes := make([]proof.Stream, len(shares)), int64(0)
	for i, log := range logs {
		log.Flush()
		streams[i] = bytes.NewReader(data[i].Bytes())
		nodes += shares[i].Counts().Expanded - shares[i].Counts().Steps
	}
	var text bytes.Buffer
	out := proof.NewWriter(&text, proof.Format(rng.IntN(len(proof.FormatNames()))))
	merge := proof.MergeLogs
	if s.LearntFirst {
		merge = proof.MergeLearntFirst
	}
	merged, err := merge(out, streams)
	if err == nil {
		err = out.Flush()
	}
	if err != nil || merged != nodes {
		return fmt.Errorf("%d nodes merged of %d: %v", merged, nodes, err)
	}
	report, err := drat.Check(f.Clauses(), &text, "proof", drat.Options{})
	if err != nil || !report.Verified || report.RAT > 0 {
		return fmt.Errorf("the proof of %d nodes: %+v, %v", nodes, report, err)
	}
	return nil
}
