package search

// Fallible is a Work whose search can fail, because it depends on something outside the program.
type Fallible interface {
	Work
	// Err returns the error that ended the search of this share, or nil. The error is a Failure.
	// After an error the share is empty, and no other share of the same rank can expand a node.
	Err() error
}

// Failure is the error of a Fallible. It is a complete description for the user: the state of ranks
// would add nothing.
type Failure struct{ Err error }

// Error returns the text of the error within.
func (f Failure) Error() string { return f.Err.Error() }

// Unwrap returns the error within.
func (f Failure) Unwrap() error { return f.Err }
