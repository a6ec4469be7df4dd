package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestProseRules(t *testing.T) {
	for _, c := range []struct{ rule, bad, good string }{
		{"same-bits", "gives the same bits", "is bit-identical"},
		{"stand", "Documents stand by score", "Documents are sorted by score, as standard"},
		{"tell", "info tells the version", "info prints the version; an intelligible one"},
		{"take-for", "takes zeros for missing", "takes a file"},
		{"look-at", "metrics that look at the top", "metrics of the top"},
		{"go-on", "go on from a model", "resume from a model, going once"},
		{"alone", "for trees alone", "only for trees"},
		{"alone", "all but for one", "all except one"},
		{"beside", "the letters behind a mean", "the letters after a mean"},
		{"is-no", "this is no model", "this is no longer a model, which is not a graph"},
		{"is-no", "which the file has not", "which has not been read"},
		{"leave-out", "columns left out", "omitted columns, left to right"},
		{"leave-out", "leave it out", "omit it"},
		{"so-many", "the first so many", "the first n"},
		{"without-a-word", "ignored without a word", "silently ignored"},
		{"pieces", "larger than the memory", "larger than RAM"},
		{"every-two", "ours is faster", "simdrank is faster, four hours"},
		{"every-two", "the peer is slower", "LightGBM is slower"},
		{"drawn", "documents are drawn", "documents are sampled, drawings"},
		{"models-of-trees", "models of trees", "tree models"},
		{"what-clause", "Refuse what is no model.", "What is it? Somewhat."},
		{"what-clause", "It says\nwhat failed", "It names the failure"},
		{"that-of", "as that of A", "as that one"},
		{"link-name", "[A page]() says how", "[A page of metrics]() says how"},
		{"link-name", "see [another run]()", "see [Model formats]()"},
		{"percent-space", "99 % of them", "99% of them"},
		{"no-leading-zero", "a C of .8", "a C of 0.8, file.5, 1.5"},
		{"want", "%d rows, want %d", "%d rows, expected %d"},
		{"want", "two flags are wanted", "two flags are required"},
		{"long-sentence", strings.Repeat("word ", 36), strings.Repeat("word ", 35) + ". Another sentence."},
		{"has", "has it", "hash it"},
		{"where", "where it is", "whereas it is"},
		{"take", "takes it", "uses the intake"},
		{"of", "names of features", "feature names, often off"},
	} {
		t.Run(c.rule+" "+c.bad[:min(len(c.bad), 20)], func(t *testing.T) {
			count := func(text string) int {
				all := &counted{places: map[[2]string][]place{}, words: map[string]int{}}
				all.add(paragraph{kind: markdown, text: text})
				return len(all.places[[2]string{markdown, c.rule}])
			}
			if n := count(c.bad); n != 1 {
				t.Errorf("%d matches in %q, want 1", n, c.bad)
			}
			if n := count(c.good); n != 0 {
				t.Errorf("%d matches in %q, want none", n, c.good)
			}
		})
	}
}

func TestSentences(t *testing.T) {
	text := "One is 0.5. Two, e.g. this! (Three?)\n\"Four\": yes. five"
	want := []string{"One is 0.5.", "Two, e.g. this!", "(Three?)", "\"Four\": yes. five"}
	var got []string
	for _, s := range sentences(text) {
		got = append(got, text[s[0]:s[1]])
	}
	if !slices.Equal(got, want) {
		t.Errorf("sentences %q, want %q", got, want)
	}
}

// paragraphLines returns the kinds, lines and texts of paragraphs.
func paragraphLines(all []paragraph) (lines []string) {
	for _, q := range all {
		lines = append(lines, fmt.Sprintf("%s %d %q", q.kind, q.line, q.text))
	}
	return lines
}

