// Package tutorial writes the tutorials of the examples: a Markdown text with the computed numbers,
// its figures, and a single HTML page with both. It also loads and generates the data that several
// tutorials share.
package tutorial

import (
	"bytes"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	text "text/template"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"

	"github.com/simdrank/simdrank/report"
)

// A Tutorial is a text and its figures.
type Tutorial struct {
	Text   string                   // Markdown with a title, as a text/template
	Data   any                      // the template's data
	Charts map[string]*report.Chart // figures by file name; the text must refer to all of them
}

//go:embed page.html
var pageHTML string

var page = template.Must(template.New("page").Parse(pageHTML))

// Files returns the contents of the tutorial's files by name: README.md, its figures, and the
// self-contained page index.html.
func (t *Tutorial) Files() (map[string][]byte, error) {
	markdown, err := text.New("text").Parse(t.Text)
	if err != nil {
		return nil, err
	}
	var readme, body, html bytes.Buffer
	if err := markdown.Execute(&readme, t.Data); err != nil {
		return nil, err
	}
	if err := goldmark.New(goldmark.WithExtensions(extension.Table)).Convert(readme.Bytes(), &body); err != nil {
		return nil, err
	}
	out := map[string][]byte{"README.md": readme.Bytes()}
	inside := body.String()
	for _, name := range slices.Sorted(maps.Keys(t.Charts)) {
		var svg bytes.Buffer
		if err := t.Charts[name].WriteSVG(&svg); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		out[name] = svg.Bytes()
		link, data := `src="`+name+`"`, base64.StdEncoding.EncodeToString(svg.Bytes())
		if !strings.Contains(inside, link) {
			return nil, fmt.Errorf("the text does not show %s", name)
		}
		inside = strings.ReplaceAll(inside, link, `src="data:image/svg+xml;base64,`+data+`"`)
	}
	title, _, _ := strings.Cut(strings.TrimPrefix(readme.String(), "# "), "\n")
	err = page.Execute(&html, struct {
		Title string
		Body  template.HTML
	}{title, template.HTML(inside)})
	out["index.html"] = html.Bytes()
	return out, err
}

// Write writes the files of the tutorial to a folder.
func (t *Tutorial) Write(folder string) error {
	out, err := t.Files()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	for name, content := range out {
		if err := os.WriteFile(filepath.Join(folder, name), content, 0o666); err != nil {
			return err
		}
	}
	return nil
}
