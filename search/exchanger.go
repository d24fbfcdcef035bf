package search

// Exchanger is a Work whose shares learn facts about the whole search while they expand nodes. The facts help
// other shares to finish sooner. A search is right without them: they may be late, lost or repeated.
type Exchanger interface {
	Work
	// Exchanges reports whether this search exchanges facts. The answer is the same on all ranks.
	Exchanges() bool
	// Export appends facts that were not exported before to dst, at most limit bytes, and none if
	// there are none.
	Export(dst []byte, limit int) []byte
	// Import takes in facts that another share has exported, for use in later calls of Expand. It
	// keeps no reference to them. The bytes may come from anywhere: invalid facts are an error, and
	// the memory is bounded.
	Import(facts []byte) error
}
