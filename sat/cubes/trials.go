package cubes

// Trials of a cut, one after the other or several at a time.

// tryMore makes trials for a cut until it has had a number of trials, or no dive is left. The last trial
// is the one that reaches the limit, alone or with the trials before.
func (s *sampler) tryMore(e *entrant, trials int, limit float64) {
	until := s.spent + limit
	hasTime := func() bool { return s.spent <= until && !s.isHalted() }
	for e.tried < trials && e.next < len(s.dives) && hasTime() {
		places := s.nextPlaces(e, min(trials-e.tried, s.team.Size()))
		for i, t := range s.tryPlaces(e.cut, places, limit) {
			if i > 0 && !hasTime() {
				return
			}
			s.useTrial(e, places[i], t)
			if !t.complete { // a worker alone would make no other trial
				return
			}
		}
	}
}

// anchorPlace is an anchor on a dive.
type anchorPlace struct{ dive, at int }

// nextPlaces returns up to n anchors on the next dives that have one. If there are none, all dives are used.
func (s *sampler) nextPlaces(e *entrant, n int) (places []anchorPlace) {
	for dive := e.next; dive < len(s.dives) && len(places) < n; dive++ {
		if at := find(s.dives[dive], e.cut.Anchor); at >= 0 {
			places = append(places, anchorPlace{dive, at})
		}
	}
	if len(places) == 0 {
		e.next = len(s.dives)
	}
	return places
}

// tryPlaces makes trials of some anchors.
func (s *sampler) tryPlaces(c Cut, places []anchorPlace, limit float64) []trial {
	var all []question
	for _, p := range places {
		q := question{cut: c, limit: limit}
		for _, point := range s.dives[p.dive][:p.at+1] {
			q.path = append(q.path, point.literal)
		}
		all = append(all, q)
	}
	return s.makeTrials(all)
}

// useTrial adds the trial of an anchor to a cut. After an incomplete trial there is no other one.
func (s *sampler) useTrial(e *entrant, p anchorPlace, t trial) {
	s.spent += float64(float64(t.way)*LookStep) + t.seconds()
	e.add(t, s.dives[p.dive][p.at].weight)
	e.next = p.dive + 1
	if !t.complete {
		e.next = len(s.dives)
	}
}
