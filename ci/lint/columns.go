package main

import (
	"bufio"
	"bytes"
	"errors"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"unicode/utf8"
)

// The maximum widths of lines, with a tab as four columns.
const (
	widestWords = 100 // comments and Markdown
	widestCode  = 120
	longString  = 60 // a line with a longer string literal may have any width
)

// farFetch matches a prefetch with a numeric distance of at least 1000 bytes.
var farFetch = regexp.MustCompile(`PREFETCH\w+\s+\(?\d{4}`)

// columns checks the width of every line of Go, assembly and Markdown below the root, and the
// prefetch distances in assembly. It also calls numbers, cases and exported for every Go file.
func (p *project) columns() error {
	return filepath.WalkDir(p.root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == ".git" || d.Name() == "testdata"):
			return filepath.SkipDir
		case d.IsDir():
			return nil
		}
		ext := filepath.Ext(path)
		if ext != ".go" && ext != ".s" && ext != ".h" && ext != ".md" {
			return nil
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var free map[int]bool
		if ext == ".go" {
			free = linesOfStrings(source)
			err := errors.Join(p.numbers(path, source), p.cases(path, source), p.exported(path, source))
			if err != nil {
				return err
			}
		}
		assembly := ext == ".s" || ext == ".h"
		fenced, output := false, false
		lines := bufio.NewScanner(bytes.NewReader(source))
		for n := 1; lines.Scan(); n++ {
			l := lines.Text()
			text := strings.TrimSpace(l)
			if ext == ".md" && strings.HasPrefix(text, "```") {
				fenced, output = !fenced, text == "```text"
			}
			widest := widestCode
			if strings.HasPrefix(text, "//") || ext == ".md" && !fenced {
				widest = widestWords
			}
			// These cannot be split: words, strings, table rows, the output of commands, and
			// declarations of assembly functions, which also appear on one line above TEXT.
			whole := output || !strings.Contains(strings.TrimPrefix(text, "// "), " ") || free[n] ||
				strings.HasPrefix(l, "func ") && !strings.HasSuffix(l, "{") && !strings.HasSuffix(l, "}") ||
				strings.HasPrefix(l, "// func ") || ext == ".md" && strings.HasPrefix(text, "|")
			if assembly && farFetch.MatchString(l) {
				p.complain(path, n, "a prefetch distance must be a constant in tuning_*.go with a comment that explains it")
			}
			width := utf8.RuneCountInString(strings.ReplaceAll(l, "\t", "    "))
			if width > widest && !whole {
				p.complain(path, n, "the line has %d columns; the limit is %d", width, widest)
			}
		}
		return lines.Err()
	})
}

// linesOfStrings returns the lines of a Go file that contain part of a long string.
func linesOfStrings(source []byte) map[int]bool {
	lines := map[int]bool{}
	set := token.NewFileSet()
	file := set.AddFile("", set.Base(), len(source))
	var s scanner.Scanner
	s.Init(file, source, nil, 0)
	for {
		pos, tok, literal := s.Scan()
		if tok == token.EOF {
			return lines
		}
		if tok == token.STRING && len(literal) > longString {
			first := file.Line(pos)
			for n := range 1 + strings.Count(literal, "\n") {
				lines[first+n] = true
			}
		}
	}
}
