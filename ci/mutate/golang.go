//go:build unix

package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// operators maps operators to their replacements. Mutants that do not compile do not count.
var operators = map[token.Token][]string{
	token.ADD: {"-"}, token.SUB: {"+"}, token.MUL: {"/"}, token.QUO: {"*"}, token.REM: {"/"},
	token.AND: {"|"}, token.OR: {"&"}, token.XOR: {"|"}, token.AND_NOT: {"&"}, token.SHL: {">>"}, token.SHR: {"<<"},
	token.LAND: {"||"}, token.LOR: {"&&"},
	token.EQL: {"!="}, token.NEQ: {"=="},
	token.LSS: {"<=", ">="}, token.LEQ: {"<", ">"}, token.GTR: {">=", "<="}, token.GEQ: {">", "<"},
	token.ADD_ASSIGN: {"-="}, token.SUB_ASSIGN: {"+="}, token.MUL_ASSIGN: {"/="}, token.QUO_ASSIGN: {"*="},
	token.AND_ASSIGN: {"|="}, token.OR_ASSIGN: {"&="}, token.XOR_ASSIGN: {"|="}, token.SHL_ASSIGN: {">>="},
	token.SHR_ASSIGN: {"<<="},
	token.INC:        {"--"}, token.DEC: {"++"},
}

var notCommutative = map[token.Token]bool{token.SUB: true, token.QUO: true, token.REM: true, token.AND_NOT: true,
	token.SHL: true, token.SHR: true}

// identifiers maps names to their replacements.
var identifiers = map[string]string{"true": "false", "false": "true", "min": "max", "max": "min"}

// tierChoice matches the choice of a tier, and of code for the race detector, which mutants do not
// use. All tiers are bit-identical. CI steps on other processors fail if code selects a tier that
// is not available, and only timing reveals the choice of a slower tier.
var tierChoice = regexp.MustCompile(`^((!?cpu\.Use\w+( \|\| | && |$))+|kern\.Race)$`)

// hinted matches calls with hints as arguments: the space to reserve, and the amount to read, write
// or compute at once.
var hinted = regexp.MustCompile(`^(slices\.Grow|\w+\.Grow|bufio\.New(Reader|Writer)Size|rowsOf|gemvT?Rows)$`)

// measured lists the names of measured lengths and sizes: limits from which another algorithm is
// faster, and amounts of work per task. Results are the same on both sides of a limit. Mutants of
// the algorithms themselves check that each one is correct.
var measured = strings.Fields("directLen insertionLen mergeRun parallelLen concentration fullBucket histogramRows" +
	" topKBlock TopKFrom binTask binBlock forestPlanes forestLanes forestColumns forestLine queryTask RowTask" +
	" partRows shareRows keptColumns serialRows serialUpdates partSize batch hashBytes" +
	" blockBytes blockRows blockQueries blockLeast rowsAhead taskBytes taskMost sparseShare slack aheadBytes" +
	" aheadRows aheadMemory startMemory" +
	" rankGainsAVX512From startBytes wideRows wideQueries byteQueries stageScores shapRows tickRounds" +
	" filterLen filterMost chunkLen spreadLen spreadShare spreadCells gridLen gridBlock gridPart gridMost gridSample" +
	" spreadSample spreadSeen groupBytes pairParallel pairShare argsortPart argsortSample" +
	" rankSumFew rankedFew forestSearch rowsApart")

// symmetric matches calls in which the order of arguments does not matter: dot products, and lists
// of the allowed names in an object.
var symmetric = regexp.MustCompile(`^((kernels\.)?(dot|Dot)F(32|64)\w*|\w+\.Only)$`)

// touching matches functions that only load data into a cache.
var touching = regexp.MustCompile(`^(touch|histogramU8Fetch)[A-Z]\w*$`)

// choices matches the number of goroutines and the choice of a tier's code. Results do not depend
// on them.
var choices = regexp.MustCompile(`^(\w+, )?(workers|useAVX512)\b`)

