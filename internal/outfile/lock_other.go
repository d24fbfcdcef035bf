//go:build !unix

package outfile

import (
	"errors"
	"os"
)

// lock fails: there are no locks here.
func lock(*os.File, bool) error { return errors.ErrUnsupported }
