// Package termination detects the end of a distributed search: no rank has work and no Grant
// is in flight (Kumar et al., section 5). A detector is one rank's part of a termination
// detection protocol. It is a plain struct. Its rank informs it of grants sent and received,
// and of becoming idle.
//
// Ring, Tree and Mesh are waves. A wave visits every rank once per round, each at a moment at
// which the rank is idle, and adds up grants sent minus grants received. The visits happen at
// different times. Safra's rule (Dijkstra, EWD 998) makes a wave safe nevertheless: a rank
// that has received a grant since its last visit is black, and a round is clear only if no
// visited rank was black and the sum is zero.
//
// Proof, for any wave whose round starts at a moment τ after all visits of the previous round.
// No rank was black, so no rank received a grant between τ and its visit. The number of grants
// received before τ is therefore the number received before the visits. The sum is zero, so
// this number equals the number of grants sent before the visits, which is at least the number
// sent before τ. Hence no grant was in flight at τ, and no grant was sent between τ and the
// visits. A rank that is idle at its visit stays idle: only a grant could give it work, and no
// rank can send one. Without the colour rule a wave misses a grant that one rank sends after its
// visit and another rank receives before its visit. Such an error needs at least three ranks.
//
// The scripts in testdata/scenarios show each detector step by step.
//
// Credit works differently. Every piece carries a credit, and the root's credit is 1. A split
// halves the credit. Finished pieces return their credits to rank 0 until their sum is 1
// (Mattern 1989; Kumar et al. call it the tree-based scheme with weights).
package termination
