// Package graphfile reads and writes object graphs and maps in the formats of other
// programs: METIS's graphs and partitions, Scotch's graphs and mappings, and the
// load-balancing data of DARMA vt. It opens no files.
//
// METIS and Scotch use weights, not time: a weight of 1 is Options.Unit nanoseconds. A vertex of
// weight v computes for v units. An edge of weight w costs each of its two ends w units if they
// are on different processors.
package graphfile

import (
	"fmt"
	"io"
	"path"
	"strings"

	"treesplit/mapping"
)

// Format is a format of graphs.
type Format string

// The formats.
const (
	Metis  Format = "metis"  // METIS 5.1, manual section 4.1.1
	Scotch Format = "scotch" // Scotch 7.0, user's guide section 5.1
	VT     Format = "vt"     // LBDatafile of DARMA vt
)

// endings maps the endings of names to formats.
var endings = map[string]Format{
	".graph": Metis, ".metis": Metis, ".grf": Scotch, ".scotch": Scotch, ".json": VT,
}

// compressions are the endings of compressed files.
var compressions = []string{".br", ".gz", ".zst", ".xz", ".bz2"}

// FormatByName returns the format of a file by its name. The ending of a compression may follow
// the ending of the format.
func FormatByName(name string) (Format, error) {
	if f, ok := endings[path.Ext(plainName(name))]; ok {
		return f, nil
	}
	return "", fmt.Errorf("%s: the format is unknown from the name: expected one that ends in .graph, .metis, .grf, .scotch or .json, and perhaps .br, .gz, .zst, .xz or .bz2", name)
}

// Options control how a file is read. The zero value is suitable for graphs, except for
// Processors.
type Options struct {
	Format     Format          // empty: by the file's name
	Processors int             // P; 0: as the file says (vt), or for the caller to fill in
	Unit       int64           // METIS and Scotch: ns that a weight of 1 means; 0 for 1
	Machine    mapping.Machine // vt: what messages and bytes cost
	Phase      *int            // vt: which phase; nil for the last
	Limit      int64           // bytes of text of a file; 0 for 1 GiB, of one of vt's 256 MiB
}

// Bounds of text. Files of METIS and Scotch are read as a stream. Files of vt stay in memory
// until all of them have been read.
const (
	maxText      = 1 << 30
	maxRankText  = 1 << 28
	maxRanksText = 1 << 30 // of all files of a run of vt
)

// File is a problem read from a file.
type File struct {
	Format  Format
	Problem *mapping.Problem // not Checked if Processors is 0
	Start   mapping.Map      // the current places of the objects; nil if the file does not give them
	Unknown int              // arcs left out because the file does not define one of their objects
	Skipped int              // vt: communication left out that is not between two objects
	Phase   int              // vt: the phase that was read

	vt *recording // data that WriteVT writes again
}

// Read reads a graph; from files of vt it reads one that has all ranks. Errors name the file, the
// line and the expected input. The problem has been checked, except for the number of processors
// if neither the options nor the file give it.
func Read(name string, r io.Reader, o Options) (*File, error) {
	f := o.Format
	if f == "" {
		var err error
		if f, err = FormatByName(name); err != nil {
			return nil, err
		}
	}
	if f == VT {
		x, err := readRankFile(name, r, o)
		if err != nil {
			return nil, err
		}
		return assembleProblem([]*rankFile{x}, o)
	}
	readers := map[Format]func(string, io.Reader, Options) (*File, error){Metis: readMetis, Scotch: readScotch}
	read, ok := readers[f]
	if !ok {
		return nil, fmt.Errorf("format %q: expected metis, scotch or vt", f)
	}
	text, done, err := openPlainText(name, r, f, o)
	if err != nil {
		return nil, err
	}
	defer done()
	return read(name, text, o)
}

// RankFileName returns the name of a rank's file from a pattern with %p in place of the rank.
func RankFileName(pattern string, rank int) string {
	return strings.ReplaceAll(pattern, "%p", fmt.Sprint(rank))
}
