package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// The lint counts how often text breaks a rule of docs/contributing/writing.md, by kind of text.
// The committed counts are limits: a higher count is a problem, and -update-prose lowers the limits
// to the present counts. Old text can thus be rewritten file by file, while new text follows the
// rules.

// proseFile holds the counts, one line per kind and rule.
const proseFile = "ci/lint/prose.txt"

const (
	longestSentence = 35 // words; the guide asks for 25
	longestSubject  = 72 // characters in the first line of a commit message
	mostPlaces      = 40 // places that a problem lists
)

// The kinds of text.
const (
	markdown    = "markdown"
	docComment  = "doc"   // of exported declarations of packages that programs import
	helpText    = "help"  // and flag usages, and other output of the commands
	errorString = "error" // and warnings
)

var proseKinds = []string{markdown, docComment, helpText, errorString}

// proseSkipped matches files whose prose is not counted.
var proseSkipped = regexp.MustCompile(`^docs/contributing/writing\.md$` + // quotes the words that it bans
	`|^bench/results/` + // written by bench/machine
	`|^docs/tutorials/\w+/README\.md$` + // written from examples/*/text.md.tmpl, which is counted
	`|^internal/testkit/`) // failures of tests

// A proseRule finds one thing that the guide asks to avoid.
type proseRule struct {
	name   string
	rate   bool           // count per 1000 words, because the word is right if it is not overused
	find   *regexp.Regexp // matched without regard to case
	except *regexp.Regexp // matches that are fine
	kinds  []string       // nil means all
}

const longSentence = "long-sentence" // found by sentences, not by a pattern

func phrase(name, find string) proseRule {
	return proseRule{name: name, find: regexp.MustCompile(`(?i)` + find)}
}

func rate(name, find string) proseRule {
	r := phrase(name, find)
	r.rate = true
	return r
}

func (r proseRule) but(except string) proseRule {
	r.except = regexp.MustCompile(`(?i)` + except)
	return r
}

func (r proseRule) only(kinds ...string) proseRule {
	r.kinds = kinds
	return r
}

var proseRules = []proseRule{
	// The table of words in the guide, row by row.
	phrase("same-bits", `\bsame bits\b|\bto the bit\b`),
	phrase("stand", `\bstand(s|ing)?\b|\bstood\b`),
	phrase("tell", `\btell(s|ing)?\b|\btold\b`),
	phrase("take-for", `\b(take|takes|taken|took|taking) (\w+ ){1,4}for\b`),
	phrase("look-at", `\blook(s|ed|ing)? at\b`),
	phrase("go-on", `\b(go|goes|going|went|gone) on\b|\btaken up again\b`),
	phrase("alone", `\balone\b|\bbut for\b|\bnothing but\b`),
	phrase("beside", `\bbeside\b|\bbehind\b`),
	phrase("is-no", `\b(is|are|was|were) (none of|no)( longer| more than)?\b|\b(has|have|had) not( been)?\b`).
		but(`(longer|more than|been)$`),
	phrase("leave-out", `\b(leave|leaves|leaving|left) (\w+ )?out\b|\b(give|gives|given|gave|giving) back\b`),
	phrase("so-many", `\b(so|as) many\b`),
	phrase("without-a-word", `\bwithout a word\b|\bwhole or not at all\b`),
	phrase("pieces", `\bpieces?\b|\bthan the memory\b`),
	phrase("every-two", `\bevery two\b|\bours\b|\bthe peers?\b|\bmade up\b`),
	phrase("drawn", `\bwhat is drawn\b|\bdrawn\b`),
	phrase("models-of-trees", `\bmodels? of trees\b|\btrees of ours\b`),
	// The other rules for sentences, numbers, links and errors.
	phrase("what-clause", `\bwhat\b[^.!?]*[.!?]?`).but(`\?$`),
	phrase("that-of", `\b(that|those) of\b`),
	phrase("link-name", `\[((a|an|the|one) (page|example|run|test|program|tutorial|table|figure|list)|another[^\]]*|others?|`+
		`here|this)\]\(`).only(markdown),
	phrase("percent-space", `\d[ \x{a0}\x{202f}]%`),
	phrase("no-leading-zero", `(^|[\s(≤≥<>=±–−≈])\.\d`),
	phrase("want", `[,:;] want\b|\b(is|are) wanted\b`),
	{name: longSentence},
	rate("has", `\b(has|have|had)\b`),
	rate("where", `\bwhere\b`),
	rate("take", `\b(take|takes|taken|took|taking)\b`),
	rate("of", `\bof\b`),
}

