package worker

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"treesplit/search"
)

// The lines of a worker are untrusted. A line has the keys of the protocol, exactly as they are
// written there, and no others: a misspelt key would lose a count without an error. Null counts as
// absent for the keys that may be absent. Numbers are integers of 64 bits.

// object is a decoded line: the values by key.
type object struct {
	values map[string]json.RawMessage
}

// parseObject decodes a line that must be an object with the given keys only.
func parseObject(line []byte, keys ...string) (o object, err error) {
	if !utf8.Valid(line) {
		return o, errors.New("the line is not UTF-8")
	}
	if trimmed := bytes.TrimSpace(line); len(trimmed) == 0 || trimmed[0] != '{' {
		return o, errors.New("the line is no JSON object")
	}
	if err := json.Unmarshal(line, &o.values); err != nil {
		return o, fmt.Errorf("the line is no JSON object: %w", err)
	}
	if countMembers(line) != len(o.values) {
		return o, errors.New("a key of the line is there twice: expected each key once")
	}
	for _, key := range slices.Sorted(maps.Keys(o.values)) {
		if !slices.Contains(keys, key) {
			return o, fmt.Errorf("the key %s is unknown: expected %s", quote(key), strings.Join(keys, ", "))
		}
	}
	return o, nil
}

// countMembers returns the number of members of a valid JSON object, without the members of objects in it. A map
// keeps the last of several members with one name, so that a count could be lost.
func countMembers(text []byte) (n int) {
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			depth--
		case c == ':' && depth == 1:
			n++
		}
	}
	return n
}

// quote quotes a text of a worker for an error, and cuts a long one.
func quote(text string) string {
	const most = 80
	if len(text) > most {
		return strconv.Quote(strings.ToValidUTF8(text[:most], "")) + "…"
	}
	return strconv.Quote(text)
}

// value returns the value of a key, or nil if it is absent or null.
func (o object) value(key string) json.RawMessage {
	if v := o.values[key]; string(v) != "null" {
		return v
	}
	return nil
}

// flag returns a value that is true, false or absent.
func (o object) flag(key string) (bool, error) {
	switch v := o.value(key); string(v) {
	case "true":
		return true, nil
	case "false", "":
		return false, nil
	default:
		return false, fmt.Errorf("%q is %s: expected true or false", key, quote(string(v)))
	}
}

// parseInteger reads an integer of at least least.
func parseInteger(what string, text []byte, least int64) (int64, error) {
	n, err := strconv.ParseInt(string(text), 10, 64)
	switch {
	case len(text) == 0:
		return 0, fmt.Errorf("%s is missing: expected an integer", what)
	case err != nil:
		return 0, fmt.Errorf("%s is %s: expected an integer of 64 bits", what, quote(string(text)))
	case n < least:
		return 0, fmt.Errorf("%s is %d: expected at least %d", what, n, least)
	}
	return n, nil
}

// ParseHello decodes the first line of a worker.
func ParseHello(line []byte) (h Hello, err error) {
	o, err := parseObject(line, "worker", "name", "root", "minimise", "children", "depth")
	if err != nil {
		return h, err
	}
	version, err := parseInteger(`"worker"`, o.value("worker"), math.MinInt64)
	if err != nil {
		return h, err
	}
	if version != Version {
		return h, fmt.Errorf("the version of the protocol is %d: expected %d", version, Version)
	}
	if json.Unmarshal(o.value("name"), &h.Name) != nil || h.Name == "" || len(h.Name) > MaxName {
		return h, fmt.Errorf("%q is %s: expected a text of 1 to %d bytes", "name", quote(string(o.values["name"])), MaxName)
	}
	if o.values["root"] == nil {
		return h, errors.New(`"root" is missing: expected a node`)
	}
	if h.Root, err = compactNode(o.values["root"]); err != nil {
		return h, err
	}
	for key, to := range map[string]*bool{"minimise": &h.Minimise, "children": &h.Children, "depth": &h.Depth} {
		if *to, err = o.flag(key); err != nil {
			return h, err
		}
	}
	return h, nil
}

// compactNode copies a node without the white space between its tokens.
func compactNode(text []byte) ([]byte, error) {
	b := bytes.NewBuffer(make([]byte, 0, len(text)))
	if err := json.Compact(b, text); err != nil {
		return nil, err
	}
	if b.Len() > MaxNode {
		return nil, fmt.Errorf("a node has %d bytes: expected at most %d", b.Len(), MaxNode)
	}
	return b.Bytes(), nil
}

// parseNodes decodes a list of nodes. withDepth is set if each has the form {"node":…,"depth":…}.
func parseNodes(key string, text json.RawMessage, withDepth bool) ([]listed, error) {
	list, err := splitList(text, MaxNodes)
	if err != nil {
		return nil, fmt.Errorf("%q is %s: expected %w", key, quote(string(text)), err)
	}
	nodes := make([]listed, len(list))
	for i, one := range list {
		var err error
		if withDepth {
			nodes[i], err = parseDeepNode(one)
		} else {
			nodes[i].node, err = compactNode(one)
		}
		if err != nil {
			return nil, fmt.Errorf("node %d of %q is invalid: %w", i+1, key, err)
		}
	}
	return nodes, nil
}

