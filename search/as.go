package search

// A Wrapper is a Work that contains another Work and changes some of its behaviour. A wrapper
// does not have the methods of optional interfaces that the inner Work may lack: As finds
// them.
type Wrapper interface {
	Work
	// Unwrap returns the inner Work, or the active one of several.
	Unwrap() Work
}

// An Adapter is a Wrapper that provides some capabilities of the inner Work in its own way, or
// hides them.
type Adapter interface {
	Wrapper
	// Adapt returns a Work that has the capability that want points to, a nil *T, or a Work in
	// which As continues to look for it. nil means that there is none. Adapt does not
	// allocate.
	Adapt(want any) Work
}

// As finds a capability of a share, such as Packer: its own, one that it adapts, or one of the
// inner Work. It works on shares as errors.As works on errors. O(number of wrappers); it does
// not allocate.
//
// The returned value may lack the other capabilities of the share. So keep the share, and use the
// value only for the methods of T that Work does not have.
func As[T any](w Work) (t T, ok bool) {
	for w != nil {
		if t, ok = w.(T); ok {
			return t, true
		}
		switch x := w.(type) {
		case Adapter:
			w = x.Adapt((*T)(nil))
		case Wrapper:
			w = x.Unwrap()
		default:
			return t, false
		}
	}
	return t, false
}

// HasCapability reports whether As finds a capability.
func HasCapability[T any](w Work) bool {
	_, ok := As[T](w)
	return ok
}

// Counted is a Work that knows the number of its unexpanded nodes, the nodes of open subtrees
// included. NodesLeft takes O(1) time. It returns 0 if the order of expansion depends on the limits
// of Expand.
type Counted interface{ NodesLeft() int64 }

// Levelled is a Work that reports the number of levels of its stack.
type Levelled interface{ Levels() int }

// remaining is a wrapper that holds more pieces than the inner Work.
type remaining interface {
	TakeRemaining(emit func(piece []byte))
}

// several is a wrapper that contains several shares.
type several interface{ Each(f func(Work)) }
