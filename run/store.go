package run

import "errors"

// Store keeps checkpoints under names. Package run/checkpoint has one, of files. It is used on rank 0.
type Store interface {
	// IsSame reports whether two names are those of one checkpoint.
	IsSame(a, b string) bool
	// Find describes the checkpoint that there is under a name; "": there is none. An error says
	// that there is something else, which must not be overwritten.
	Find(name string) (described string, err error)
	// Reserve takes a name for this run until release is called, and sees that a checkpoint can be
	// saved under it. An error says that another run has it, or what is in the way.
	Reserve(name string) (release func(), err error)
	// Save saves a checkpoint and keeps the one before it.
	Save(name string, c *Checkpoint) error
	// Load returns the checkpoint of a name. Where that is damaged it returns the one before it, and
	// damage says what was wrong.
	Load(name string) (c *Checkpoint, damage, err error)
}

// checkStore refuses a plan that names checkpoints but has nothing to keep them in; the error is an
// InputError.
func (p Plan) checkStore() error {
	if p.Store != nil || p.Checkpoint == "" && p.Resume == "" {
		return nil
	}
	return FlagError("checkpoint", errors.New("this program keeps no checkpoints: expected a Plan.Store, such as checkpoint.Files"))
}
