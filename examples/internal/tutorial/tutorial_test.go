package tutorial

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/report"
)

var chart = &report.Chart{Title: "a < b", Series: []report.Series{{X: []float64{1, 2}, Y: []float64{3, 4}}}}

func TestWrite(t *testing.T) {
	tut := &Tutorial{Text: "# {{.}} & more\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n![rising](a.svg)\n", Data: "Title",
		Charts: map[string]*report.Chart{"a.svg": chart}}
	folder := filepath.Join(t.TempDir(), "out")
	for range 2 { // the second call writes to an existing folder
		if err := tut.Write(folder); err != nil {
			t.Fatal(err)
		}
	}
	for name, wants := range map[string][]string{
		"README.md": {"# Title & more\n", "(a.svg)"},
		"a.svg":     {"<svg ", "a &lt; b"},
		"index.html": {"<title>Title &amp; more</title>", "<td>2</td>", `src="data:image/svg+xml;base64,`,
			`alt="rising"`},
	} {
		t.Run(name, func(t *testing.T) {
			content, err := os.ReadFile(filepath.Join(folder, name))
			if err != nil {
				t.Error(err)
			}
			for _, want := range wants {
				if !strings.Contains(string(content), want) {
					t.Errorf("%s lacks %q:\n%s", name, want, content)
				}
			}
			if name == "index.html" && strings.Contains(string(content), "a.svg") {
				t.Errorf("%s wants a file:\n%s", name, content)
			}
		})
	}
}

func TestErrors(t *testing.T) {
	for text, want := range map[string]string{
		"# A\n![b](b.svg)":              "the text does not show a.svg",
		"# {{.Missing}}\n![a](a.svg)":   "can't evaluate field Missing",
		"# {{if}}\n![a](a.svg)":         "missing value for if",
		"# A\n`![a](a.svg)` is no link": "the text does not show a.svg",
	} {
		t.Run(text, func(t *testing.T) {
			tut := &Tutorial{Text: text, Data: struct{}{}, Charts: map[string]*report.Chart{"a.svg": chart}}
			if _, err := tut.Files(); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%v, want %q", err, want)
			}
		})
	}
	tut := &Tutorial{Text: "# A", Charts: map[string]*report.Chart{"a.svg": {Title: "empty"}}}
	if _, err := tut.Files(); err == nil || !strings.Contains(err.Error(), "a.svg: report: empty") {
		t.Error(err)
	}
}
