package reproduce

import (
	"fmt"
	"time"

	"treesplit/study/figure"
)

// AboutName is the name of the section that AboutPage returns.
const AboutName = "about"

// abbreviations are the short names in tables and figures, and the names that they stand for.
var abbreviations = [][]string{
	{"P", "number of ranks: processors of the simulated machine"},
	{"W", "number of nodes of the search tree"},
	{"RP", "random polling: a rank without work asks a random rank"},
	{"NN", "nearest neighbour: a rank without work asks its neighbours in turn"},
	{"ARR", "asynchronous round robin: every rank has a counter of its own for the next rank to ask"},
	{"GRR", "global round robin: one counter on rank 0 serves all ranks"},
	{"GRR-M", "global round robin with message combining: requests to the counter are combined"},
	{"SB", "scheduler based: a scheduler on rank 0 knows which ranks have work"},
	{"SL", "single-level: rank 0 hands out subtasks"},
	{"ML", "multi-level: a tree of ranks hands out subtasks"},
	{"static", "static load balancing: parts of the tree are dealt out at random before the work begins"},
	{"shuffle", "poll and shuffle: partners share work along each dimension in turn, then all work moves at random"},
	{"KS-BF", "keep-left send-right, breadth first: a rank on a ring keeps the left child and sends the right one"},
}

// AboutPage is the first section of the page of all experiments: when, by which command and by which
// version of the program it was written, and what short names stand for.
func AboutPage(written time.Time, command, version string) figure.Section {
	return figure.Section{
		Name: AboutName, Title: "About this page",
		Text: []string{
			fmt.Sprintf("This page was written on %s by the command \"%s\" of treesplit %s. It shows every experiment in the folder, "+
				"also experiments that earlier commands ran.", written.Format(time.DateOnly), command, version),
		},
		Tables: []figure.Table{{Name: AboutName, Title: "Short names", Head: []string{"name", "meaning"}, Rows: abbreviations}},
	}
}
