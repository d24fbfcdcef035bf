package sweep

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/goccy/go-yaml/ast"
)

// The YAML library cuts the decimals off where a whole number is wanted, makes another
// number of one that is too large, and does not say on which line a span is wrong. So
// numbers and spans are looked at before it decodes them. A key means the same wherever a
// plan may have it.

var (
	wholeKeys = []string{"ranks", "repeats", "retries", "per-job", "links"}
	seedKeys  = []string{"seeds"}
	spanKeys  = []string{"timeout", "checkpoint-every", "time", "warn"}
)

// wrongNumber is the first value that is none of what its key wants.
type wrongNumber struct {
	at  ast.Node
	err error
}

// Visit looks at one node.
func (w *wrongNumber) Visit(n ast.Node) ast.Visitor {
	if pair, ok := n.(*ast.MappingValueNode); ok {
		w.checkValue(pair.Key.String(), pair.Value)
	}
	return w
}

// checkValue looks at the value of a key, or at each of its list.
func (w *wrongNumber) checkValue(key string, value ast.Node) {
	switch v := value.(type) {
	case *ast.SequenceNode:
		for _, one := range v.Values {
			w.checkValue(key, one)
		}
	case *ast.NullNode: // as if the key were not there
	case ast.ScalarNode:
		if err := checkNumber(key, scalarText(v)); err != nil && w.err == nil {
			w.at, w.err = value, err
		}
	}
}

// scalarText is a value as it was written, quotes aside.
func scalarText(n ast.Node) string {
	if s, ok := n.(*ast.StringNode); ok {
		return s.Value
	}
	return n.GetToken().Value
}

func checkNumber(key, text string) (err error) {
	expected := ""
	switch {
	case slices.Contains(wholeKeys, key):
		expected = "a whole number"
		_, err = strconv.ParseInt(text, 0, 32)
	case slices.Contains(seedKeys, key):
		expected = "a whole number from 0 to 18446744073709551615"
		_, err = strconv.ParseUint(text, 0, 64)
	case slices.Contains(spanKeys, key):
		expected = "a span with its unit, such as 10m"
		_, err = time.ParseDuration(text)
	}
	if err != nil {
		return fmt.Errorf("%s: %q: expected %s", key, text, expected)
	}
	return nil
}
