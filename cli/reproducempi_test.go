package cli

import (
	"testing"

	"treesplit/mpi"
	"treesplit/study/reproduce/kumar"
	"treesplit/study/reproduce/lab"
	"treesplit/study/sweep"
)

// The program that reproduce starts searches the tree of the recording, under every scheme. Here it has
// goroutine ranks, because this test needs no MPI. The tests of e2e start it under MPI.
func TestStartedPacedRanks(t *testing.T) {
	starter, err := newMPIStarter(&rankFlags{})
	if err != nil {
		t.Fatal(err)
	}
	defer starter.removeFiles()
	starter.launch, starter.world = sweep.Launch{Binary: builtProgram(t), Launcher: sweep.LocalLauncher}, sweep.WorldLocal
	l, err := lab.New("")
	if err != nil {
		t.Fatal(err)
	}
	k := lab.Fitted
	k.Instances = []lab.Instance{{Variables: 58, Ratio: 5, Seed: 2}, {Variables: 60, Ratio: 5, Seed: 5}}
	s, err := kumar.Table3OnRanks(t.Context(), l, k, kumar.Emulation{Ranks: []int{2, 4}, Node: 100_000, Formulas: 2, Variables: 20, AtOnce: 8, Name: "table3-mpi", Run: starter.runPaced})
	if err != nil {
		t.Fatal(err)
	}
	rows := s.Tables[0].Rows
	if len(rows) != 12 || s.Name != "table3-mpi" {
		t.Fatalf("%s: the rows are %v", s.Name, rows)
	}
	for _, row := range rows {
		for _, cell := range append(row[2:4:4], row[5:]...) {
			if cell == "–" || cell == "NaN" || cell == "0" {
				t.Errorf("%v: no measurement", row)
			}
		}
	}
}

// The error of a program without MPI has the command that builds one. Launchers that start no ranks are refused.
func TestReproduceUnderMPIRefuses(t *testing.T) {
	if mpi.Built {
		refuses(t, "reproduce table3 --runtime mpi --launcher local", "--launcher: launcher \"local\" starts no ranks under MPI: expected mpirun")
		refuses(t, "reproduce table3 --runtime mpi --launcher ssh", "--launcher: launcher \"ssh\": expected")
		return
	}
	refuses(t, "reproduce table3 --runtime mpi", "--runtime: mpi: this program was built without MPI: build with CC=mpicc go build -tags mpi")
}
