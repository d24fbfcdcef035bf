package search

// Adapt gives the Damaged the capabilities of its shares, except some. There is no Pack, because
// the waiting shares cannot be encoded as one piece of the Work; TakeRemaining returns several
// pieces. There is no Subtask, because a scheme that cuts off subtasks splits nothing.
func (d *Damaged) Adapt(want any) Work {
	can := false
	switch want.(type) {
	case *Decider:
		can = HasCapability[Decider](d.main)
	case *Optimiser:
		can = HasCapability[Optimiser](d.main)
	case *Bisecter:
		can = HasCapability[Bisecter](d.main)
	case *EvenBisecter:
		can = HasCapability[EvenBisecter](d.main)
	case *Sizer:
		can = HasCapability[Sizer](d.main)
	case *Fallible:
		can = HasCapability[Fallible](d.main)
	case *Exchanger:
		can = HasCapability[Exchanger](d.main)
	case *Transferring:
		can = HasCapability[Transferring](d.main)
	case *Redundant:
		can = HasCapability[Redundant](d.main)
	case *Levelled:
		return d.main
	}
	if can {
		return damagedFacets{d}
	}
	return nil
}

// damagedFacets is a Damaged whose shares have the requested capability.
type damagedFacets struct{ *Damaged }

// Decided reports whether the active share has found a witness.
func (d damagedFacets) Decided() bool { return Decided(d.main) }

// Bound returns the least value that any share knows of.
func (d damagedFacets) Bound() int64 { return d.knownBound() }

// Tighten informs all shares of a better solution.
func (d damagedFacets) Tighten(value int64) {
	d.bound = min(d.bound, value)
	for _, s := range d.shares {
		TightenTo(s, value)
	}
}

// Bisect makes the active share one of 2^k parts of the tree.
func (d damagedFacets) Bisect(k int, part uint64) (expanded, redundant int) {
	b, _ := As[Bisecter](d.main)
	return b.Bisect(k, part)
}

// Weight returns the weight of the active share and the waiting ones.
func (d damagedFacets) Weight() float64 {
	left := WeightOf(d.main)
	for _, w := range d.kept {
		left += WeightOf(w)
	}
	return left
}

// Open returns the number of open nodes of the active share and the waiting ones.
func (d damagedFacets) Open() int {
	nodes := SizeOf(d.main).Open
	for _, w := range d.kept {
		nodes += SizeOf(w).Open
	}
	return nodes
}

// Err returns the first error of a share.
func (d damagedFacets) Err() error {
	for _, s := range d.shares {
		if f, ok := As[Fallible](s); ok && f.Err() != nil {
			return f.Err()
		}
	}
	return nil
}

// Exchanges reports whether the shares exchange facts. All shares give the same answer.
func (d damagedFacets) Exchanges() bool {
	e, ok := As[Exchanger](d.main)
	return ok && e.Exchanges()
}

// Export appends facts of one share, the first one that has any, because a share reads only the
// facts of a single export.
func (d damagedFacets) Export(dst []byte, limit int) []byte {
	for _, s := range d.shares {
		e, _ := As[Exchanger](s)
		if facts := e.Export(dst, limit); len(facts) > len(dst) {
			return facts
		}
	}
	return dst
}

// Import passes facts to all shares, because each of them may become the active one.
func (d damagedFacets) Import(facts []byte) error {
	for _, s := range d.shares {
		e, _ := As[Exchanger](s)
		if err := e.Import(facts); err != nil {
			return err
		}
	}
	return nil
}

// TransferTime returns the sum of the times of all shares that the last Expand has expanded.
func (d damagedFacets) TransferTime() int64 { return d.sent }

// TakeRedundant returns the number of redundant nodes of all shares.
func (d damagedFacets) TakeRedundant() (nodes int64) {
	for _, s := range d.shares {
		if r, ok := As[Redundant](s); ok {
			nodes += r.TakeRedundant()
		}
	}
	return nodes
}

// HasEvenParts marks a Damaged whose shares have parts that are all alike.
func (d damagedFacets) HasEvenParts() {}
