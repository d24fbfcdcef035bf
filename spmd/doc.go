// Package spmd drives one rank of a balancing protocol over a real endpoint: it
// lets the rank work for a quantum, polls for messages, answers some, rings
// alarms, waits where there is no work, and sees to it that a run that has come
// to a standstill ends with an explanation. Every rank runs the same DriveRank, on a
// goroutine or in a process of its own (single program, multiple data).
package spmd
