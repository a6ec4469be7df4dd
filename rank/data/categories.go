package data

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"github.com/simdrank/simdrank/internal/files"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank"
)

// categoryBytes is the memory of a text category while a table is read, in addition to its text.
const categoryBytes = 96

// A textColumn numbers the texts of a column by their first appearance.
type textColumn struct {
	feature int // index among the features
	list    []string
	codes   map[string]int32
}

// textColumns returns the text columns among the features.
func (c *tableColumns) textColumns() (texts []textColumn) {
	feature := 0
	for _, role := range c.roles {
		if role == roleText {
			texts = append(texts, textColumn{feature: feature, list: []string{}, codes: map[string]int32{}})
		}
		if role == roleText || role == roleFeature {
			feature++
		}
	}
	return texts
}

// reset forgets all texts, and keeps their memory.
func (c *textColumn) reset() {
	clear(c.codes)
	c.list = c.list[:0]
}

// code returns the number of a text. Before it adds a text, it counts the memory in the budget,
// unless the budget is nil.
func (c *textColumn) code(content []byte, budget *files.Budget) (float32, error) {
	if code, known := c.codes[string(content)]; known {
		return float32(code), nil
	}
	if !utf8.Valid(content) {
		return 0, text.NotUTF8("a text category", string(content))
	}
	return c.add(string(content), budget)
}

// add adds a new text.
func (c *textColumn) add(s string, budget *files.Budget) (float32, error) {
	if len(c.list) == text.MaxCategories {
		return 0, fmt.Errorf("the column contains more than %d different texts", text.MaxCategories)
	}
	if budget != nil {
		if err := budget.Hold("the text categories", categoryBytes+int64(len(s))); err != nil {
			return 0, err
		}
	}
	code := int32(len(c.list))
	c.list, c.codes[s] = append(c.list, s), code
	return float32(code), nil
}

// textValue parses a cell of a text column at i. A missing value is NaN.
func (p *part) textValue(b []byte, i int, c *textColumn) (v float32, end int, err error) {
	content, end, err := p.cell(b, i)
	if err != nil {
		return 0, 0, err
	}
	word := bytes.TrimSpace(content)
	if len(word) == 0 || p.isMissing(word) {
		return missing, end, nil
	}
	if v, known := words[string(word)]; known && v != v {
		return missing, end, nil
	}
	if v, err := text.ParseNumber(word, 32); err == nil && v != v {
		return missing, end, nil
	}
	v, err = c.code(content, nil)
	return v, end, err
}

// renumber replaces the numbers of a part's texts, which are unique only within the part, with the
// numbers in the dataset.
func (m *merger) renumber(part *stretch) *rank.ParseError {
	for k := range part.texts {
		from, to := &part.texts[k], &m.texts[k]
		codes := make([]float32, len(from.list))
		for code, s := range from.list {
			if known, found := to.codes[s]; found {
				codes[code] = float32(known)
				continue
			}
			var err error
			if codes[code], err = to.add(s, m.budget); err != nil {
				return m.textError(part, from, code, err)
			}
		}
		for at := from.feature; at < len(part.values); at += part.width {
			if v := part.values[at]; v == v {
				part.values[at] = codes[int(v)]
			}
		}
	}
	if part.texts != nil {
		part.nonzero = countNonzeros(part.values)
	}
	return nil
}

// textError returns an error about the first cell of a part that contains the text with the given
// number.
func (m *merger) textError(part *stretch, c *textColumn, code int, err error) *rank.ParseError {
	row := 0
	for part.values[row*part.width+c.feature] != float32(code) {
		row++
	}
	return &rank.ParseError{Line: m.lines + int(part.places[row]), Err: err}
}

// categories returns the texts of each column of a dataset, or nil if there are none.
func categories(texts []textColumn, cols int) (lists [][]string) {
	if texts == nil {
		return nil
	}
	lists = make([][]string, cols)
	for _, c := range texts {
		lists[c.feature] = c.list
	}
	return lists
}
