package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// notImported matches files of packages that are not part of the public API.
var notImported = regexp.MustCompile(`^(bench|ci|examples|fuzz)/|(^|/)internal/|_test\.go$`)

// exported checks the exported declarations of a public package. They must not contain internal
// types, because users cannot name them. It also checks the names of functions with a parameter
// dst, and that readers accept a memory limit.
func (p *project) exported(path string, source []byte) error {
	name, err := filepath.Rel(p.root, path)
	if err != nil || notImported.MatchString(filepath.ToSlash(name)) {
		return err
	}
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, source, parser.SkipObjectResolution)
	if err != nil || file.Name.Name == "main" {
		return err
	}
	internal := internalImports(file)
	for _, d := range file.Decls {
		p.count(filepath.ToSlash(filepath.Dir(name)), d)
		for _, n := range shown(d) {
			ast.Inspect(n, func(n ast.Node) bool {
				if s, ok := n.(*ast.SelectorExpr); ok {
					if pkg, ok := s.X.(*ast.Ident); ok && internal[pkg.Name] {
						p.complain(path, set.Position(s.Pos()).Line,
							"an exported declaration contains %s.%s of an internal package", pkg.Name, s.Sel.Name)
					}
				}
				return true
			})
		}
		if f, ok := d.(*ast.FuncDecl); ok && f.Name.IsExported() && misnamed(f, file.Name.Name) {
			p.complain(path, set.Position(f.Pos()).Line,
				"%s: a function that appends to dst and returns it must be named Append…, and one that fills it …Into", f.Name.Name)
		}
		if f, ok := d.(*ast.FuncDecl); ok && f.Name.IsExported() && unlimited(f, file.Name.Name) {
			p.complain(path, set.Position(f.Pos()).Line,
				"%s: the last parameter of a reader must be the memory limit: ...rank.ReadOptions or data.Options",
				f.Name.Name)
		}
	}
	return nil
}

// internalImports returns the names of internal packages in a file.
func internalImports(file *ast.File) map[string]bool {
	names := map[string]bool{}
	for _, spec := range file.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil || !strings.Contains("/"+path+"/", "/internal/") {
			continue
		}
		name := path[strings.LastIndex(path, "/")+1:]
		if spec.Name != nil {
			name = spec.Name.Name
		}
		names[name] = true
	}
	return names
}

// shown returns the types that appear in the documentation of a declaration.
func shown(d ast.Decl) (types []ast.Node) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Name.IsExported() && (d.Recv == nil || ast.IsExported(receiver(d))) {
			types = append(types, d.Type)
		}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				if s.Name.IsExported() {
					types = append(types, typeShown(s)...)
				}
			case *ast.ValueSpec:
				types = append(types, valueShown(s)...)
			}
		}
	}
	return types
}

// receiver returns the name of a method's receiver type.
func receiver(d *ast.FuncDecl) string {
	t := d.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}

// typeShown returns the types that appear in the documentation of a type. For a struct, these are
// the types of exported and embedded fields.
func typeShown(s *ast.TypeSpec) (types []ast.Node) {
	if s.TypeParams != nil {
		types = append(types, s.TypeParams)
	}
	fields, ok := s.Type.(*ast.StructType)
	if !ok {
		return append(types, s.Type)
	}
	for _, f := range fields.Fields.List {
		exported := len(f.Names) == 0
		for _, name := range f.Names {
			exported = exported || name.IsExported()
		}
		if exported {
			types = append(types, f.Type)
		}
	}
	return types
}

// valueShown returns the type of exported variables and constants: the declared type, or the type
// of the composite literal or selector that initializes them. It ignores results of calls.
func valueShown(s *ast.ValueSpec) (types []ast.Node) {
	exported := false
	for _, name := range s.Names {
		exported = exported || name.IsExported()
	}
	switch {
	case !exported:
	case s.Type != nil:
		types = append(types, s.Type)
	default:
		for _, v := range s.Values {
			if u, ok := v.(*ast.UnaryExpr); ok {
				v = u.X
			}
			switch v := v.(type) {
			case *ast.CompositeLit:
				if v.Type != nil {
					types = append(types, v.Type)
				}
			case *ast.SelectorExpr:
				types = append(types, v)
			}
		}
	}
	return types
}

// bounded lists the readers that need no memory limit, with the reason.
var bounded = map[string]string{
	"datafile.Open":            "maps the file",
	"rank.UnmarshalBinary":     "rejects more than 1 MiB",
	"rank.UnmarshalText":       "reads a name",
	"lambdamart.UnmarshalJSON": "uses the default limit, because encoding/json calls it",
}

// readers matches the names of functions that read input.
var readers = regexp.MustCompile(`^(Read|Load|Open|Unmarshal|Stream|NewInput)`)

// unlimited reports whether a function reads files and its last parameter is not a type with a
// memory limit.
func unlimited(f *ast.FuncDecl, pkg string) bool {
	params := f.Type.Params.List
	if len(params) == 0 || f.Recv != nil && !ast.IsExported(receiver(f)) || bounded[pkg+"."+f.Name.Name] != "" {
		return false
	}
	reads := readers.MatchString(f.Name.Name)
	for _, param := range params {
		s, ok := param.Type.(*ast.SelectorExpr)
		reads = reads || ok && strings.HasPrefix(s.Sel.Name, "Reader")
	}
	last := params[len(params)-1].Type
	if e, ok := last.(*ast.Ellipsis); ok {
		last = e.Elt
	}
	switch t := last.(type) {
	case *ast.SelectorExpr:
		return reads && t.Sel.Name != "ReadOptions" && t.Sel.Name != "Options"
	case *ast.Ident:
		return reads && t.Name != "Options"
	}
	return reads
}

// kernelNames are the packages with functions that fill dst without the suffix Into.
var kernelNames = []string{"kernels", "vectors"}

// misnamed reports whether a function has a parameter dst and a name that does not match its use of
// dst. If the first result has the type of dst, the function appends to dst.
func misnamed(f *ast.FuncDecl, pkg string) bool {
	for _, param := range f.Type.Params.List {
		for _, name := range param.Names {
			if name.Name != "dst" {
				continue
			}
			results := f.Type.Results
			appends := results != nil && sameType(param.Type, results.List[0].Type)
			fills := strings.HasSuffix(f.Name.Name, "Into") || slices.Contains(kernelNames, pkg)
			return appends != strings.HasPrefix(f.Name.Name, "Append") || !appends && !fills
		}
	}
	return false
}

// sameType reports whether two types are slices of the same element type.
func sameType(x, y ast.Expr) bool {
	a, ok := x.(*ast.ArrayType)
	b, also := y.(*ast.ArrayType)
	return ok && also && types.ExprString(a.Elt) == types.ExprString(b.Elt)
}