func TestMarkdownProse(t *testing.T) {
	const page = "# Title\n\nOne `code\nspan` and\n[a link](x.md).\n- item\n  goes on\n1. two\n" +
		"<!-- hidden\n-->\n```sh\nhidden\n```\n| a | b c |\n|---|---|\n\n> quoted\n\n[x]: y.md\n"
	got := paragraphLines(markdownProse("a.md", page))
	want := []string{
		`markdown 1 "# Title"`,
		`markdown 3 "One CODE\n and\n[a link]()."`,
		`markdown 6 "item\ngoes on"`,
		`markdown 8 "two"`,
		`markdown 14 " a "`,
		`markdown 14 " b c "`,
		`markdown 15 "---"`,
		`markdown 15 "---"`,
		`markdown 17 "quoted"`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("paragraphs\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

const proseSource = `// Package toy is documented.
package toy

import "some other/path"

// A is exported.
//
//	code is not
//
//   - item
//go:noinline
func A() error { return fmt.Errorf("one %d is "+name+" wrong", 1) }

// b is not exported.
func b() { usagef("too many") }

// T is a type.
type T struct {
	F int // a field
	g int // no field
}

var text = ` + "`Use it.\n\n  toy run it\nLike this.\n`" + `

var flag = choiceFlag("name", "one word", "of words")
`

func TestGoProse(t *testing.T) {
	doc := []string{
		`doc 1 "Package toy is documented."`,
		`doc 6 "A is exported."`,
		`doc 10 "item"`,
		`doc 17 "T is a type."`,
		`doc 19 "a field"`,
	}
	errors := []string{`error 12 "one X is X wrong"`, `error 15 "too many"`}
	help := []string{`help 23 "Use it."`, `help 25 "\nLike this.\n"`, `help 29 "one word"`, `help 29 "of words"`}
	for _, c := range []struct {
		file, pkg string
		want      []string
	}{
		{"rank/toy.go", "toy", slices.Concat(doc, errors)},
		{"internal/toy.go", "toy", errors},
		{"cmd/toy.go", "main", slices.Concat(errors, help)},
		{"internal/cli/toy.go", "cli", slices.Concat(errors, help)},
		{"bench/toy.go", "toy", nil},
	} {
		t.Run(c.file, func(t *testing.T) {
			all, err := goProse(c.file, []byte(strings.Replace(proseSource, "package toy", "package "+c.pkg, 1)))
			if err != nil {
				t.Fatal(err)
			}
			if got := paragraphLines(all); !slices.Equal(got, c.want) {
				t.Errorf("paragraphs\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
		})
	}
}

// writeProse writes files below a root.
func writeProse(t *testing.T, root string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func TestRatchet(t *testing.T) {
	const page = "Rows stand.\n\nColumns stand, too, in the table of five words.\n"
	for _, c := range []struct {
		name, limits, want string
		update             bool
	}{
		{"equal", "markdown stand 2\nmarkdown of 90.9/1000\n", "", false},
		{"lower", "markdown stand 3\nmarkdown of 100.0/1000\n", "", false},
		{"higher", "markdown stand 1\nmarkdown of 90.9/1000\n",
			"prose.txt: markdown: stand rose from 1 to 2; see docs/contributing/writing.md and:\n\ta.md:1\n\ta.md:3", false},
		{"a higher rate", "markdown stand 2\nmarkdown of 90.8/1000\n", "of rose from 90.8/1000 to 90.9/1000", false},
		{"no limit", "markdown of 90.9/1000\n", "stand rose from 0 to 2", false},
		{"update", "markdown stand 5\n", "", true},
		{"update of a lower one", "markdown stand 1\n", "stand rose from 1 to 2", true},
		{"a field too few", "markdown stand\n", "prose.txt:1: ", false},
		{"an unknown rule", "markdown stand 1\nmarkdown sit 1\n", "prose.txt:2: unknown", false},
		{"a count for a rate", "markdown of 1\n", "invalid count", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			root := t.TempDir()
			writeProse(t, root, map[string]string{"a.md": page, proseFile: c.limits})
			p := &project{root: root}
			if err := p.prose(c.update); err != nil {
				p.found = append(p.found, err.Error())
			}
			got := strings.Join(p.found, "\n")
			if !strings.Contains(got, c.want) || (c.want == "") != (got == "") {
				t.Errorf("found %q, want %q", got, c.want)
			}
			if !c.update || c.want != "" {
				return
			}
			limits, err := readProse(filepath.Join(root, filepath.FromSlash(proseFile)))
			if err != nil || limits[[2]string{markdown, "stand"}] != 2 || limits[[2]string{markdown, "of"}] != 909 {
				t.Errorf("limits %v, %v", limits, err)
			}
		})
	}
}

// If files with matches have changed since the counts were committed, the lint lists only their
// matches. Subjects of commits before the counts may be long.
func TestRatchetHistory(t *testing.T) {
	root := t.TempDir()
	git := func(args ...string) {
		t.Helper()
		args = append([]string{"-C", root, "-c", "user.name=a", "-c", "user.email=a@b.c"}, args...)
		if out, err := exec.Command("git", args...).CombinedOutput(); err != nil {
			t.Skipf("git does not run here: %v\n%s", err, out)
		}
	}
	long := strings.Repeat("é", longestSubject+1)
	git("init", "-q")
	writeProse(t, root, map[string]string{"a.md": "Rows stand.\n"})
	git("add", ".")
	git("commit", "-q", "-m", long+" old")
	writeProse(t, root, map[string]string{proseFile: "markdown stand 1\n"})
	git("add", ".")
	git("commit", "-q", "-m", long[:2*longestSubject])
	writeProse(t, root, map[string]string{"b.md": "\nThey stand.\n"})
	git("add", ".")
	git("commit", "-q", "-m", long+" new")

	p := &project{root: root}
	if err := p.prose(false); err != nil {
		t.Fatal(err)
	}
	if len(p.found) != 2 || !strings.HasSuffix(p.found[0], "from 1 to 2; see docs/contributing/writing.md and:\n\tb.md:2") ||
		!strings.Contains(p.found[1], "the subject has 77 characters") || !strings.Contains(p.found[1], " new") {
		t.Errorf("found %q", p.found)
	}
}

func TestProseOf(t *testing.T) {
	root := t.TempDir()
	writeProse(t, root, map[string]string{"a.md": "Rows\nstand.\n", "testdata/b.md": "They stand.\n"})
	for _, c := range []struct {
		rule string
		want []place
		ok   bool
	}{
		{"markdown/stand", []place{{"a.md", 2}}, true},
		{"doc/stand", nil, true},
		{"markdown/sit", nil, false},
		{"novel/stand", nil, false},
		{"", nil, false},
	} {
		t.Run(c.rule, func(t *testing.T) {
			got, err := proseOf(root, c.rule)
			if !slices.Equal(got, c.want) || (err == nil) != c.ok {
				t.Errorf("%v, %v, want %v", got, err, c.want)
			}
		})
	}
}
