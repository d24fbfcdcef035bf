package sweep

import (
	"errors"
	"fmt"
	"io"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// document is a plan's text, parsed, to find the lines that errors are about.
type document struct {
	name string
	file *ast.File
}

// parseDocument parses a text that must hold one mapping.
func parseDocument(data []byte, name string) (*document, error) {
	d := &document{name: name}
	file, err := parser.ParseBytes(data, 0)
	if err != nil {
		return nil, d.decoding(err)
	}
	d.file = file
	if len(file.Docs) != 1 || file.Docs[0].Body == nil {
		return nil, fmt.Errorf("%s:1: expected one plan: a mapping with at least instances and ranks", name)
	}
	switch file.Docs[0].Body.(type) {
	case *ast.MappingNode, *ast.MappingValueNode:
	default:
		return nil, fmt.Errorf("%s:1: expected a plan: a mapping with at least instances and ranks", name)
	}
	// An alias stands for any number of nodes, and for none that a plan needs.
	found := aliases{}
	ast.Walk(&found, file.Docs[0].Body)
	if found.first != nil {
		return nil, fmt.Errorf("%s:%d: an alias: expected the value itself", name, found.first.GetToken().Position.Line)
	}
	return d, nil
}

// aliases finds the first alias or anchor.
type aliases struct{ first ast.Node }

// Visit looks at one node.
func (a *aliases) Visit(n ast.Node) ast.Visitor {
	switch n.(type) {
	case *ast.AliasNode, *ast.AnchorNode, *ast.MergeKeyNode:
		if a.first == nil {
			a.first = n
		}
	}
	return a
}

// decoding names file and line of what the YAML library refuses.
func (d *document) decoding(err error) error {
	var e yaml.Error
	if errors.As(err, &e) && e.GetToken() != nil && e.GetToken().Position != nil {
		return fmt.Errorf("%s:%d: %s", d.name, e.GetToken().Position.Line, oneLine(e.GetMessage()))
	}
	return fmt.Errorf("%s: %s", d.name, oneLine(err.Error()))
}

// at names file and line of the value at a path such as $.ranks[1], or of the plan's start.
func (d *document) at(path, format string, args ...any) error {
	line := 1
	if p, err := yaml.PathString(path); err == nil {
		if n, err := p.FilterFile(d.file); err == nil && n != nil && n.GetToken() != nil {
			line = n.GetToken().Position.Line
		}
	}
	return fmt.Errorf("%s:%d: %s", d.name, line, fmt.Sprintf(format, args...))
}

// oneLine replaces line ends.
func oneLine(s string) string {
	b := []rune(s)
	for i, r := range b {
		if r < ' ' || r == 0x7f {
			b[i] = ' '
		}
	}
	return string(b)
}

// readFull reads until the end or until b is full.
func readFull(r io.Reader, b []byte) (int, error) {
	n, err := io.ReadFull(r, b)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil
	}
	return n, err
}
