package spmd

import (
	"testing"

	"treesplit/comm"
)

// A quantum adapts to the time that a node takes, but not to a single slow node, which occurs when
// a rank loses its core for a while.
func TestQuantum(t *testing.T) {
	const poll = 100
	q := newQuantum(0, 0)
	run := func(perNode int64, times int) {
		for range times {
			span := int64(q.size) * perNode
			q.adaptSize(q.size, comm.Time(span), poll, 0)
		}
	}
	lasts := func(perNode int64) int64 { return int64(q.size) * perNode }
	run(10, 30)
	settled := q.size
	if got := lasts(10); got < int64(usual)*9/10 || got > int64(usual)*11/10 {
		t.Fatalf("a quantum lasts %d, want %d", got, usual)
	}
	for range 10 {
		run(10_000, 1) // the rank loses its core
		if q.size != settled {
			t.Fatalf("after a long quantum it is %d, was %d", q.size, settled)
		}
		run(10, 1)
	}
	run(1000, 30)
	if got := lasts(1000); got < int64(usual)*9/10 || got > int64(usual)*11/10 {
		t.Errorf("with dearer nodes a quantum lasts %d, want %d", got, usual)
	}
	fixed := newQuantum(7, 0)
	for range 3 {
		if fixed.adaptSize(7, 1e9, poll, 0); fixed.size != 7 {
			t.Fatalf("a fixed quantum is %d, was 7", fixed.size)
		}
	}
}

// A quantum with nodes that are sent to another program lasts 50 times as long as the transfer, at
// most a second, and begins with a single node if it may last long.
func TestTransferQuantum(t *testing.T) {
	for transfer, want := range map[comm.Time]comm.Time{0: 20e6, 100_000: 20e6, 1e6: 50e6, 1e9: 1e9} {
		q := newQuantum(0, 20e6)
		if q.size != 1 {
			t.Fatalf("the first quantum has %d nodes, want 1", q.size)
		}
		const perNode = 1000
		for range 40 {
			q.adaptSize(q.size, comm.Time(q.size*perNode), 100, transfer)
		}
		if got := comm.Time(q.size * perNode); got < want*9/10 || got > want*11/10 {
			t.Errorf("with a transfer of %v a quantum lasts %v, want %v", transfer.Duration(), got.Duration(), want.Duration())
		}
	}
}