// splitList returns the elements of a list of at most most elements, or an error that names what was
// expected.
func splitList(text json.RawMessage, most int) (list []json.RawMessage, err error) {
	if bytes.Count(text, []byte{','}) < most { // other lists are counted before they take memory
		if text == nil || json.Unmarshal(text, &list) != nil {
			return nil, errNoList
		}
		return list, nil
	}
	d := json.NewDecoder(bytes.NewReader(text))
	if t, err := d.Token(); err != nil || t != json.Delim('[') {
		return nil, errNoList
	}
	for d.More() {
		var one json.RawMessage
		if d.Decode(&one) != nil {
			return nil, errNoList
		}
		if list = append(list, one); len(list) > most {
			return nil, fmt.Errorf("at most %d nodes", most)
		}
	}
	return list, nil
}

var errNoList = errors.New("a list of nodes")

// parseDeepNode decodes a node with its depth.
func parseDeepNode(text json.RawMessage) (n listed, err error) {
	o, err := parseObject(text, "node", "depth")
	if err != nil {
		return n, err
	}
	if o.values["node"] == nil {
		return n, errors.New(`"node" is missing`)
	}
	depth, err := parseInteger(`"depth"`, o.value("depth"), 0)
	if err != nil {
		return n, err
	}
	n.depth = int32(min(depth, maxDepth))
	n.node, err = compactNode(o.values["node"])
	return n, err
}

// parseCounters decodes sums or maxima, whose numbers are at least least.
func parseCounters(key string, text json.RawMessage, least int64) (map[string]int64, error) {
	if text == nil {
		return nil, nil
	}
	var list map[string]json.RawMessage
	if json.Unmarshal(text, &list) != nil {
		return nil, fmt.Errorf("%q is %s: expected an object of integers", key, quote(string(text)))
	}
	if countMembers(text) != len(list) {
		return nil, fmt.Errorf("a name in %q is there twice: expected each name once", key)
	}
	all := make(map[string]int64, len(list))
	for name, text := range list {
		if len(name) > MaxCounter {
			return nil, fmt.Errorf("%q has a name of %d bytes: expected at most %d", key, len(name), MaxCounter)
		}
		n, err := parseInteger(fmt.Sprintf("%s of %q", quote(name), key), text, least)
		if err != nil {
			return nil, err
		}
		all[name] = n
	}
	return all, nil
}

// parseAnswer decodes the answer to a request to expand at most limit nodes, beginning with asked
// nodes.
func parseAnswer(line []byte, h *Hello, asked, limit int) (a answer, err error) {
	o, err := parseObject(line, "expanded", "open", "sums", "maxima", "found", "value")
	if err != nil {
		return a, err
	}
	expanded, err := parseInteger(`"expanded"`, o.value("expanded"), 1)
	if err != nil {
		return a, err
	}
	if expanded > int64(limit) {
		return a, fmt.Errorf(`"expanded" is %d: expected at most %d`, expanded, limit)
	}
	a.expanded = int(expanded)
	if a.open, err = parseNodes("open", o.value("open"), h.Depth); err != nil {
		return a, err
	}
	if a.sums, err = parseCounters("sums", o.value("sums"), 0); err != nil {
		return a, err
	}
	if a.maxima, err = parseCounters("maxima", o.value("maxima"), math.MinInt64); err != nil {
		return a, err
	}
	if err := a.parseSolution(o, h.Minimise); err != nil {
		return a, err
	}
	return a, a.checkNumbers(asked, limit)
}

// parseSolution decodes the solution of an answer, if there is one.
func (a *answer) parseSolution(o object, minimise bool) (err error) {
	found, value := o.value("found"), o.value("value")
	switch {
	case found == nil && value == nil:
		return nil
	case found == nil:
		return errors.New(`there is a "value" and no "found": expected the solution that has the value`)
	case value == nil && minimise:
		return errors.New(`there is a "found" and no "value": expected its value, because the worker minimises`)
	}
	if a.found, err = compactNode(found); err != nil || value == nil {
		return err
	}
	if a.value, err = parseInteger(`"value"`, value, math.MinInt64); err != nil {
		return err
	}
	if a.value == search.NoBound {
		return fmt.Errorf(`"value" is %d: expected less`, a.value)
	}
	a.hasValue = minimise // otherwise solutions are counted, and their values mean nothing
	return nil
}

// checkNumbers checks that the numbers of nodes agree. A worker may stop early only at a solution,
// and leaves the nodes that it cannot have reached.
func (a *answer) checkNumbers(asked, limit int) error {
	if left := asked - a.expanded; len(a.open) < left {
		return fmt.Errorf(`"open" has %d nodes: expected at least %d, because %d of %d were expanded`, len(a.open), left, a.expanded, asked)
	}
	if a.expanded < limit && len(a.open) > 0 && a.found == nil {
		return fmt.Errorf(`"expanded" is %d and %d of "open" remain: expected %d expanded nodes, or no open node`, a.expanded, len(a.open), limit)
	}
	return nil
}

// parseChildren decodes the answer to a request for children.
func parseChildren(line []byte) ([]listed, error) {
	o, err := parseObject(line, "children")
	if err != nil {
		return nil, err
	}
	return parseNodes("children", o.value("children"), false)
}