// A paragraph is the text in which a rule searches.
type paragraph struct {
	kind, file string
	line       int  // number of the first line
	oneLine    bool // all of the text comes from that line of the file
	text       string
}

// at returns the line of an offset in the text.
func (q *paragraph) at(offset int) int {
	if q.oneLine {
		return q.line
	}
	return q.line + strings.Count(q.text[:offset], "\n")
}

// A place is a match of a rule.
type place struct {
	file string
	line int
}

// counted holds the matches of every rule in every kind of text.
type counted struct {
	places map[[2]string][]place // by kind and rule
	words  map[string]int        // by kind
}

// value returns the number of matches of a rule, or ten times their rate per 1000 words.
func (c *counted) value(kind string, r proseRule) int {
	n := len(c.places[[2]string{kind, r.name}])
	if !r.rate {
		return n
	}
	words := max(1, c.words[kind])
	return (n*10_000 + words/2) / words
}

var aWordOfProse = regexp.MustCompile(`[\pL\d]`)

func countWords(text string) (n int) {
	for _, f := range strings.Fields(text) {
		if aWordOfProse.MatchString(f) {
			n++
		}
	}
	return n
}

// add searches a paragraph for matches of all rules.
func (c *counted) add(q paragraph) {
	c.words[q.kind] += countWords(q.text)
	for _, r := range proseRules {
		key := [2]string{q.kind, r.name}
		if r.name == longSentence {
			for _, s := range sentences(q.text) {
				if countWords(q.text[s[0]:s[1]]) > longestSentence {
					c.places[key] = append(c.places[key], place{q.file, q.at(s[0])})
				}
			}
			continue
		}
		if r.kinds != nil && !slices.Contains(r.kinds, q.kind) {
			continue
		}
		// A phrase may continue on the next line.
		text := strings.ReplaceAll(q.text, "\n", " ")
		for _, m := range r.find.FindAllStringIndex(text, -1) {
			if r.except == nil || !r.except.MatchString(text[m[0]:m[1]]) {
				c.places[key] = append(c.places[key], place{q.file, q.at(m[0])})
			}
		}
	}
}

var sentenceEnd = regexp.MustCompile(`[.!?][")'\]*_]*\s+["'(\[*_]*[\p{Lu}\d]`)

// sentences returns the bounds of the sentences of a text.
func sentences(text string) (all [][2]int) {
	for from := 0; ; {
		m := sentenceEnd.FindStringIndex(text[from:])
		if m == nil {
			return append(all, [2]int{from, len(text)})
		}
		// The match ends after the next sentence's first letter.
		end := from + m[0] + strings.IndexAny(text[from+m[0]:from+m[1]], " \t\n")
		all = append(all, [2]int{from, end})
		from = end + 1
	}
}

