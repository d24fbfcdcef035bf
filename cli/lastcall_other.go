//go:build !unix

package cli

import "syscall"

// lastCall is a signal that no process sends on this system. On unix, batch systems send SIGUSR1.
const lastCall = syscall.Signal(-1)
