package cli

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"treesplit/internal/fileio"
	"treesplit/puzzle"
)

// maxBoards limits a file of boards to some 400,000 boards.
var maxBoards = fileio.Limit{Bytes: 16 << 20, What: "a file of boards"}

// readBoards reads a CSV file with a heading. Column "tiles" has the boards. Column "id" has their
// names; without it, a board's name is the number of its line. Other columns are ignored.
func readBoards(path string, size puzzle.Size, goal puzzle.Goal) (names []string, boards []puzzle.Board, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	text, err := fileio.NewTextReader(file, maxBoards)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	defer text.Close()
	in := csv.NewReader(text)
	in.FieldsPerRecord = -1
	heading, err := in.Read()
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	tiles, id := slices.Index(heading, "tiles"), slices.Index(heading, "id")
	if tiles < 0 {
		return nil, nil, fmt.Errorf("%s:1: expected a heading with a column \"tiles\"", path)
	}
	for {
		record, err := in.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", path, err)
		}
		line, _ := in.FieldPos(0)
		if len(record) <= tiles {
			return nil, nil, fmt.Errorf("%s:%d: %d columns: expected tiles in column %d", path, line, len(record), tiles+1)
		}
		b, err := parseSolvableBoard(record[tiles], size, goal)
		if err != nil {
			return nil, nil, fmt.Errorf("%s:%d: %w", path, line, err)
		}
		name := fmt.Sprint(line)
		if id >= 0 && id < len(record) {
			name = record[id]
		}
		names, boards = append(names, name), append(boards, b)
	}
	if len(boards) == 0 {
		return nil, nil, fmt.Errorf("%s: no boards under the heading", path)
	}
	return names, boards, nil
}