// mutateGo returns the mutations of a Go file: of function bodies, and of numbers in declarations.
func mutateGo(path string, source []byte) ([]*mutation, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, path, source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	g := &goFile{file: fset.File(f.Pos()), bare: blanked(source, fset.File(f.Pos()), f.Comments)}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Body != nil && !touching.MatchString(d.Name.Name) {
				g.function = d.Name.Name
				if d.Recv != nil {
					g.function = receiver(d.Recv.List[0].Type) + "." + d.Name.Name
				}
				ast.Inspect(d.Body, g.node)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				if s, ok := s.(*ast.ValueSpec); ok && !slices.Contains(measured, s.Names[0].Name) {
					g.function = s.Names[0].Name
					for _, v := range s.Values {
						ast.Inspect(v, g.node)
					}
				}
			}
		}
	}
	return g.found, nil
}

// blanked returns the source with comments replaced by spaces.
func blanked(source []byte, file *token.File, comments []*ast.CommentGroup) string {
	bare := []byte(string(source))
	for _, c := range comments {
		for i := file.Offset(c.Pos()); i < file.Offset(c.End()); i++ {
			if bare[i] != '\n' {
				bare[i] = ' '
			}
		}
	}
	return string(bare)
}

// receiver returns the name of a method's type.
func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.IndexListExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return "?"
}

type goFile struct {
	file     *token.File
	bare     string // the source without comments
	function string
	failed   token.Pos // the end of the code that runs if err is not nil
	found    []*mutation
}

// replace records the mutation that replaces the source between from and to by text.
func (g *goFile) replace(from, to token.Pos, text string) {
	start, end := g.file.Offset(from), g.file.Offset(to)
	first := strings.LastIndexByte(g.bare[:start], '\n') + 1
	last := len(g.bare)
	if i := strings.IndexByte(g.bare[end:], '\n'); i >= 0 {
		last = end + i
	}
	g.found = append(g.found, &mutation{line: g.file.Line(from), function: g.function, start: start, end: end,
		text: text,
		from: normal(g.bare[first:last]), to: normal(g.bare[first:start] + text + g.bare[end:last])})
}

func (g *goFile) source(n ast.Node) string {
	return g.bare[g.file.Offset(n.Pos()):g.file.Offset(n.End())]
}

// oneLine reports whether a node is on a single line.
func (g *goFile) oneLine(n ast.Node) bool { return g.file.Line(n.Pos()) == g.file.Line(n.End()) }

// swap exchanges two nodes on a line, unless they are equal.
func (g *goFile) swap(a, b ast.Node) {
	if g.file.Line(a.Pos()) == g.file.Line(b.End()) && g.source(a) != g.source(b) {
		between := g.bare[g.file.Offset(a.End()):g.file.Offset(b.Pos())]
		g.replace(a.Pos(), b.End(), g.source(b)+between+g.source(a))
	}
}

// faster reports whether a node is a comparison with a measured value.
func (g *goFile) faster(n ast.Node) bool {
	b, ok := n.(*ast.BinaryExpr)
	return ok && slices.Contains([]token.Token{token.LSS, token.LEQ, token.GTR, token.GEQ}, b.Op) &&
		slices.Contains(measured, g.source(b.Y))
}

// operator replaces an operator.
func (g *goFile) operator(at token.Pos, op token.Token) {
	for _, other := range operators[op] {
		g.replace(at, at+token.Pos(len(op.String())), other)
	}
}

