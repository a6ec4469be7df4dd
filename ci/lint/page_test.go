package main

import (
	"bytes"
	"go/doc"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// quoted matches a block of code on a page, and the name of its source file above it.
var quoted = regexp.MustCompile("(?s)<!-- (\\S+) -->\n```\\w*\n(.*?)```\n")

// TestAssemblyPage checks that the code on the assembly page appears in the source files.
func TestAssemblyPage(t *testing.T) {
	const root, least = "../..", 5
	page, err := os.ReadFile(filepath.Join(root, "docs", "contributing", "assembly.md"))
	if err != nil {
		t.Fatal(err)
	}
	blocks := quoted.FindAllStringSubmatch(string(page), -1)
	if len(blocks) < least {
		t.Errorf("the page quotes %d blocks of code, it must quote at least %d", len(blocks), least)
	}
	for _, b := range blocks {
		source, err := os.ReadFile(filepath.Join(root, b[1]))
		if err != nil {
			t.Error(err)
		} else if !strings.Contains(string(source), b[2]) {
			t.Errorf("%s does not hold this code of the page:\n%s", b[1], b[2])
		}
	}
}

// Each example in the table of programs of docs/README.md can be copied as a program of at most 25
// lines, not counting blank lines and comments.
func TestPrograms(t *testing.T) {
	const docs, want, most = "../../docs", 12, 25
	index, err := os.ReadFile(filepath.Join(docs, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile(`(?m)^\| .* \| \[.*\]\((\S+_test\.go)\) \|$`).FindAllStringSubmatch(string(index), -1)
	if len(rows) != want {
		t.Errorf("the table has %d programs, want %d", len(rows), want)
	}
	for _, row := range rows {
		t.Run(row[1], func(t *testing.T) {
			files := token.NewFileSet()
			file, err := parser.ParseFile(files, filepath.Join(docs, row[1]), nil, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			examples := doc.Examples(file)
			if len(examples) != 1 || examples[0].Play == nil || examples[0].Output == "" {
				t.Fatal("the file must hold one example that is a program and has an output")
			}
			var program bytes.Buffer
			if err := format.Node(&program, files, examples[0].Play); err != nil {
				t.Fatal(err)
			}
			lines := 0
			for line := range strings.Lines(program.String()) {
				if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "//") {
					lines++
				}
			}
			if lines > most {
				t.Errorf("%d lines, want at most %d:\n%s", lines, most, program.String())
			}
		})
	}
}
