// Package termination decides when a distributed search is over: no rank has
// work and no Grant is in flight (Kumar et al., section 5). A detector is one
// rank's part of such a protocol, a plain struct that its rank tells of grants
// sent and received and of running idle.
//
// Ring, Tree and Mesh are waves: they visit every rank once a round, each at a
// moment at which it is idle, and add up grants sent minus grants received. The
// rule that makes a wave safe although its visits happen at different times is
// Safra's (Dijkstra, EWD 998): a rank that has received a grant since its last
// visit is black, and a round counts only if no visited rank was black and the
// sum is zero. Proof, for any wave whose round starts at a moment τ after all
// visits of the round before: nobody received a grant between τ and its visit,
// so the grants received by τ are those received by the visits; their number
// equals that of the grants sent by the visits, which is at least that of the
// grants sent by τ; so none was in flight at τ, and none was sent between τ and
// the visits. A rank idle at its visit then stays idle, since only a grant could
// wake it and nobody is left to send one. Without the colour rule a grant that
// overtakes the wave from behind goes unnoticed; it takes three ranks to see it.
//
// The scripts in testdata/scenarios show each detector at work, step by step.
//
// Credit works otherwise: every piece carries a credit, the root's is 1, a split
// halves it, and finished pieces return theirs to rank 0 until all of it is back
// (Mattern 1989; Kumar et al. call it the tree-based scheme with weights).
package termination
