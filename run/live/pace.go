package live

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync"
	"time"

	"treesplit/comm"
)

// Pace slows a simulation down to a number of virtual seconds per second, so that people can watch
// it. It changes nothing in virtual time. The simulation begins when the first page is open.
type Pace struct {
	mu       sync.Mutex
	speed    float64 // virtual seconds per second; +Inf: as fast as possible
	opened   bool    // a page is open, or was
	paused   bool
	stepping bool // the simulation is paused, and runs until the end of the column
	anchored bool
	wall     time.Time // time of virtual
	virtual  comm.Time
}

// paceView is the pace in the state of a page.
type paceView struct {
	Speed  float64 `json:"speed"` // virtual seconds per second; 0: as fast as possible
	Paused bool    `json:"paused"`
}

// NewPace returns a pace of a speed.
func NewPace(speed float64) *Pace { return &Pace{speed: speed} }

// ParseSpeed reads a speed: max, or a number above 0 that may end in x.
func ParseSpeed(text string) (float64, error) {
	if text == "max" {
		return math.Inf(1), nil
	}
	v, err := strconv.ParseFloat(strings.TrimSuffix(text, "x"), 64)
	if err != nil || !(v >= 1e-9 && v <= 1e9) {
		return 0, fmt.Errorf("%q: expected max, or virtual seconds per second, such as 1x, 100x or 0.01x", text)
	}
	return v, nil
}

// nap is the longest sleep of a simulation that waits.
const nap = 20 * time.Millisecond

// Wait holds the simulation until it may pass a moment of virtual time. column reports that a column
// has ended. It returns the moment of the next call.
func (p *Pace) Wait(now comm.Time, column bool, stopped func() bool) (next comm.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if column {
		p.stepping = false
	}
	for wait := p.remainingWait(now); wait > 0; wait = p.remainingWait(now) {
		p.mu.Unlock() // stopped may lock the state of the page
		ends := stopped()
		if !ends {
			time.Sleep(min(wait, nap))
		}
		p.mu.Lock()
		if ends {
			break
		}
	}
	if math.IsInf(p.speed, 1) {
		return comm.Never
	}
	return now + max(comm.Time(p.speed*float64(nap)), 1)
}

// remainingWait returns the time for which the simulation must still wait.
func (p *Pace) remainingWait(now comm.Time) time.Duration {
	switch {
	case !p.opened, p.paused && !p.stepping:
		p.anchored = false
		return nap
	case p.stepping, math.IsInf(p.speed, 1):
		return 0
	case !p.anchored:
		p.anchored, p.wall, p.virtual = true, time.Now(), now
		return 0
	}
	due := p.wall.Add(time.Duration(min(float64(now-p.virtual)/p.speed, math.MaxInt64/4)))
	return time.Until(due)
}

// begin notes that a page is open. It does nothing for a nil Pace.
func (p *Pace) begin() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.opened = true
}

// act performs an action of the page. It returns false for an unknown action.
func (p *Pace) act(action string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch action {
	case "play":
		p.paused, p.stepping = false, false
	case "pause":
		p.paused, p.stepping = true, false
	case "step":
		p.paused, p.stepping = true, true
	default:
		return false
	}
	p.anchored = false
	return true
}

// view returns the pace for the page, or nil.
func (p *Pace) view() *paceView {
	if p == nil {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	v := &paceView{Paused: p.paused}
	if !math.IsInf(p.speed, 1) {
		v.Speed = p.speed
	}
	return v
}
