package sweep

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// document is the parsed text of a plan, which gives the line numbers of errors.
type document struct {
	name string
	file *ast.File
}

// parseDocument parses a text that must hold one mapping.
func parseDocument(data []byte, name string) (d *document, err error) {
	d = &document{name: name}
	defer d.recoverPanic(&err)
	file, err := parser.ParseBytes(data, 0)
	if err != nil {
		return nil, d.decodingError(err)
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
	found := extras{}
	ast.Walk(&found, file.Docs[0].Body)
	if found.first != nil {
		return nil, fmt.Errorf("%s:%d: an alias or a tag: expected the value itself", name, found.first.GetToken().Position.Line)
	}
	wrong := wrongNumber{}
	ast.Walk(&wrong, file.Docs[0].Body)
	if wrong.err != nil {
		return nil, fmt.Errorf("%s:%d: %s", name, wrong.at.GetToken().Position.Line, toOneLine(wrong.err.Error()))
	}
	return d, nil
}

// decodePlan reads the text into a plan.
func (d *document) decodePlan(data []byte, p *Plan) (err error) {
	defer d.recoverPanic(&err)
	if err := yaml.UnmarshalWithOptions(data, p, yaml.Strict()); err != nil {
		return d.decodingError(err)
	}
	return nil
}

// recoverPanic makes an error of a panic of the YAML library. Some texts that are not YAML cause a
// panic.
func (d *document) recoverPanic(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("%s:1: no plan can be read from it: expected YAML", d.name)
	}
}

// extras finds the first alias or tag, which YAML has and a plan does not need: an alias stands for
// any number of nodes, a tag for another type.
type extras struct{ first ast.Node }

// Visit examines one node.
func (e *extras) Visit(n ast.Node) ast.Visitor {
	switch n.(type) {
	case *ast.AliasNode, *ast.AnchorNode, *ast.MergeKeyNode, *ast.TagNode:
		if e.first == nil {
			e.first = n
		}
	}
	return e
}

// decodingError adds file and line to an error of the YAML library.
func (d *document) decodingError(err error) error {
	var e yaml.Error
	if errors.As(err, &e) && e.GetToken() != nil && e.GetToken().Position != nil {
		return fmt.Errorf("%s:%d: %s", d.name, e.GetToken().Position.Line, toOneLine(e.GetMessage()))
	}
	return fmt.Errorf("%s: %s", d.name, toOneLine(err.Error()))
}

// errorAtPath returns an error with the file and the line of the value at a path such as
// $.ranks[1], or of the plan's start.
func (d *document) errorAtPath(path, format string, args ...any) error {
	line := 1
	if p, err := yaml.PathString(path); err == nil {
		if n, err := p.FilterFile(d.file); err == nil && n != nil && n.GetToken() != nil {
			line = n.GetToken().Position.Line
		}
	}
	return fmt.Errorf("%s:%d: %s", d.name, line, toOneLine(fmt.Sprintf(format, args...)))
}

// isOneWord reports whether a text stays one word when a line is split at blanks.
func isOneWord(s string) bool {
	return !strings.ContainsRune(s, 0) && slices.Equal(strings.Fields(s), []string{s})
}

// toOneLine replaces line ends.
func toOneLine(s string) string {
	b := []rune(s)
	for i, r := range b {
		if r < ' ' || r == 0x7f {
			b[i] = ' '
		}
	}
	return string(b)
}
