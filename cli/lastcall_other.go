//go:build !unix

package cli

import "syscall"

// lastCall is a signal that nothing sends here. On unix batch systems send SIGUSR1.
const lastCall = syscall.Signal(-1)
