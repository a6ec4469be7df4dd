package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strings"
)

// checks are the methods of *testing.T that report failures.
var checks = []string{"t.Error", "t.Errorf", "t.Fatal", "t.Fatalf"}

// elements matches types of operands, such as lengths and offsets, and of expected numbers.
var elements = regexp.MustCompile(`^(\[\d*\])*(u?int\d*|byte|rune|float\d\d|bool)$`)

// cases checks that a loop over test cases makes each case a subtest. A failure then names its
// case, other cases still run, and -run can select one. Test cases are a composite literal, or a
// variable that holds one. Loops that prepare files, compare the elements of one result or contain
// a single assertion need no subtests.
func (p *project) cases(path string, source []byte) error {
	if !strings.HasSuffix(path, "_test.go") {
		return nil
	}
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, source, 0)
	if err != nil {
		return err
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && called(call) == "t.Run" {
			return false
		}
		loop, ok := n.(*ast.RangeStmt)
		if ok && isTable(loop.X, source) && !isNamed(loop.Value, "want") && unnamed(loop.Body) {
			p.complain(path, set.Position(loop.Pos()).Line, "a loop over test cases must call t.Run")
		}
		_, isFunc := n.(*ast.FuncLit) // a function that a loop calls
		return !ok && !isFunc
	})
	return nil
}

// isTable reports whether an expression is a composite literal of cases.
func isTable(x ast.Expr, source []byte) bool {
	if id, ok := x.(*ast.Ident); ok && id.Obj != nil {
		if a, ok := id.Obj.Decl.(*ast.AssignStmt); ok && len(a.Lhs) == 1 && len(a.Rhs) == 1 {
			x = a.Rhs[0]
		}
	}
	literal, ok := x.(*ast.CompositeLit)
	return ok && literal.Type != nil && !elements.Match(source[literal.Type.Pos()-1:literal.Type.End()-1])
}

func isNamed(x ast.Expr, name string) bool {
	id, ok := x.(*ast.Ident)
	return ok && id.Name == name
}

// unnamed reports whether a loop calls t.Error or a similar method outside of t.Run, except for a
// single assertion and t.Fatal(err).
func unnamed(body *ast.BlockStmt) (found bool) {
	if len(body.List) == 1 {
		if i, ok := body.List[0].(*ast.IfStmt); ok && i.Init == nil {
			return false
		}
	}
	ast.Inspect(body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		f := called(call)
		setUp := f == "t.Fatal" && len(call.Args) == 1 && isNamed(call.Args[0], "err")
		found = found || slices.Contains(checks, f) && !setUp
		return f != "t.Run"
	})
	return found
}
