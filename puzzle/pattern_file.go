package puzzle

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
)

// A file of pattern databases is
//
//	16 bytes patternMagic
//	byte     the number of groups
//	byte     for each group the number of its tiles, and a byte for each tile
//	bytes    for each group the distances by rank
//	4 bytes  the CRC-32 (Castagnoli) of all before, the high byte first
const patternMagic = "treesplit pdb 1\n"

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// WriteTables writes the tables so that ReadPatterns reads them: 577 MB for groups of 7 and
// 8 tiles.
func (p *Patterns) WriteTables(w io.Writer) error {
	sum := crc32.New(castagnoli)
	out := bufio.NewWriterSize(io.MultiWriter(w, sum), 1<<16)
	out.WriteString(patternMagic)
	out.WriteByte(byte(len(p.tables)))
	for _, t := range p.tables {
		out.WriteByte(byte(len(t.tiles)))
		out.Write(t.tiles)
	}
	for _, t := range p.tables {
		if t.ranked {
			out.Write(t.distance)
			continue
		}
		n := len(t.tiles)
		for r := range countPlacements(n) {
			out.WriteByte(t.distanceAt(placementAtIndex(uint32(r), n)))
		}
	}
	if err := out.Flush(); err != nil {
		return err
	}
	_, err := w.Write(sum.Sum(nil))
	return err
}

// ReadPatterns reads the output of WriteTables, to the end. It returns an error if the groups are
// not a partition of the tiles, or if the file was cut short or changed.
func ReadPatterns(r io.Reader) (*Patterns, error) {
	sum := crc32.New(castagnoli)
	in := io.TeeReader(r, sum)
	groups, err := readGroups(in)
	if err != nil {
		return nil, err
	}
	p, err := newEmptyPatterns(groups)
	if err != nil {
		return nil, err
	}
	for _, tiles := range groups {
		t := &patternTable{tiles: tiles, ranked: len(tiles) > maxKeyed}
		if t.distance, err = readTable(in, countPlacements(len(tiles))); err != nil {
			return nil, fmt.Errorf("the table of the tiles %v: %w", tiles, err)
		}
		if !t.ranked {
			t.distance = reorderByKey(t.distance, len(tiles))
		}
		p.tables = append(p.tables, t)
	}
	want := sum.Sum(nil)
	end, err := io.ReadAll(io.LimitReader(r, 5))
	switch {
	case err != nil:
		return nil, err
	case !bytes.Equal(end, want):
		return nil, errors.New("the checksum of the pattern databases is wrong: the file was cut short or changed")
	}
	return p, nil
}

// readGroups reads all before the tables.
func readGroups(in io.Reader) (groups [][]uint8, err error) {
	head := make([]byte, len(patternMagic)+1)
	if _, err := io.ReadFull(in, head); err != nil || string(head[:len(patternMagic)]) != patternMagic {
		return nil, fmt.Errorf("not a file of pattern databases: expected %q at its beginning", patternMagic)
	}
	for range head[len(patternMagic)] {
		var n [1]byte
		if _, err := io.ReadFull(in, n[:]); err != nil {
			return nil, err
		}
		tiles := make([]uint8, n[0])
		if _, err := io.ReadFull(in, tiles); err != nil {
			return nil, err
		}
		groups = append(groups, tiles)
	}
	return groups, nil
}

// readTable reads n bytes. It takes memory for what there is, not for n at once.
func readTable(in io.Reader, n int) ([]uint8, error) {
	const first = 1 << 20
	table := make([]uint8, 0, min(n, first))
	for len(table) < n {
		if len(table) == cap(table) {
			grown := make([]uint8, len(table), min(n, 8*cap(table)))
			copy(grown, table)
			table = grown
		}
		got, err := io.ReadFull(in, table[len(table):cap(table)])
		table = table[:len(table)+got]
		if err != nil {
			return nil, fmt.Errorf("%d of %d distances: %w", len(table), n, err)
		}
	}
	return table, nil
}
