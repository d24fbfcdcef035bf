package objects

// object is one object on the rank where it is.
type object struct {
	number    int32
	state     uint64
	iteration int32     // iterations begun
	left      int       // remaining units of work of the current iteration
	waiting   []arrived // messages for iterations iteration, iteration+1 and so on
	load      int64     // ns that it has computed in this phase
	queued    bool      // it waits to begin an iteration, or has begun one
}

// arrived is the sum of the messages for an iteration.
type arrived struct {
	messages int32
	sum      uint64
}

// messageSlot returns the place for the messages of an iteration that has not begun.
func (o *object) messageSlot(iteration int32) *arrived {
	for int(iteration-o.iteration) >= len(o.waiting) {
		o.waiting = append(o.waiting, arrived{})
	}
	return &o.waiting[iteration-o.iteration]
}

// hasAllMessages reports whether an object with the given number of partners has the messages for
// its next iteration. The first iteration needs no messages.
func (o *object) hasAllMessages(partners int) bool {
	return o.iteration == 0 || int(o.messageSlot(o.iteration).messages) == partners
}

// beginIteration begins the next iteration, with the given units of work.
func (o *object) beginIteration(units int) {
	in := *o.messageSlot(o.iteration)
	o.state = absorbMessages(o.state, in.sum)
	copy(o.waiting, o.waiting[1:])
	o.waiting = o.waiting[:len(o.waiting)-1]
	o.iteration++
	o.left = units
}

// computeUnits computes up to limit units and returns their number.
func (o *object) computeUnits(limit int) (units int) {
	units = min(limit, o.left)
	x := o.state
	for range units {
		x = computeUnit(x)
	}
	o.state = x
	o.left -= units
	return units
}
