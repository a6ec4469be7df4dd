package main

import (
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

var (
	inlineLink    = regexp.MustCompile(`\]\(<?([^)<>\s]+)>?(?:\s+"[^"]*")?\)`)
	referenceLink = regexp.MustCompile(`(?m)^\s*\[[^\]]+\]:\s+(\S+)`)
	attributeLink = regexp.MustCompile(`(?:href|src)="([^"]+)"`)
	namedAnchor   = regexp.MustCompile(`<a (?:id|name)="([^"]+)"`)
	fencedBlock   = regexp.MustCompile("(?ms)^ *(```|~~~).*?^ *(```|~~~) *$")
	codeSpan      = regexp.MustCompile("`[^`\n]*`")
	heading       = regexp.MustCompile(`(?m)^#{1,6} +(.+?) *#* *$`)
	pageName      = regexp.MustCompile(`\b(docs/[a-z0-9/-]+\.md|CONTRIBUTING\.md|CHANGELOG\.md)(#[a-z0-9-]+)?`)
)

// anchors returns the anchors that GitHub derives from the headings of a page.
func anchors(page string) (all []string) {
	for _, m := range namedAnchor.FindAllStringSubmatch(page, -1) {
		all = append(all, m[1])
	}
	for _, m := range heading.FindAllStringSubmatch(fencedBlock.ReplaceAllString(page, ""), -1) {
		text := inlineLink.ReplaceAllString(m[1], "]")
		var b strings.Builder
		for _, c := range strings.ToLower(text) {
			switch {
			case c == ' ':
				b.WriteByte('-')
			case c == '-', c == '_', unicode.IsLetter(c), unicode.IsDigit(c), unicode.IsMark(c):
				b.WriteRune(c)
			}
		}
		anchor := b.String()
		for n := 1; slices.Contains(all, anchor); n++ {
			anchor = fmt.Sprintf("%s-%d", b.String(), n)
		}
		all = append(all, anchor)
	}
	return all
}

// links returns the targets of a page's links and images, with their lines.
func links(page string) (all []place) {
	blank := func(s string) string { return regexp.MustCompile(`[^\n]`).ReplaceAllString(s, " ") }
	page = inComment.ReplaceAllStringFunc(fencedBlock.ReplaceAllStringFunc(page, blank), blank)
	page = codeSpan.ReplaceAllStringFunc(page, blank)
	for _, pattern := range []*regexp.Regexp{inlineLink, referenceLink, attributeLink} {
		for _, m := range pattern.FindAllStringSubmatchIndex(page, -1) {
			all = append(all, place{page[m[2]:m[3]], 1 + strings.Count(page[:m[2]], "\n")})
		}
	}
	return all
}

// deadLink returns the reason why a link in a file is dead, or "".
func deadLink(file, link string) string {
	u, err := url.Parse(link)
	switch {
	case err != nil:
		return err.Error()
	case u.IsAbs() || u.Host != "":
		return "" // this test does not use the network
	case strings.HasPrefix(u.Path, "/"):
		return "the link must be relative"
	}
	target := file
	if u.Path != "" {
		target = filepath.Join(filepath.Dir(file), filepath.FromSlash(u.Path))
	}
	if _, err := os.Stat(target); err != nil {
		return "the file does not exist"
	}
	if u.Fragment == "" || filepath.Ext(target) != ".md" {
		return ""
	}
	page, err := os.ReadFile(target)
	if err != nil {
		return err.Error()
	}
	if !slices.Contains(anchors(string(page)), u.Fragment) {
		return "the page has no such heading"
	}
	return ""
}

// walkFiles calls visit for every file of the project with one of the extensions.
func walkFiles(t *testing.T, extensions []string, visit func(path, text string)) {
	t.Helper()
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == ".git" || d.Name() == "testdata") {
			return filepath.SkipDir
		}
		if d.IsDir() || !slices.Contains(extensions, filepath.Ext(path)) {
			return nil
		}
		text, err := os.ReadFile(path)
		visit(path, string(text))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestLinks checks that every relative link leads to a file, and its anchor to a heading.
func TestLinks(t *testing.T) {
	const least = 50
	checked := 0
	walkFiles(t, []string{".md"}, func(path, text string) {
		for _, link := range links(text) {
			checked++
			if wrong := deadLink(path, link.file); wrong != "" {
				t.Errorf("%s:%d: %s: %s", filepath.Clean(path), link.line, link.file, wrong)
			}
		}
	})
	if checked < least {
		t.Errorf("%d links were found, at least %d were expected", checked, least)
	}
}

// TestPageNames checks that the pages exist that code, comments and help texts mention.
func TestPageNames(t *testing.T) {
	walkFiles(t, []string{".md", ".go", ".s", ".h", ".sh", ".py", ".tmpl"}, func(path, text string) {
		if strings.HasSuffix(path, "links_test.go") {
			return
		}
		for i, l := range strings.Split(text, "\n") {
			for _, name := range pageName.FindAllString(l, -1) {
				if wrong := deadLink("../../README.md", name); wrong != "" {
					t.Errorf("%s:%d: %s: %s", filepath.Clean(path), i+1, name, wrong)
				}
			}
		}
	})
}

func TestDeadLink(t *testing.T) {
	root := t.TempDir()
	writeProse(t, root, map[string]string{
		"a.md":     "# One\n\n## Two `code` & [three](x)\n\n## One\n\n```\n# no heading\n```\n\n<a id=\"named\"></a>\n",
		"b/b.md":   "",
		"b/c.go":   "",
		"b/d e.md": "",
	})
	for _, c := range []struct{ link, want string }{
		{"b/b.md", ""},
		{"b", ""},
		{"b/c.go#L7", ""},
		{"b/d%20e.md", ""},
		{"https://example.com/x", ""},
		{"mailto:a@example.com", ""},
		{"#one", ""},
		{"#one-1", ""},
		{"a.md#two-code--three", ""},
		{"#named", ""},
		{"#two", "no such heading"},
		{"#no-heading", "no such heading"},
		{"b/b.md#one", "no such heading"},
		{"b.md", "does not exist"},
		{"/b/b.md", "must be relative"},
	} {
		t.Run(c.link, func(t *testing.T) {
			got := deadLink(filepath.Join(root, "a.md"), c.link)
			if !strings.Contains(got, c.want) || (c.want == "") != (got == "") {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

func TestFindLinks(t *testing.T) {
	const page = "[a](b.md) and ![c\nd](e.svg \"title\")\n`[no](link)` <!-- [no](link) -->\n```\n[no](link)\n```\n" +
		"[ref]: f.md#g\n<img src=\"h.png\">\n"
	got := links(page)
	want := []place{{"b.md", 1}, {"e.svg", 2}, {"f.md#g", 7}, {"h.png", 8}}
	if !slices.Equal(got, want) {
		t.Errorf("links %v, want %v", got, want)
	}
}
