package workloads

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"treesplit/internal/outfile"
	"treesplit/puzzle"
)

// Tables is a file that keeps the pattern databases of a heuristic between runs. Databases of 8
// tiles take minutes and 4 GB to build.
//
// Every process reads the file by itself, so the file must have the same name on every host. If
// it does not exist, rank 0 builds it, and the other ranks read it after that. Rank 0 writes
// beside the name and renames the file, so that no process reads an incomplete file.
type Tables struct {
	Path string
	// Building is called before tables are built, which can take minutes; nil: not called.
	Building func(heuristic string)
}

// tablesFrom is the source of a process's tables.
type tablesFrom int

const (
	readOnly     tablesFrom = iota // the file, which rank 0 has written
	buildAndKeep                   // the file, which is written if it does not exist
	buildUnkept                    // memory: rank 0 could not write the file
)

// openTables reads the tables of a heuristic. With buildAndKeep it builds and writes them if the
// file does not exist. It returns an error if the file has other tables or was changed.
func (t *Tables) openTables(heuristic string, size puzzle.Size, how tablesFrom) (p *puzzle.Patterns, unwritten, err error) {
	groups, err := puzzle.PatternGroups(heuristic, size)
	if err != nil {
		return nil, nil, err
	}
	if how == buildUnkept {
		p, err = puzzle.NewPatterns(groups)
		return p, nil, err
	}
	p, err = readTables(t.Path, groups)
	switch {
	case !errors.Is(err, fs.ErrNotExist):
		return p, nil, err
	case how == readOnly:
		return nil, nil, fmt.Errorf("%w: expected on every host, with what rank 0 has", err)
	}
	if t.Building != nil {
		t.Building(heuristic)
	}
	return t.buildTables(groups)
}

func readTables(path string, groups [][]uint8) (*puzzle.Patterns, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	p, err := puzzle.ReadPatterns(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if got := p.TileGroups(); !slices.EqualFunc(got, groups, slices.Equal) {
		return nil, fmt.Errorf("%s: the file has pattern databases of the tiles %v: expected %v", path, got, groups)
	}
	return p, nil
}

// buildTables builds tables and writes them. It first checks that the file can be written,
// because the build takes minutes.
func (t *Tables) buildTables(groups [][]uint8) (p *puzzle.Patterns, unwritten, err error) {
	if err := outfile.CheckWritable(t.Path); err != nil {
		return nil, nil, err
	}
	if p, err = puzzle.NewPatterns(groups); err != nil {
		return nil, nil, err
	}
	if err := outfile.WriteFile(t.Path, p.WriteTables); err != nil {
		unwritten = fmt.Errorf("--pdb-file: %w", err)
	}
	return p, unwritten, nil
}
