package main

import (
	"go/ast"
	"go/token"
	"go/types"
	"testing"
)

// No parameter, variable or function has the name of a built-in of Go, such as max.
func TestNoShadowedBuiltins(t *testing.T) {
	sources(t, func(pkg, name string, file *ast.File, fset *token.FileSet) {
		check := func(ids ...*ast.Ident) {
			for _, id := range ids {
				if types.Universe.Lookup(id.Name) != nil {
					t.Errorf("%v: %s is the name of something that Go declares", fset.Position(id.Pos()), id.Name)
				}
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				if n.Recv == nil {
					check(n.Name)
				}
			case *ast.FuncType:
				check(names(n.Params)...)
				check(names(n.Results)...)
			case *ast.TypeSpec:
				check(n.Name)
			case *ast.ValueSpec:
				check(n.Names...)
			case *ast.RangeStmt:
				check(defined(n.Tok, n.Key, n.Value)...)
			case *ast.AssignStmt:
				check(defined(n.Tok, n.Lhs...)...)
			}
			return true
		})
	})
}

// names returns the names of parameters or results.
func names(list *ast.FieldList) (all []*ast.Ident) {
	if list == nil {
		return nil
	}
	for _, f := range list.List {
		all = append(all, f.Names...)
	}
	return all
}

// defined returns the variables on the left side of an assignment that defines them.
func defined(tok token.Token, left ...ast.Expr) (all []*ast.Ident) {
	if tok != token.DEFINE {
		return nil
	}
	for _, e := range left {
		if id, ok := e.(*ast.Ident); ok {
			all = append(all, id)
		}
	}
	return all
}

// The simple statement of an if sets a variable that the condition tests. Any other statement
// stands on its own line, where a reader sees that it is always executed.
func TestStatementsOfConditions(t *testing.T) {
	sources(t, func(pkg, name string, file *ast.File, fset *token.FileSet) {
		ast.Inspect(file, func(n ast.Node) bool {
			if s, ok := n.(*ast.IfStmt); ok && s.Init != nil && !sharesName(assigned(s.Init), s.Cond) {
				t.Errorf("%v: the condition does not test what the statement before it sets", fset.Position(s.Pos()))
			}
			return true
		})
	})
}

// assigned returns the expressions that a statement sets.
func assigned(s ast.Stmt) []ast.Expr {
	switch s := s.(type) {
	case *ast.AssignStmt:
		return s.Lhs
	case *ast.IncDecStmt:
		return []ast.Expr{s.X}
	}
	return nil
}

// sharesName reports whether a condition contains a name that occurs in one of the expressions.
func sharesName(set []ast.Expr, condition ast.Expr) (shares bool) {
	seen := map[string]bool{}
	for _, e := range set {
		ast.Inspect(e, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				seen[id.Name] = true
			}
			return true
		})
	}
	ast.Inspect(condition, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && seen[id.Name] {
			shares = true
		}
		return true
	})
	return shares
}
