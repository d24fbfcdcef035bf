package worker

import (
	"encoding/json"
	"strconv"

	"treesplit/search"
)

// Version is the version of the protocol.
const Version = 1

// Bounds of what a worker may write. They bound the memory that a hostile worker can take.
const (
	MaxLine     = 64 << 20      // bytes of a line, with its end
	MaxNode     = MaxLine - 128 // bytes of a node, so that a request with it fits into a line
	MaxNodes    = 1 << 22       // nodes in a line; a node takes about 100 bytes and its text
	MaxName     = 4096          // bytes of the name of a search
	MaxCounters = 1000          // different names of sums, and of maxima
	MaxCounter  = 256           // bytes of the name of a counter
)

// StopLine asks a worker to exit.
const StopLine = "{\"stop\":true}\n"

// Start is the content of the first line to a worker.
type Start struct {
	Rank, Ranks int
	Seed        uint64
	Problem     []byte // a JSON value on one line; nil: null
}

// AppendStart appends the first line to a worker.
func AppendStart(dst []byte, s Start) []byte {
	dst = append(dst, `{"treesplit":1,"rank":`...)
	dst = strconv.AppendInt(dst, int64(s.Rank), 10)
	dst = append(dst, `,"ranks":`...)
	dst = strconv.AppendInt(dst, int64(s.Ranks), 10)
	dst = append(dst, `,"seed":`...)
	dst = strconv.AppendUint(dst, s.Seed, 10)
	dst = append(dst, `,"problem":`...)
	if s.Problem == nil {
		dst = append(dst, "null"...)
	}
	dst = append(dst, s.Problem...)
	return append(dst, "}\n"...)
}

// appendExpand appends a request to expand at most limit of the nodes and their descendants. best is
// the least known value, or search.NoBound.
func appendExpand(dst []byte, nodes []open, limit int, best int64) []byte {
	dst = append(dst, `{"expand":[`...)
	for i, n := range nodes {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, n.node...)
	}
	dst = append(dst, `],"nodes":`...)
	dst = strconv.AppendInt(dst, int64(limit), 10)
	if best != search.NoBound {
		dst = append(dst, `,"best":`...)
		dst = strconv.AppendInt(dst, best, 10)
	}
	return append(dst, "}\n"...)
}

// appendChildren appends a request for the children of a node.
func appendChildren(dst, node []byte) []byte {
	dst = append(dst, `{"children":`...)
	dst = append(dst, node...)
	return append(dst, "}\n"...)
}

// Hello is the content of the first line from a worker.
type Hello struct {
	Name     string          `json:"name"` // identifies the tree
	Root     json.RawMessage `json:"root"`
	Minimise bool            `json:"minimise"` // solutions have values, of which the least is wanted
	Children bool            `json:"children"` // the worker answers requests for children
	Depth    bool            `json:"depth"`    // the worker tells the depth of nodes
}

// answer is the content of the answer to a request to expand.
type answer struct {
	expanded     int
	open         []listed
	sums, maxima map[string]int64
	found        []byte // a solution, a JSON value other than null; or nil
	value        int64  // of found
	hasValue     bool
}

// listed is an open node of an answer.
type listed struct {
	node  []byte
	depth int32 // 0 unless the worker tells depths
}
