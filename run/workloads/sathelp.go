package workloads

import (
	"treesplit/run"
	"treesplit/sat"
	"treesplit/sat/cubes"
)

var _ run.Helping = (*SAT)(nil)

// chooseCut chooses a cut by samples, together with the helpers.
func chooseCut(f *sat.Formula, l run.Loading) cubes.Sample {
	var team cubes.Team
	if l.Helpers != nil {
		if data, err := f.MarshalBinary(); err == nil {
			l.Helpers.Begin(data)
			team = l.Helpers
		}
	}
	return cubes.Choose(f, cubes.Assigned, team, l.Halted)
}

// Help returns the function with which another worker takes part in the choice of the cut.
func (w *SAT) Help(data []byte, l run.Loading) (answer func(question []byte) []byte, err error) {
	f := new(sat.Formula)
	if err := f.UnmarshalBinary(data); err != nil {
		return nil, err
	}
	return cubes.NewAssistant(f, cubes.Assigned, l.Halted).Answer, nil
}
