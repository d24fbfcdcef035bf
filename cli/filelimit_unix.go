//go:build unix

package cli

import (
	"os/signal"
	"syscall"
)

// ignoreFileLimit makes a write beyond the limit on the size of files (ulimit -f) an error, like
// the error of a full disk. By default the system would end the process.
func ignoreFileLimit() { signal.Ignore(syscall.SIGXFSZ) }
