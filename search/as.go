package search

// A Wrapper is a Work around another one, which changes some of what that does. A wrapper has
// no method for what the Work within may lack: As finds it.
type Wrapper interface {
	Work
	// Unwrap returns the Work within, or the one at work of several.
	Unwrap() Work
}

// An Adapter is a Wrapper that does some of what the Work within can do in a way of its own, or
// hides it.
type Adapter interface {
	Wrapper
	// Adapt returns a Work that has the capability which want points to, a nil *T, or in which
	// As is to look further; nil: neither has it. It allocates nothing.
	Adapt(want any) Work
}

// As finds a capability of a share, such as Packer: its own, the one that it adapts, or that
// of the Work within. It is to a share what errors.As is to an error. O(wrappers);
// allocates nothing.
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

// Levelled is a Work that knows how many levels its stack has.
type Levelled interface{ Levels() int }

// remaining is a wrapper whose remaining pieces are more than those of the Work within.
type remaining interface {
	TakeRemaining(emit func(piece []byte))
}

// several is a wrapper around several shares.
type several interface{ Each(f func(Work)) }
