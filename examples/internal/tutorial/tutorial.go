// Package tutorial writes what the tutorials among the examples show: a text in Markdown with the
// numbers that were computed, its pictures, and both as one page of HTML. It loads or generates the
// data that several of them use.
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

// A Tutorial is a text and its pictures.
type Tutorial struct {
	Text   string                   // Markdown with a title, as a text/template
	Data   any                      // of the template
	Charts map[string]*report.Chart // by the names of their files, which the text refers to
}

//go:embed page.html
var pageHTML string

var page = template.Must(template.New("page").Parse(pageHTML))

// Files returns the files of a tutorial by their names: README.md, the pictures beside it, and
// index.html, which needs nothing else.
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

// Write writes the files of a tutorial to a folder.
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
