package run

import "errors"

// Store keeps checkpoints under names. Package run/checkpoint implements it with files. Rank 0
// uses it.
type Store interface {
	// IsSame reports whether two names stand for one checkpoint.
	IsSame(a, b string) bool
	// Find describes the checkpoint of a name; "": there is none. It returns an error if
	// something else has the name that must not be overwritten.
	Find(name string) (described string, err error)
	// Reserve reserves a name for this run until release is called, and ensures that a checkpoint
	// can be saved under it. It returns an error if another run has reserved the name or if the
	// name cannot be written.
	Reserve(name string) (release func(), err error)
	// Save saves a checkpoint and keeps the previous one.
	Save(name string, c *Checkpoint) error
	// Load returns the checkpoint of a name. If it is damaged, Load returns the previous one, and
	// damage describes what was wrong.
	Load(name string) (c *Checkpoint, damage, err error)
}

// checkStore returns an error if the plan names checkpoints but has no Store. The error is an
// InputError.
func (p Plan) checkStore() error {
	if p.Store != nil || p.Checkpoint == "" && p.Resume == "" {
		return nil
	}
	return FlagError("checkpoint", errors.New("this program keeps no checkpoints: expected a Plan.Store, such as checkpoint.Files"))
}
