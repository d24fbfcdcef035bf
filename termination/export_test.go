package termination

import "treesplit/comm"

// Mutants are detectors with one fault each. The explorer must catch every mutant; otherwise
// the explorer is broken.
var Mutants = map[string]func(rank, size int) Detector{
	"ring without colour":                       func(_, _ int) Detector { return &colourlessRing{} },
	"ring that loses the count of a grant sent": func(_, _ int) Detector { return &forgetfulRing{} },
	"ring that never whitens":                   func(_, _ int) Detector { return &stainedRing{} },
	"ring whose token passes busy ranks":        func(_, _ int) Detector { return &hastyRing{} },
	"tree without colour":                       func(r, p int) Detector { return &colourlessTree{*NewTree(r, p)} },
	"tree that reports while busy":              func(r, p int) Detector { return &hastyTree{*NewTree(r, p)} },
	"mesh without colour":                       func(r, p int) Detector { return &colourlessTree{*NewMesh(r, p)} },
	"credit returned twice":                     func(_, _ int) Detector { return &generousCredit{} },
	"credit lost on rank 1":                     func(_, _ int) Detector { return &wastefulCredit{} },
}

type colourlessRing struct{ Ring }

func (d *colourlessRing) Received() { d.count-- }

type forgetfulRing struct {
	Ring
	lost bool
}

func (d *forgetfulRing) Sent() {
	if d.lost {
		d.Ring.Sent()
	}
	d.lost = true
}

type stainedRing struct{ Ring }

func (d *stainedRing) Receive(env comm.Env, m comm.Message, idle bool) {
	d.black = true
	d.Ring.Receive(env, m, idle)
}

type hastyRing struct{ Ring }

func (d *hastyRing) Receive(env comm.Env, m comm.Message, _ bool) { d.Ring.Receive(env, m, true) }

type colourlessTree struct{ Tree }

func (d *colourlessTree) Received() { d.count-- }

type hastyTree struct{ Tree }

func (d *hastyTree) Receive(env comm.Env, m comm.Message, _ bool) { d.Tree.Receive(env, m, true) }

type generousCredit struct{ Credit }

func (d *generousCredit) Recover(env comm.Env, e int64) {
	d.Credit.Recover(env, e)
	d.Credit.Recover(env, e+1)
}

type wastefulCredit struct{ Credit }

func (d *wastefulCredit) Recover(env comm.Env, e int64) {
	if env.Rank() != 1 {
		d.Credit.Recover(env, e)
	}
}