// prose counts all text below the root, and complains about counts above the committed ones. With
// update, it writes lower counts first.
func (p *project) prose(update bool) error {
	c, err := p.countProse()
	if err != nil {
		return err
	}
	path := filepath.Join(p.root, filepath.FromSlash(proseFile))
	limits, err := readProse(path)
	if err != nil {
		return err
	}
	if update {
		if err := os.WriteFile(path, formatProse(c, limits), 0o644); err != nil {
			return err
		}
		if limits, err = readProse(path); err != nil {
			return err
		}
	}
	changed := p.changedSince()
	for _, kind := range proseKinds {
		for _, r := range proseRules {
			got, most := c.value(kind, r), limits[[2]string{kind, r.name}]
			if got <= most {
				continue
			}
			places := c.places[[2]string{kind, r.name}]
			if slices.ContainsFunc(places, func(q place) bool { return changed[q.file] }) {
				places = slices.DeleteFunc(slices.Clone(places), func(q place) bool { return !changed[q.file] })
			}
			p.complain(path, 0, "%s: %s rose from %s to %s; see docs/contributing/writing.md and:%s", kind, r.name,
				r.format(most), r.format(got), listPlaces(places))
		}
	}
	return p.subjects()
}

func (r proseRule) format(value int) string {
	if !r.rate {
		return strconv.Itoa(value)
	}
	return fmt.Sprintf("%d.%d/1000", value/10, value%10)
}

// listPlaces returns places, one a line.
func listPlaces(places []place) string {
	var b strings.Builder
	for i, q := range places {
		if i == mostPlaces {
			fmt.Fprintf(&b, "\n\tand %d more", len(places)-i)
			break
		}
		fmt.Fprintf(&b, "\n\t%s:%d", q.file, q.line)
	}
	return b.String()
}

const proseHead = `# How often text breaks a rule of docs/contributing/writing.md, by kind of text. Common words that
# are overused are counted per 1000 words. The lint fails if a count rises. After rewriting text,
# lower the counts with: go run ./ci/lint -update-prose
# To list the places of a rule: go run ./ci/lint -list-prose KIND/RULE
`

// readProse reads counts. A file that does not exist has none.
func readProse(path string) (map[[2]string]int, error) {
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	limits := map[[2]string]int{}
	for i, l := range strings.Split(string(text), "\n") {
		fields := strings.Fields(l)
		if len(fields) == 0 || strings.HasPrefix(l, "#") {
			continue
		}
		if len(fields) != 3 {
			return nil, fmt.Errorf("%s:%d: %q must be a kind, a rule and a count", path, i+1, l)
		}
		at := slices.IndexFunc(proseRules, func(r proseRule) bool { return r.name == fields[1] })
		if !slices.Contains(proseKinds, fields[0]) || at < 0 {
			return nil, fmt.Errorf("%s:%d: unknown kind or rule: %q", path, i+1, l)
		}
		digits := fields[2]
		if proseRules[at].rate {
			digits = strings.Replace(strings.TrimSuffix(digits, "/1000"), ".", "", 1)
		}
		n, err := strconv.Atoi(digits)
		if err != nil || n < 0 || proseRules[at].format(n) != fields[2] {
			return nil, fmt.Errorf("%s:%d: invalid count %q: it must be a number such as 12, or a rate such as 12.0/1000", path, i+1, fields[2])
		}
		limits[[2]string{fields[0], fields[1]}] = n
	}
	return limits, nil
}

// formatProse returns the file of limits. It lowers each limit to the count, and a rule without a
// limit gets its count.
func formatProse(c *counted, limits map[[2]string]int) []byte {
	b := bytes.NewBufferString(proseHead)
	for _, kind := range proseKinds {
		b.WriteString("\n")
		for _, r := range proseRules {
			if r.kinds != nil && !slices.Contains(r.kinds, kind) {
				continue
			}
			n := c.value(kind, r)
			if most, ok := limits[[2]string{kind, r.name}]; ok {
				n = min(n, most)
			}
			fmt.Fprintf(b, "%-9s %-16s %s\n", kind, r.name, r.format(n))
		}
	}
	return b.Bytes()
}