// node records the mutations of a node, but not of its children.
func (g *goFile) node(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.ExprStmt:
		if call, ok := n.X.(*ast.CallExpr); ok && touching.MatchString(g.source(call.Fun)) {
			return false
		}
		if strings.HasPrefix(g.source(n), "kern.Race") {
			return false // only informs the race detector
		}
		if g.oneLine(n) {
			g.replace(n.Pos(), n.End(), "")
		}
	case *ast.BinaryExpr:
		if g.faster(n) {
			return false
		}
		if n.Op == token.GTR && g.source(n.Y) == "kern.BlockLen" {
			// splitting an operand of at most one block changes nothing
			g.replace(n.OpPos, n.OpPos+1, "<=")
			break
		}
		g.operator(n.OpPos, n.Op)
		if notCommutative[n.Op] {
			g.swap(n.X, n.Y)
		}
	case *ast.UnaryExpr:
		if n.Op == token.SUB || n.Op == token.NOT || n.Op == token.XOR {
			g.replace(n.OpPos, n.OpPos+1, "")
		}
	case *ast.BasicLit:
		for _, other := range otherNumbers(n) {
			g.replace(n.Pos(), n.End(), other)
		}
	case *ast.Ident:
		if other, ok := identifiers[n.Name]; ok {
			g.replace(n.Pos(), n.End(), other)
		}
	case *ast.CallExpr:
		if fun, ok := n.Fun.(*ast.Ident); ok && fun.Name == "make" {
			for _, a := range n.Args[1:min(2, len(n.Args))] { // a capacity is a hint
				ast.Inspect(a, g.node)
			}
			return false
		}
		if fun := g.source(n.Fun); hinted.MatchString(fun) || touching.MatchString(fun) {
			return false
		}
		if fun, ok := n.Fun.(*ast.Ident); ok && (fun.Name == "min" || fun.Name == "max") {
			break // the order of operands is irrelevant
		}
		first := 0
		switch fun := g.source(n.Fun); {
		case symmetric.MatchString(fun):
			first = len(n.Args)
		case fun == "math.FMA":
			first = 1 // the order of factors is irrelevant
		}
		for i := first; i < len(n.Args)-1; i++ {
			g.swap(n.Args[i], n.Args[i+1])
		}
	case *ast.ReturnStmt:
		// constants returned with an error have no meaning
		if last := len(n.Results) - 1; last > 0 && g.isError(n.Results[last]) {
			for _, r := range n.Results {
				switch r.(type) {
				case *ast.BasicLit, *ast.Ident:
				default:
					ast.Inspect(r, g.node)
				}
			}
			return false
		}
	case *ast.IfStmt:
		if g.source(n.Cond) == "err != nil" {
			g.failed = n.Body.End()
		}
		if tierChoice.MatchString(g.source(n.Cond)) {
			if g.source(n.Cond) != "kern.Race" {
				ast.Inspect(n.Body, g.node)
			}
			if n.Else != nil {
				ast.Inspect(n.Else, g.node)
			}
			return false
		}
		if g.oneLine(n.Cond) && !g.faster(n.Cond) {
			g.replace(n.Cond.Pos(), n.Cond.End(), "!("+g.source(n.Cond)+")")
		}
	case *ast.BranchStmt:
		switch {
		case n.Label != nil:
		case n.Tok == token.BREAK:
			g.replace(n.Pos(), n.End(), "continue")
		case n.Tok == token.CONTINUE:
			g.replace(n.Pos(), n.End(), "break")
		}
	case *ast.IncDecStmt:
		g.operator(n.TokPos, n.Tok)
	case *ast.AssignStmt:
		if choices.MatchString(g.source(n)) {
			return false
		}
		g.operator(n.TokPos, n.Tok)
		if n.Tok != token.DEFINE && g.oneLine(n) {
			g.replace(n.Pos(), n.End(), "")
		}
	}
	return true
}

// isError reports whether a result is a non-nil error: a call of errorf, or err after a check for
// nil.
func (g *goFile) isError(e ast.Expr) bool {
	if call, ok := e.(*ast.CallExpr); ok {
		return strings.HasSuffix(g.source(call.Fun), "rrorf")
	}
	return g.source(e) == "err" && e.Pos() < g.failed
}

// otherNumbers returns literals that differ from a number by one or, for a float64, by a half or by
// the last bit.
func otherNumbers(n *ast.BasicLit) (others []string) {
	switch n.Kind {
	case token.INT:
		v, err := strconv.ParseUint(n.Value, 0, 64)
		if err != nil {
			return nil
		}
		format := "%d"
		if strings.HasPrefix(n.Value, "0x") {
			format = "%#x"
		}
		if v < math.MaxUint64 {
			others = append(others, fmt.Sprintf(format, v+1))
		}
		if v > 0 {
			others = append(others, fmt.Sprintf(format, v-1))
		}
	case token.FLOAT:
		v, err := strconv.ParseFloat(strings.ReplaceAll(n.Value, "_", ""), 64)
		if err != nil {
			return nil
		}
		if v != 0 {
			others = append(others, strconv.FormatFloat(math.Nextafter(v, math.Inf(1)), 'g', -1, 64))
		}
		if v == math.Trunc(v*4)/4 {
			others = append(others, strconv.FormatFloat(v+.5, 'g', -1, 64))
		}
	}
	return others
}
