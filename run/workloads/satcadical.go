package workloads

import (
	"treesplit/sat"
	"treesplit/sat/cadical"
	"treesplit/sat/cdcl"
	"treesplit/sat/portfolio"
)

// newCaDiCaL is the portfolio.Maker of CaDiCaL. lookUpEngine has checked that the program has the
// library.
func newCaDiCaL(f *sat.Formula, attempt uint64, log cdcl.Proof) portfolio.Engine {
	s, err := cadical.New(cadical.Options{Proof: log, Seed: attempt, Complete: true})
	if err != nil {
		panic(err)
	}
	s.AddFormula(f)
	return s
}
