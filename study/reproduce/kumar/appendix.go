package kumar

import (
	"context"
	"fmt"
	"slices"

	"treesplit/search"
	"treesplit/search/replay"
	"treesplit/study/figure"
	"treesplit/study/reproduce/lab"
)

// meshRanks are the numbers of ranks of appendix A's runs. NN has runs up to mostNeighbours of them: on
// 1024 its efficiency is 0.03, and its simulations take minutes.
var meshRanks = []int{16, 64, 256, 1024}

const mostNeighbours = 256

// AppendixA runs the receiver-initiated schemes on a mesh with the nCUBE/2's costs. Appendix A of
// Kumar et al. analyses this case and prints no measurements.
func AppendixA(ctx context.Context, l *lab.Lab, k lab.Knobs) (figure.Section, error) {
	m, err := k.MachineNamed("mesh")
	if err != nil {
		return figure.Section{}, err
	}
	columns := []string{"ARR", "NN", "GRR", "GRR-M", "RP", "SB"}
	sets := map[lab.Place][]lab.Cell{}
	for _, c := range columns {
		for _, p := range meshRanks {
			if c == "NN" && p > mostNeighbours {
				continue
			}
			cells := k.SchemeCells(m, schemeOf[c], p)
			for i := range cells {
				cells[i].Termination = "mesh"
			}
			sets[lab.At(c, p)] = cells
		}
	}
	got, err := l.RunCellSets(ctx, sets)
	if err != nil {
		return figure.Section{}, err
	}
	t := figure.Table{Name: "appendixA", Title: "Speedups on a two-dimensional mesh", Spread: &figure.Spread{Keys: 1, Variable: "scheme", Value: "speedup"}, Head: append([]string{"P"}, columns...)}
	for _, p := range meshRanks {
		row := []string{fmt.Sprint(p)}
		for _, c := range columns {
			a, ran := got[lab.At(c, p)]
			if !ran {
				row = append(row, "–")
				continue
			}
			row = append(row, figure.FormatNumber(a.Speedup()))
		}
		t.AppendRow(row...)
	}
	return figure.Section{
		Title: "Appendix A: the schemes on a mesh", Tables: []figure.Table{t},
		Text: []string{"The nCUBE/2's costs on a mesh with cut-through routing, termination by rows and columns. The paper analyses this case and prints no measurements; the growth laws are in table 1. NN was not simulated on 1024 ranks, where its efficiency is about 0.03."},
	}, nil
}

// AppendixB measures how evenly the stack's splitting functions split. It measures the relative
// size of the smaller part, over splits of a share that is expanded and split alternately.
func AppendixB(_ context.Context, l *lab.Lab, k lab.Knobs) (figure.Section, error) {
	t := figure.Table{Name: "appendixB", Title: "Share of the smaller part of a split", Head: []string{"split", "min-split", "splits", "1 %", "10 %", "median", "90 %"}}
	for _, rule := range []search.Rule{search.Bottom, search.Half} {
		for _, least := range []int{2, k.MinOpen} {
			shares, err := smallerShares(l, k, search.Splitting{Rule: rule, MinOpen: least})
			if err != nil {
				return figure.Section{}, err
			}
			row := []string{rule.String(), fmt.Sprint(least), fmt.Sprint(len(shares))}
			for _, q := range []float64{0.01, 0.1, 0.5, 0.9} {
				row = append(row, fmt.Sprintf("%.4f", shares[int(q*float64(len(shares)-1))]))
			}
			t.AppendRow(row...)
		}
	}
	return figure.Section{
		Title: "Appendix B: how well stacks split", Tables: []figure.Table{t},
		Text: []string{"Quantiles of the smaller part's share of the work, where each tree is split up into 1000 " +
			"shares: again and again every share expands 100 nodes and is split. " +
			"The α of α-splitting is the worst share; the 1 % quantile stands for it."},
	}, nil
}

// smallerShares returns the relative sizes of the smaller parts in splits of the instances' trees,
// ascending.
func smallerShares(l *lab.Lab, k lab.Knobs, s search.Splitting) ([]float64, error) {
	var all []float64
	for _, i := range k.Instances {
		tree, err := l.RecordedTree(lab.Cell{Instance: i})
		if err != nil {
			return nil, err
		}
		if all, err = splitTree(tree, s, all); err != nil {
			return nil, err
		}
	}
	slices.Sort(all)
	return all, nil
}

// splitTree splits a tree into 1000 shares: repeatedly, every share expands a few nodes and is
// split if possible.
func splitTree(tree *replay.Tree, s search.Splitting, all []float64) ([]float64, error) {
	pool := []*replay.Share{tree.Share(s, true)}
	for len(pool) < 1000 {
		before := len(pool)
		for _, donor := range pool[:before] {
			donor.Expand(100)
			piece, ok := donor.Split(nil)
			if !ok {
				continue
			}
			given, kept := float64(tree.NodesInPiece(piece)), float64(donor.Left())
			all = append(all, min(given, kept)/(given+kept))
			receiver := tree.Share(s, false)
			if err := receiver.Accept(piece); err != nil {
				return nil, err
			}
			pool = append(pool, receiver)
		}
		pool = slices.DeleteFunc(pool, (*replay.Share).Empty)
		if len(pool) == 0 {
			break
		}
	}
	return all, nil
}
