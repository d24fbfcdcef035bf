package workloads

import (
	"treesplit/run"
	"treesplit/sat"
	"treesplit/sat/cubes"
)

var _ run.Helping = (*SAT)(nil)

// chooseCut chooses a cut by samples, together with the helpers. It takes less care if the search is expected to
// take more than a number of seconds.
func chooseCut(f *sat.Formula, seconds float64, l run.Loading) cubes.Sample {
	var team cubes.Team
	if l.Helpers != nil {
		if data, err := f.MarshalBinary(); err == nil {
			l.Helpers.Begin(data)
			team = l.Helpers
		}
	}
	return cubes.ChooseWithin(f, cubes.Assigned, seconds, team, l.Halted)
}

// Help returns the function with which another worker takes part in the choice of the cut.
func (w *SAT) Help(data []byte, l run.Loading) (answer func(question []byte) []byte, err error) {
	f := new(sat.Formula)
	if err := f.UnmarshalBinary(data); err != nil {
		return nil, err
	}
	return cubes.NewAssistant(f, cubes.Assigned, l.Halted).Answer, nil
}
