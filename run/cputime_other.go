//go:build !linux

package experiment

import (
	"time"

	"treesplit/comm"
)

var begun = time.Now()

// cpuTime is the time on the wall where this program knows no other.
func cpuTime() comm.Time { return comm.Time(time.Since(begun)) }

// clockName says what cpuTime is, to people.
const clockName = "time on the wall"
