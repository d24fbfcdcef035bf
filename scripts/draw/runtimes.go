package main

import (
	"treesplit/internal/svg"
)

// drawRuntimes draws how one scheme runs on the three runtimes.
func drawRuntimes() (*svg.Canvas, error) {
	const width, column, box = 760.0, 232.0, 216.0
	c := svg.New(width, 338, "The three runtimes", "A problem and a scheme run unchanged on goroutines, on MPI and on a simulated machine.")
	top := func(x, w float64, title, text string) {
		c.Box(x, 20, w, 62, "none frame")
		c.Text(x+w/2, 46, svg.Middle, "ink bold", title)
		c.Text(x+w/2, 68, svg.Middle, "muted", text)
	}
	top(40, 200, "Problem", "sat, puzzle, uts, map, …")
	top(280, 200, "Scheme", "rp, grr-m, static, shuffle, …")
	top(520, 200, "Detector", "ring, tree, mesh, credit")
	c.Line(240, 51, 280, 51, "line ref")
	c.Line(480, 51, 520, 51, "line ref")
	c.Box(120, 112, 520, 42, "none frame")
	c.Text(380, 138, svg.Middle, "ink", "one rank: a state machine without a clock, a thread or global random numbers")
	c.Arrow(380, 82, 380, 110, "line ref", "muted")
	for i, r := range []struct {
		title string
		lines []string
	}{
		{"Goroutines", []string{"treesplit sat f.cnf -n 8", "one process, real time", "for one machine"}},
		{"MPI", []string{"mpirun -n 512 treesplit …", "one process per rank, real time", "for clusters"}},
		{"Simulated machine", []string{"--machine ncube2 -n 1024", "virtual time, 1 to 10⁶ ranks", "for tables and predictions"}},
	} {
		x := 40 + float64(i)*column
		c.Arrow(x+box/2, 154, x+box/2, 190, "line ref", "muted")
		c.Box(x, 194, box, 122, "none line "+[]string{"c0", "c1", "c2"}[i])
		c.Text(x+box/2, 222, svg.Middle, "ink bold", r.title)
		for k, line := range r.lines {
			c.Text(x+box/2, 250+23*float64(k), svg.Middle, []string{"ink", "muted", "muted"}[k], line)
		}
	}
	return c, nil
}
