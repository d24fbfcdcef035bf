package sweep

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
)

// The YAML library truncates decimals if a whole number is expected, changes a number that is too
// large, and gives no line for an invalid span. It also rewrites a number that is read as text: 010
// becomes 8. Therefore numbers, spans and texts are checked before the library decodes them. A key
// has the same meaning everywhere in a plan.

var (
	wholeKeys = []string{"ranks", "repeats", "retries", "per-job", "links"}
	seedKeys  = []string{"seeds"}
	spanKeys  = []string{"timeout", "checkpoint-every", "time", "warn"}
	textKeys  = []string{"name", "worlds", "args", "launcher", "launcher-args", "pe", "directives", "setup"}
)

// wrongNumber finds the first value that is invalid for its key.
type wrongNumber struct {
	at  ast.Node
	err error
}

// Visit examines one node.
func (w *wrongNumber) Visit(n ast.Node) ast.Visitor {
	if pair, ok := n.(*ast.MappingValueNode); ok {
		w.checkValue(keyName(pair.Key), pair.Value)
	}
	return w
}

// keyName returns a key as it was written, without quotes and without the question mark of a long key.
func keyName(n ast.MapKeyNode) string {
	if long, ok := n.(*ast.MappingKeyNode); ok && long.Value != nil {
		return long.Value.GetToken().Value
	}
	return n.GetToken().Value
}

// checkValue examines the value of a key, or each value of its list.
func (w *wrongNumber) checkValue(key string, value ast.Node) {
	switch v := value.(type) {
	case *ast.SequenceNode:
		for _, one := range v.Values {
			if null, ok := one.(*ast.NullNode); ok {
				w.recordError(one, checkText(key, null))
			}
			w.checkValue(key, one)
		}
	case *ast.NullNode: // equal to an absent key
	case ast.ScalarNode:
		w.recordError(value, checkNumber(key, scalarText(v)))
		w.recordError(value, checkText(key, v))
	}
}

// recordError records the first error.
func (w *wrongNumber) recordError(at ast.Node, err error) {
	if err != nil && w.err == nil {
		w.at, w.err = at, err
	}
}

// scalarText returns a value as it was written, without quotes.
func scalarText(n ast.Node) string {
	if s, ok := n.(*ast.StringNode); ok {
		return s.Value
	}
	return n.GetToken().Value
}

// checkText returns an error if the library changes a value without quotes that is read as text.
func checkText(key string, n ast.ScalarNode) error {
	switch n.(type) {
	case *ast.StringNode, *ast.LiteralNode:
		return nil
	}
	written, read := n.GetToken().Value, ""
	if !slices.Contains(textKeys, key) {
		return nil
	}
	if err := yaml.NodeToValue(n, &read); err != nil || read == written {
		return err
	}
	return fmt.Errorf("%s: YAML reads %s as %q: expected it in quotes, '%s'", key, written, read, written)
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