// proseOf returns the places that a rule counts below a root. It is named KIND/RULE.
func proseOf(root, rule string) ([]place, error) {
	c, err := (&project{root: root}).countProse()
	if err != nil {
		return nil, err
	}
	kind, name, _ := strings.Cut(rule, "/")
	known := slices.ContainsFunc(proseRules, func(r proseRule) bool { return r.name == name })
	if !known || !slices.Contains(proseKinds, kind) {
		return nil, fmt.Errorf("unknown kind or rule %q: see %s", rule, proseFile)
	}
	return c.places[[2]string{kind, name}], nil
}

// countProse reads the text of every kind below the root.
func (p *project) countProse() (*counted, error) {
	var all []paragraph
	err := filepath.WalkDir(p.root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == ".git" || d.Name() == "testdata"):
			return filepath.SkipDir
		case d.IsDir():
			return nil
		}
		name, err := filepath.Rel(p.root, path)
		name = filepath.ToSlash(name)
		if err != nil || proseSkipped.MatchString(name) {
			return err
		}
		isGo := strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go")
		isMarkdown := strings.HasSuffix(name, ".md") || strings.HasSuffix(name, ".md.tmpl")
		if !isGo && !isMarkdown {
			return nil
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		found := markdownProse(name, string(source))
		if isGo {
			found, err = goProse(name, source)
		}
		all = append(all, found...)
		return err
	})
	c := &counted{places: map[[2]string][]place{}, words: map[string]int{}}
	for _, q := range all {
		c.add(q)
	}
	for _, places := range c.places {
		slices.SortFunc(places, func(a, b place) int {
			return cmp.Or(strings.Compare(a.file, b.file), a.line-b.line)
		})
	}
	return c, err
}

var (
	listItem  = regexp.MustCompile(`^\s*([-*+]|\d+[.)])\s+`)
	inComment = regexp.MustCompile(`(?s)<!--.*?-->`)
	inCode    = regexp.MustCompile("`[^`\n]+(\n[^`\n]+)?`")
	linkTo    = regexp.MustCompile(`\]\([^)\s]*\)`)
	defined   = regexp.MustCompile(`^\[[^\]]+\]: `)
)

// markdownProse returns the paragraphs, headings, list items and table cells of a page, without
// code, comments and the addresses of links.
func markdownProse(file, text string) (all []paragraph) {
	blank := func(s string) string { return strings.Repeat("\n", strings.Count(s, "\n")) }
	text = inComment.ReplaceAllStringFunc(text, blank)
	q := paragraph{kind: markdown, file: file}
	end := func() {
		if q.text != "" {
			q.text = inCode.ReplaceAllStringFunc(q.text, func(s string) string { return "CODE" + blank(s) })
			q.text = linkTo.ReplaceAllString(q.text, "]()")
			all = append(all, q)
		}
		q.text = ""
	}
	fenced := false
	for i, l := range strings.Split(text, "\n") {
		trimmed := strings.TrimSpace(l)
		if strings.HasPrefix(trimmed, "```") || strings.HasPrefix(trimmed, "~~~") {
			end()
			fenced = !fenced
			continue
		}
		switch {
		case fenced, trimmed == "", defined.MatchString(l):
			end()
			continue
		case strings.HasPrefix(trimmed, "|"):
			end()
			for _, cell := range strings.Split(strings.Trim(trimmed, "|"), "|") {
				q.line, q.text = i+1, cell
				end()
			}
			continue
		case strings.HasPrefix(trimmed, "#"):
			end()
			q.line, q.text = i+1, trimmed
			end()
			continue
		case listItem.MatchString(l):
			end()
			trimmed = listItem.ReplaceAllString(l, "")
		}
		trimmed = strings.TrimPrefix(trimmed, "> ")
		if q.text == "" {
			q.line, q.text = i+1, trimmed
		} else {
			q.text += "\n" + trimmed
		}
	}
	end()
	return all
}

