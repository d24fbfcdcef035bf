// Package worker searches a tree whose nodes a program of the user expands: a worker, in any
// language. The program reads requests and writes answers, one JSON object per line (protocol.go).
// A node is any JSON value; this package never looks inside. Share is a search.Work over a stack of
// such nodes. It knows nothing of processes: a Link carries the lines (package worker/process).
package worker
