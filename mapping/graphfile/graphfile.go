// Package graphfile reads and writes object graphs and maps in the formats of other
// programs: METIS's graphs and partitions, Scotch's graphs and mappings, and the
// load-balancing data of DARMA vt. It opens no files.
//
// METIS and Scotch know weights, not time: a weight of 1 is Options.Unit nanoseconds. A
// vertex of weight v computes for v units, and an edge of weight w costs each of its two
// ends w units where they are on different processors.
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

// endings tells formats by the ends of names.
var endings = map[string]Format{
	".graph": Metis, ".metis": Metis, ".grf": Scotch, ".scotch": Scotch, ".json": VT,
}

// compressions are the endings that a name may have besides.
var compressions = []string{".br", ".gz", ".zst"}

// ByName tells a file's format by its name, which may end in .br, .gz or .zst besides.
func ByName(name string) (Format, error) {
	for _, c := range compressions {
		name = strings.TrimSuffix(name, c)
	}
	if f, ok := endings[path.Ext(name)]; ok {
		return f, nil
	}
	return "", fmt.Errorf("%s: the name does not tell the format: expected one that ends in .graph, .metis, .grf, .scotch or .json, and perhaps .br, .gz or .zst", name)
}

// Options say how to read a file. The zero value will do for graphs but for Processors.
type Options struct {
	Format     Format          // empty: by the file's name
	Processors int             // P; 0: as the file says (vt), or for the caller to fill in
	Unit       int64           // METIS and Scotch: ns that a weight of 1 means; 0 for 1
	Machine    mapping.Machine // vt: what messages and bytes cost
	Phase      *int            // vt: which phase; nil for the last
	Limit      int64           // bytes of text that compressed input may become; 0 for DefaultLimit
}

// DefaultLimit is how many bytes of text compressed input may become, unless Options say.
const DefaultLimit = 1 << 28

// File is a problem as a file gives it.
type File struct {
	Format  Format
	Problem *mapping.Problem // not Checked where Processors is 0
	Start   mapping.Map      // where the objects are now; nil where the file does not say
	Unknown int              // arcs left out: from or to objects that the file does not define
	Skipped int              // vt: communication left out that is not between two objects
	Phase   int              // vt: the phase read

	vt *recording // what WriteVT writes again
}

// Read reads a graph. Errors name the file, the line and what was expected.
func Read(name string, r io.Reader, o Options) (*File, error) {
	return nil, fmt.Errorf("%s: not read yet", name)
}

// ReadVT reads the files that the ranks of a run of vt have written, one after the other.
func ReadVT(names []string, open func(name string) (io.ReadCloser, error), o Options) (*File, error) {
	return nil, fmt.Errorf("%s: not read yet", names)
}

// RankName is the name of a rank's file, given one with %p in place of the rank.
func RankName(pattern string, rank int) string {
	return strings.ReplaceAll(pattern, "%p", fmt.Sprint(rank))
}

// ReadPart reads a map: METIS's .part, a processor on each line, or, where the name ends
// in .map, a mapping as Scotch writes it.
func ReadPart(name string, r io.Reader, p *mapping.Problem) (mapping.Map, error) {
	return nil, fmt.Errorf("%s: not read yet", name)
}

// WritePart writes a map as METIS does, a processor on each line.
func WritePart(w io.Writer, m mapping.Map) error { return nil }

// WriteMetis writes a graph for METIS; a weight of 1 is unit ns.
func WriteMetis(w io.Writer, p *mapping.Problem, unit int64) error { return nil }

// WriteScotch writes a graph for Scotch; a weight of 1 is unit ns.
func WriteScotch(w io.Writer, p *mapping.Problem, unit int64) error { return nil }

// WriteVT writes a map as load-balancing data of vt, all ranks in one file.
func WriteVT(w io.Writer, f *File, m mapping.Map) error { return nil }

// WriteVTRank writes what WriteVT writes of one rank.
func WriteVTRank(w io.Writer, f *File, m mapping.Map, rank int) error { return nil }

type recording struct{}
