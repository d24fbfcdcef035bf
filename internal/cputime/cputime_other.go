//go:build !linux

package cputime

import (
	"time"

	"treesplit/comm"
)

var begun = time.Now()

// Now returns the time on the wall where this program knows no other.
func Now() comm.Time { return comm.Time(time.Since(begun)) }

// Name says what Now measures, to people.
const Name = "time on the wall"
