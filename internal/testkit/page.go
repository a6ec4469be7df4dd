package testkit

import (
	"fmt"
	"go/format"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A Command runs a program in this process and returns its exit code.
type Command func(args []string, stdin io.Reader, stdout, stderr io.Writer) int

// A block is a fenced block of code on a page.
type block struct {
	line      int
	directive string // the HTML comment on the line before the fence, such as "not run: needs Python"
	language  string
	text      string
	at        int // where the text begins on the page
}

// fence matches a fenced block and the HTML comment before it.
var fence = regexp.MustCompile("(?ms)^(?:<!-- ([^\n]*) -->\n)?```(\\w*)\n(.*?)^```$")

// blocksOf returns the blocks of a page.
func blocksOf(page string) (blocks []block) {
	for _, m := range fence.FindAllStringSubmatchIndex(page, -1) {
		at := func(i int) string {
			if m[i] < 0 {
				return ""
			}
			return page[m[i]:m[i+1]]
		}
		line := strings.Count(page[:m[4]], "\n") + 1
		blocks = append(blocks, block{line, at(2), at(4), at(6), m[6]})
	}
	return blocks
}

// Page runs the blocks of a Markdown page in order, in an empty directory that contains copies of
// the files in the directory fixtures. The languages of blocks are:
//
//   - sh: commands of the programs in the map. Pipes between them and redirections are supported.
//   - go: a program, which is run; or statements, which are compiled.
//   - text, csv, json, ini, html: the output of the last command or program.
//
// An HTML comment on the line before a block can change this:
//
//   - <!-- file: NAME --> writes the block to a file.
//   - <!-- fails --> means that the last command fails; a text after it is the expected standard
//     error.
//   - <!-- compiled only --> is for a program that does not end.
//   - <!-- given: x []float32, m rank.Model --> declares variables that statements use.
//   - <!-- not run: REASON --> is for a block that cannot be tested.
//
// With -write-golden, Page writes the outputs to the page.
func Page(t *testing.T, path, fixtures string, commands map[string]Command) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	p := page{t: t, name: filepath.Base(path), commands: commands}
	if p.source, err = os.Getwd(); err != nil {
		t.Fatal(err)
	}
	if path, err = filepath.Abs(path); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(fixtures)); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	var written strings.Builder
	end := 0
	for _, p.block = range blocksOf(string(text)) {
		at := p.block.at
		written.Write(text[end:at])
		end = at + len(p.block.text)
		p.run()
		written.WriteString(p.block.text)
	}
	written.Write(text[end:])
	p.compile()
	if *Update && !t.Failed() {
		if err := os.WriteFile(path, []byte(written.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// A page is what Page knows while it runs one.
type page struct {
	t          *testing.T
	name       string
	source     string // the folder of the test, in whose module programs are built
	commands   map[string]Command
	block      block
	output     string // of the last command or program
	hasOutput  bool
	statements []block
}

// fail reports an error about the block.
func (p *page) fail(format string, args ...any) {
	p.t.Helper()
	p.t.Errorf("%s:%d: %s", p.name, p.block.line, fmt.Sprintf(format, args...))
}

// run does what the block asks for.
func (p *page) run() {
	kind, value, _ := strings.Cut(p.block.directive, ":")
	value = strings.TrimSpace(value)
	switch {
	case kind == "file":
		if err := os.WriteFile(value, []byte(p.block.text), 0o666); err != nil {
			p.fail("%v", err)
		}
	case kind == "not run":
		if value == "" {
			p.fail("a block that is not run must have a reason")
		}
		p.hasOutput = false
	case p.block.language == "sh":
		p.hasOutput = true
		p.shell(kind == "fails")
	case p.block.language == "go" && strings.HasPrefix(p.block.text, "package main\n"):
		p.program(kind != "compiled only")
	case p.block.language == "go":
		p.statements = append(p.statements, p.block)
	case slices.Contains([]string{"text", "csv", "json", "ini", "html"}, p.block.language):
		if !p.hasOutput {
			p.fail("no command or program comes before this output")
		} else if *Update {
			p.block.text = p.output
		} else if p.output != p.block.text {
			p.fail("the page shows this output:\n%s\nbut it is:\n%s", p.block.text, p.output)
		}
		p.hasOutput = false
	default:
		p.fail("a block of %q must be a file, or have a reason why it is not run", p.block.language)
	}
}

// shell runs the commands of the block.
func (p *page) shell(fails bool) {
	script := strings.ReplaceAll(strings.TrimSuffix(p.block.text, "\n"), "\\\n", " ")
	lines := strings.Split(script, "\n")
	for i, line := range lines {
		words := p.words(line)
		if len(words) == 0 {
			continue
		}
		var stdin io.Reader = strings.NewReader("")
		var out, errs strings.Builder
		code := 0
		for len(words) > 0 && code == 0 {
			end := slices.Index(words, "|")
			command := words
			if words = nil; end >= 0 {
				command, words = command[:end], command[end+1:]
			}
			out.Reset()
			code = p.call(command, stdin, &out, &errs)
			stdin = strings.NewReader(out.String())
		}
		expected := fails && i == len(lines)-1
		if (code != 0) != expected {
			p.fail("%s: exit code %d, %s", line, code, &errs)
		}
		if p.output = out.String(); expected {
			p.output = errs.String()
		}
	}
}

// word matches a word of a command line, a comment, or an operator.
var word = regexp.MustCompile(`\s+(#.*)|'([^']*)'|"([^"]*)"|([|<>])|([^\s'"|<>]+)`)

// words splits a command line as a shell does.
func (p *page) words(line string) (words []string) {
	end := -1
	for _, m := range word.FindAllStringSubmatchIndex(" "+line, -1) {
		if m[2] >= 0 {
			break
		}
		var w string
		for i := 4; i < len(m); i += 2 {
			if m[i] >= 0 {
				w = (" " + line)[m[i]:m[i+1]]
			}
		}
		if end == m[0] && m[8] < 0 { // such as --name='a b'
			words[len(words)-1] += w
		} else {
			words = append(words, w)
		}
		if end = m[1]; m[8] >= 0 {
			end = -1
		}
	}
	return words
}

// call runs one command, whose standard input and output may be files.
func (p *page) call(words []string, stdin io.Reader, stdout, stderr io.Writer) int {
	var args []string
	for i := 0; i < len(words); i++ {
		var err error
		switch w := words[i]; {
		case w == "<" && i+1 < len(words):
			var f *os.File
			if f, err = os.Open(words[i+1]); err == nil {
				defer f.Close()
				stdin = f
			}
			i++
		case w == ">" && i+1 < len(words):
			var f *os.File
			if f, err = os.Create(words[i+1]); err == nil {
				defer f.Close()
				stdout = f
			}
			i++
		default:
			args = append(args, w)
		}
		if err != nil {
			p.fail("%v", err)
			return -1
		}
	}
	run := p.commands[args[0]]
	if run == nil {
		p.fail("the test cannot run %q", args[0])
		return -1
	}
	return run(args[1:], stdin, stdout, stderr)
}

// program compiles the block and runs it.
func (p *page) program(run bool) {
	dir := p.t.TempDir()
	bin := filepath.Join(dir, "program.exe")
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(p.block.text), 0o666); err != nil {
		p.t.Fatal(err)
	}
	build := exec.Command("go", "build", "-o", bin, filepath.Join(dir, "main.go"))
	build.Dir = p.source
	if out, err := build.CombinedOutput(); err != nil {
		p.fail("%v: %s", err, out)
		return
	}
	if gofmt, err := format.Source([]byte(p.block.text)); err == nil && string(gofmt) != p.block.text {
		p.fail("gofmt changes this program")
	}
	if p.hasOutput = run; run {
		out, err := exec.Command(bin).CombinedOutput()
		if err != nil {
			p.fail("%v: %s", err, out)
		}
		p.output = string(out)
	}
}

// library are the packages that statements on a page may use, by the names that they use.
var library = map[string]string{}

func init() {
	for _, path := range []string{
		"context", "encoding/json", "errors", "fmt", "io", "log", "math", "net/http", "os", "slices", "strings",
		"sync/atomic", "time",
	} {
		library[path[strings.LastIndex(path, "/")+1:]] = path
	}
	for _, path := range []string{"beam", "kernels", "nearest", "nearest/vectorfile", "parquet", "rank", "rank/compare",
		"rank/data", "rank/datafile", "rank/explain", "rank/fusion", "rank/lambdamart", "rank/model", "rank/pairwise",
		"rank/serve", "rank/trec", "rank/trec/treceval", "rank/tune", "report", "vectors"} {
		library[path[strings.LastIndex(path, "/")+1:]] = "github.com/simdrank/simdrank/" + path
	}
}

var (
	qualifier = regexp.MustCompile(`\b([a-z]\w*)\.[A-Z]`)
	declared  = regexp.MustCompile(`(?m)^(\w+(?:, \w+)*) :=`)
)

// compile compiles the statements of a page as a package, each block in a function of its own.
func (p *page) compile() {
	if len(p.statements) == 0 {
		return
	}
	dir := p.t.TempDir()
	var paths []string
	for i, b := range p.statements {
		given, ok := strings.CutPrefix(b.directive, "given: ")
		if !ok {
			given = "_ int"
		}
		imports := map[string]bool{"context": true}
		for _, m := range qualifier.FindAllStringSubmatch(b.text+given, -1) {
			if path := library[m[1]]; path != "" {
				imports[path] = true
			}
		}
		var source strings.Builder
		source.WriteString("package page\n\n")
		for path := range imports {
			fmt.Fprintf(&source, "import %q\n", path)
		}
		if regexp.MustCompile(`(?m)^(func|type) `).MatchString(b.text) { // declarations
			source.WriteString("var _ context.Context\n" + b.text)
		} else {
			fmt.Fprintf(&source, "\nfunc _(ctx context.Context, err error, %s) error {\n{\n//line %s:%d\n%s", given,
				p.name, b.line+1, b.text)
			for _, m := range declared.FindAllStringSubmatch(b.text, -1) {
				for name := range strings.SplitSeq(m[1], ", ") {
					if name != "_" {
						fmt.Fprintf(&source, "_ = %s\n", name)
					}
				}
			}
			source.WriteString("}\nreturn err\n}\n")
		}
		path := filepath.Join(dir, fmt.Sprintf("block%d.go", i))
		if err := os.WriteFile(path, []byte(source.String()), 0o666); err != nil {
			p.t.Fatal(err)
		}
		paths = append(paths, path)
	}
	build := exec.Command("go", append([]string{"build"}, paths...)...)
	build.Dir = p.source
	if out, err := build.CombinedOutput(); err != nil {
		p.t.Errorf("%s: %v\n%s", p.name, err, out)
	}
}
