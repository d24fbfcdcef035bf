// Package spmd drives one rank of a balancing protocol over a real endpoint. It lets the rank work
// for a quantum, polls for messages, answers some of them, rings alarms, and waits if there is no
// work. It ends a run in which no rank moves, with an explanation. Every rank runs the same
// DriveRank, on a goroutine or in its own process (single program, multiple data).
package spmd
