//go:build !linux

package cputime

import (
	"time"

	"treesplit/comm"
)

var begun = time.Now()

// Now returns wall-clock time, because this program knows no other clock on this system.
func Now() comm.Time { return comm.Time(time.Since(begun)) }

// Name describes the clock of Now, for users.
const Name = "time on the wall"
