// Package process runs the program of a worker: it starts the program in a process group of its own,
// exchanges lines over its standard input and output, limits its time and memory, starts it again
// after a fault, and leaves no process of the group behind.
package process
