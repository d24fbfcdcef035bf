package cli

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// column is a part of a progress line. A line that is too long for its terminal loses its columns
// with the least worth first.
type column struct {
	text  string
	worth int
}

// The worths of columns. A column of worth keepAlways is never dropped.
const (
	worthDetail = iota // open nodes, idle ranks, names
	worthElapsed
	worthRate
	worthCount
	worthLabel // the current bound or board
	worthDone  // the share done
	keepAlways // the time left
)

// joinColumns writes columns with commas between.
func joinColumns(all []column) string {
	texts := make([]string, len(all))
	for i, c := range all {
		texts[i] = c.text
	}
	return strings.Join(texts, ", ")
}

// fitColumns writes the columns that fit into width characters; 0: all columns.
func fitColumns(all []column, width int) string {
	all = slices.Clone(all)
	for width > 0 && utf8.RuneCountInString(joinColumns(all)) > width {
		least := 0
		for i, c := range all {
			if c.worth <= all[least].worth { // the last one of those with the same worth
				least = i
			}
		}
		if all[least].worth == keepAlways {
			break
		}
		all = slices.Delete(all, least, least+1)
	}
	return joinColumns(all)
}