// goProse returns the doc comments of a file that programs import, the help texts of commands, and
// the error strings.
func goProse(name string, source []byte) ([]paragraph, error) {
	if regexp.MustCompile(`^(bench|ci|examples|fuzz)/`).MatchString(name) {
		return nil, nil
	}
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	for _, spec := range file.Imports {
		if spec.Path.Value == `"testing"` {
			return nil, nil // helpers of tests
		}
	}
	var all []paragraph
	if !notImported.MatchString(name) && file.Name.Name != "main" {
		for _, group := range docComments(file) {
			all = append(all, commentProse(name, set, group)...)
		}
	}
	command := file.Name.Name == "main" || strings.HasPrefix(name, "internal/cli/")
	return append(all, stringProse(name, set, file, command)...), nil
}

// docComments returns the comments that the documentation of a file shows.
func docComments(file *ast.File) (all []*ast.CommentGroup) {
	add := func(groups ...*ast.CommentGroup) {
		for _, g := range groups {
			if g != nil && !slices.Contains(all, g) {
				all = append(all, g)
			}
		}
	}
	exported := func(names []*ast.Ident) bool {
		return len(names) == 0 || slices.ContainsFunc(names, (*ast.Ident).IsExported)
	}
	add(file.Doc)
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Name.IsExported() && (d.Recv == nil || ast.IsExported(receiver(d))) {
				add(d.Doc)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.ValueSpec:
					if exported(s.Names) {
						add(d.Doc, s.Doc, s.Comment)
					}
				case *ast.TypeSpec:
					if !s.Name.IsExported() {
						continue
					}
					add(d.Doc, s.Doc, s.Comment)
					ast.Inspect(s.Type, func(n ast.Node) bool {
						if f, ok := n.(*ast.Field); ok && exported(f.Names) {
							add(f.Doc, f.Comment)
						}
						return true
					})
				}
			}
		}
	}
	return all
}

// commentProse returns the paragraphs of a comment without its code.
func commentProse(name string, set *token.FileSet, group *ast.CommentGroup) (all []paragraph) {
	q := paragraph{kind: docComment, file: name}
	end := func() {
		if q.text != "" {
			all = append(all, q)
		}
		q.text = ""
	}
	for _, c := range group.List {
		line := set.Position(c.Pos()).Line
		text, ok := strings.CutPrefix(c.Text, "//")
		trimmed := strings.TrimSpace(text)
		code := strings.HasPrefix(strings.TrimPrefix(text, " "), "\t")
		if !ok || trimmed == "" || code || ok && strings.HasPrefix(text, "go:") {
			end()
			continue
		}
		if listItem.MatchString(text) {
			end()
			trimmed = listItem.ReplaceAllString(text, "")
		}
		if q.text == "" {
			q.line, q.text = line, trimmed
		} else {
			q.text += "\n" + trimmed
		}
	}
	end()
	return all
}

var (
	// reports matches functions that report something, such as fmt.Errorf, kern.Lengths and usagef.
	reports = regexp.MustCompile(`^(errs|errors|kern)\.|(?i)(err|fail|bad|refuse|usage|panic|warn|wrong|want|missing|` +
		`check)\w*$|[fF]lagf$`)
	words     = regexp.MustCompile(`\pL{2,}[,:;]? \S|\S \pL{2,}`)
	verb      = regexp.MustCompile(`%[-+# 0]*(\[\d\])?[\d*]*(\.[\d*]*)?[a-zA-Z]`)
	separator = regexp.MustCompile(`\n[ \t]*\n`)
)

