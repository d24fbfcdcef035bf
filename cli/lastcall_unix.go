//go:build unix

package cli

import "syscall"

// lastCall is the signal that batch systems send when the time is nearly up.
const lastCall = syscall.SIGUSR1
