package uts

import (
	"math"
	"strings"
	"testing"
)

func TestValidate(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		change func(p *Params)
		want   string // the error's beginning; "" for none
	}{
		{func(p *Params) {}, ""},
		{func(p *Params) { p.Type = 4 }, "-t 4: expected a tree type"},
		{func(p *Params) { p.Type = -1 }, "-t -1: expected a tree type"},
		{func(p *Params) { p.B0 = -0.5 }, "-b -0.5: expected a branching factor"},
		{func(p *Params) { p.B0 = nan }, "-b NaN: expected"},
		{func(p *Params) { p.B0 = math.Inf(1) }, "-b +Inf: expected"},
		{func(p *Params) { p.B0 = 1 << 31 }, "-b 2.147483648e+09: expected"},
		{func(p *Params) { p.Seed = -1 }, "-r -1: expected a seed"},
		{func(p *Params) { p.Seed = 1 << 31 }, "-r 2147483648: expected a seed"},
		{func(p *Params) { p.Seed = 1<<31 - 1 }, ""},
		{func(p *Params) { p.Shape = 4 }, "-a 4: expected a shape"},
		{func(p *Params) { p.Depth = -1 }, "-d -1: expected a depth"},
		{func(p *Params) { p.Depth = 0 }, "-d 0: expected a depth of at least 1 with -a 0"},
		{func(p *Params) { p.Depth, p.Shape = 0, Cyclic }, "-d 0: expected a depth of at least 1 with -a 2"},
		{func(p *Params) { p.Depth, p.Shape = 1, ExpDec }, "-d 1: expected a depth of at least 2 with -a 1"},
		{func(p *Params) { p.Depth, p.Shape = 0, Fixed }, ""},
		{func(p *Params) { p.Depth, p.Type = 0, Balanced }, ""},
		{func(p *Params) { p.B0, p.Shape = 0.5, ExpDec }, "-b 0.5: expected at least 1 with -a 1"},
		{func(p *Params) { p.B0, p.Shape = 0, Cyclic }, "-b 0: expected b > 0 with -a 2"},
		{func(p *Params) { p.B0 = 0 }, ""},
		{func(p *Params) { p.Q = 1 }, "-q 1: expected a probability"},
		{func(p *Params) { p.Q = nan }, "-q NaN: expected a probability"},
		{func(p *Params) { p.Q = -0.1 }, "-q -0.1: expected a probability"},
		{func(p *Params) { p.M = -1 }, "-m -1: expected a number of children"},
		{func(p *Params) { p.Shift = 1.5 }, "-f 1.5: expected a fraction"},
		{func(p *Params) { p.Shift = nan }, "-f NaN: expected a fraction"},
		{func(p *Params) { p.Type, p.Shift = Hybrid, 0 }, "-f 0 -d 6: expected f·d > 0"},
		{func(p *Params) { p.Type, p.Depth, p.Shape = Hybrid, 0, Fixed }, "-f 0.5 -d 0: expected f·d > 0"},
		{func(p *Params) { p.Granularity = 0 }, "-g 0: expected a granularity"},
	} {
		p := edit(c.change)
		err := p.Validate()
		if (err == nil) != (c.want == "") || err != nil && !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", p, err, c.want)
		}
		if _, newErr := New(p, splitting, true); (newErr == nil) != (err == nil) {
			t.Errorf("%+v: New says %v, Validate %v", p, newErr, err)
		}
	}
}
