package main

import (
	"go/ast"
	"path/filepath"
	"strings"
)

// The maximum number of exported names in public packages: functions, methods, types, fields,
// constants and variables. To add more, remove others, or raise the limit in a commit that gives
// the reason.
const (
	mostNames     = 1062 // in all
	mostRankNames = 224  // in package rank
)

// count records the exported names of a declaration in a folder. Files for other architectures may
// repeat them.
func (p *project) count(dir string, d ast.Decl) {
	add := func(of string, names ...*ast.Ident) {
		for _, name := range names {
			if name.IsExported() {
				p.api[dir+" "+of+name.Name] = true
			}
		}
	}
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			add("", d.Name)
		} else if of := receiver(d); ast.IsExported(of) {
			add(of+".", d.Name)
		}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.ValueSpec:
				add("", s.Names...)
			case *ast.TypeSpec:
				add("", s.Name)
				if !s.Name.IsExported() {
					continue
				}
				var fields *ast.FieldList
				switch t := s.Type.(type) {
				case *ast.StructType:
					fields = t.Fields
				case *ast.InterfaceType:
					fields = t.Methods
				default:
					continue
				}
				for _, f := range fields.List {
					add(s.Name.Name+".", f.Names...)
				}
			}
		}
	}
}

// size checks the number of exported names.
func (p *project) size() {
	rank := 0
	for name := range p.api {
		if strings.HasPrefix(name, "rank ") {
			rank++
		}
	}
	if len(p.api) > mostNames {
		p.complain(p.root, 0, "the modules have %d exported names; the limit is %d", len(p.api), mostNames)
	}
	if rank > mostRankNames {
		p.complain(filepath.Join(p.root, "rank"), 0, "the package has %d exported names; the limit is %d", rank,
			mostRankNames)
	}
}