// stringProse returns the error strings of a file: the strings in calls of functions that report
// something. If the file is part of a command, its other strings are help texts.
func stringProse(name string, set *token.FileSet, file *ast.File, command bool) (all []paragraph) {
	var visit func(n ast.Node, kind string)
	visit = func(n ast.Node, kind string) {
		ast.Inspect(n, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ImportSpec:
				return false
			case *ast.CallExpr:
				inner := kind
				if f := types.ExprString(n.Fun); reports.MatchString(f) {
					inner = errorString
				}
				for _, arg := range n.Args {
					visit(arg, inner)
				}
				visit(n.Fun, kind)
				return false
			case *ast.KeyValueExpr:
				key, ok := n.Key.(*ast.Ident)
				return !ok || key.Name != "Example"
			case *ast.BinaryExpr, *ast.BasicLit:
				text, raw, ok := joined(n.(ast.Expr))
				if !ok {
					return true
				}
				text = verb.ReplaceAllString(text, "X")
				if kind != "" && words.MatchString(text) {
					all = append(all, literalProse(paragraph{kind: kind, file: name, line: set.Position(n.Pos()).Line,
						oneLine: !raw, text: text})...)
				}
				return false
			}
			return true
		})
	}
	kind := ""
	if command {
		kind = helpText
	}
	visit(file, kind)
	return all
}

// joined returns the text of a string literal, or of a concatenation that contains a literal. It
// replaces the other operands by X. If raw is true, a line of the text is a line of the file.
func joined(e ast.Expr) (text string, raw, ok bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind != token.STRING {
			return "", false, false
		}
		text, err := strconv.Unquote(e.Value)
		return text, e.Value[0] == '`', err == nil
	case *ast.BinaryExpr:
		if e.Op != token.ADD {
			return "", false, false
		}
		x, _, left := joined(e.X)
		y, _, right := joined(e.Y)
		if !left {
			x = "X"
		}
		if !right {
			y = "X"
		}
		return x + y, false, left || right
	}
	return "", false, false
}

// literalProse splits the text of a literal at blank lines. It drops indented lines, because they
// show commands and output.
func literalProse(q paragraph) (all []paragraph) {
	line := q.line
	from := 0
	cut := func(to, next int) {
		part := q
		part.line = line
		lines := strings.Split(q.text[from:to], "\n")
		for i, l := range lines {
			if strings.HasPrefix(l, "  ") || strings.HasPrefix(l, "\t") {
				lines[i] = ""
			}
		}
		if part.text = strings.Join(lines, "\n"); strings.TrimSpace(part.text) != "" {
			all = append(all, part)
		}
		if !q.oneLine {
			line += strings.Count(q.text[from:next], "\n")
		}
		from = next
	}
	for _, m := range separator.FindAllStringIndex(q.text, -1) {
		cut(m[0], m[1])
	}
	cut(len(q.text), len(q.text))
	return all
}

// git runs a command of git at the root. Without a repository there it returns nothing.
func (p *project) git(args ...string) []string {
	if _, err := os.Stat(filepath.Join(p.root, ".git")); err != nil {
		return nil
	}
	out, err := exec.Command("git", append([]string{"-C", p.root}, args...)...).Output()
	if err != nil {
		return nil
	}
	return strings.FieldsFunc(string(out), func(c rune) bool { return c == '\n' })
}

// changedSince returns the files that changed since the counts were last committed.
func (p *project) changedSince() map[string]bool {
	files := map[string]bool{}
	for _, commit := range p.git("log", "-1", "--format=%H", "--", proseFile) {
		for _, name := range p.git("diff", "--name-only", commit) {
			files[name] = true
		}
	}
	for _, name := range p.git("ls-files", "--others", "--exclude-standard") {
		files[name] = true
	}
	return files
}

// subjects complains about long subjects of commits that are not older than the counts.
func (p *project) subjects() error {
	for _, first := range p.git("log", "--reverse", "--diff-filter=A", "--format=%H", "--", proseFile) {
		subjects := append(p.git("log", "--no-merges", "--format=%h %s", first+"..HEAD"),
			p.git("log", "-1", "--format=%h %s", first)...)
		slices.Sort(subjects)
		for _, l := range subjects {
			commit, subject, _ := strings.Cut(l, " ")
			if n := len([]rune(subject)); n > longestSubject {
				p.complain(p.root, 0, "commit %s: the subject has %d characters; the limit is %d: %q", commit, n,
					longestSubject, subject)
			}
		}
	}
	return nil
}
