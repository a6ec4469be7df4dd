package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strings"
)

// otherGrammar matches functions that accept Go's number syntax: 1_0, 0x1p3 and, with base 0, 010
// as octal.
var otherGrammar = regexp.MustCompile(`^(strconv\.Parse(Float|Complex|Int|Uint)|fmt\.(Ss|Fs|S)can(f|ln)?)$`)

// ownGrammar lists the files that may call these functions, with the reason.
var ownGrammar = map[string]string{
	"internal/text/text.go":      "is the parser of numbers",
	"parquet/schema.go":          "reads the digits of decimals, which it has written itself",
	"internal/testkit/golden.go": "reads golden files of tests, which it has written itself",
}

// numbers checks that a file of the library or of a command parses numbers with package
// internal/text, or in base 10. All text formats then accept the same numbers. Code may parse the
// output of strconv.
func (p *project) numbers(path string, source []byte) error {
	name, err := filepath.Rel(p.root, path)
	if err != nil {
		return err
	}
	name = filepath.ToSlash(name)
	if strings.HasSuffix(name, "_test.go") || strings.HasPrefix(name, "ci/") || strings.HasPrefix(name, "bench/") ||
		ownGrammar[name] != "" {
		return nil
	}
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, source, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	ast.Inspect(file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		switch f := called(call); {
		case !otherGrammar.MatchString(f):
		case f == "strconv.ParseFloat" && called(call.Args[0]) == "strconv.FormatFloat":
		case strings.HasSuffix(f, "nt") && len(call.Args) == 3 && isTen(call.Args[1]):
		default:
			p.complain(path, set.Position(call.Pos()).Line,
				"%s accepts other numbers than text.ParseNumber: call text.ParseNumber, or strconv with base 10", f)
		}
		return true
	})
	return nil
}

// called returns the package and the name of the function that an expression calls, or "" for other
// expressions.
func called(e ast.Expr) string {
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return ""
	}
	f, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	pkg, ok := f.X.(*ast.Ident)
	if !ok {
		return ""
	}
	return pkg.Name + "." + f.Sel.Name
}

func isTen(e ast.Expr) bool {
	base, ok := e.(*ast.BasicLit)
	return ok && base.Value == "10"
}
