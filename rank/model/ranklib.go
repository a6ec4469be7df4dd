package model

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unsafe"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/files"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

// This file reads and writes RankLib's models of LambdaMART and MART (Ensemble and Split of RankLib
// 2.1 to 2.18). The Elasticsearch Learning to Rank plugin reads them as model/ranklib. A file
// contains comments, followed by XML. A split sends x ≤ threshold left, with both in float32. A
// missing value is 0. A score is the sum of weight times output over the trees, in float32.

// A ranklibReader reads the XML. After the first error, its methods return zero values.
type ranklibReader struct {
	d        *xml.Decoder
	before   int // number of lines before the XML
	features featureList
	budget   *files.Budget
	err      error
}

func readRankLib(data []byte, budget *files.Budget) (*lambdamart.Model, error) {
	r := &ranklibReader{budget: budget}
	for { // skip comments and empty lines
		data = bytes.TrimLeft(data, " \t\r")
		if len(data) == 0 || data[0] != '#' && data[0] != '\n' {
			break
		}
		_, data, _ = bytes.Cut(data, []byte("\n"))
		r.before++
	}
	if err := r.checkTags(data); err != nil {
		return nil, err
	}
	r.d = xml.NewDecoder(bytes.NewReader(data))
	root := r.element()
	if r.err != nil {
		return nil, r.err
	}
	if root.Name.Local != "ensemble" {
		return nil, r.errorf("found <%s>, expected <ensemble>", text.Excerpt(root.Name.Local))
	}
	m := &lambdamart.Model{}
	for e := r.element(); e != nil; e = r.element() {
		if e.Name.Local != "tree" {
			return nil, r.errorf("found <%s>, expected <tree>", text.Excerpt(e.Name.Local))
		}
		r.hold("the trees", unsafe.Sizeof(lambdamart.Tree{}))
		m.Trees = append(m.Trees, r.tree(e))
	}
	if r.err != nil {
		return nil, r.err
	}
	switch e := r.element(); {
	case e != nil && e.Name.Local == "ensemble":
		return nil, r.errorf("found a second ensemble: RankLib's random forests are not supported")
	case r.err == nil:
		return nil, r.errorf("unexpected content after the ensemble")
	case r.err != io.EOF:
		return nil, r.err
	}
	return m, r.features.settle(m, "", 1)
}

// maxTag is the maximum length of a tag and the text after it. In RankLib's own files, this length
// is below 100 bytes.
const maxTag = 1 << 16

// checkTags returns an error if a tag is too long. Without this check, the decoder would need many
// times the memory of the attributes before it returns them.
func (r *ranklibReader) checkTags(data []byte) error {
	for start := 0; start < len(data); {
		length := bytes.IndexByte(data[start+1:], '<') + 1 // up to the next tag, because < is not valid elsewhere
		if length == 0 {
			length = len(data) - start
		}
		if length > maxTag {
			return fmt.Errorf("line %d: the tag and the text after it are longer than %d bytes",
				r.before+1+bytes.Count(data[:start], []byte("\n")), maxTag)
		}
		start += length
	}
	return nil
}

func (r *ranklibReader) errorf(format string, args ...any) error {
	line, _ := r.d.InputPos()
	return fmt.Errorf("line %d: %w", r.before+line, fmt.Errorf(format, args...))
}

// failf records an error, unless an earlier error was recorded.
func (r *ranklibReader) failf(format string, args ...any) {
	if r.err == nil {
		r.err = r.errorf(format, args...)
	}
}

// hold counts bytes that the reader is about to allocate.
func (r *ranklibReader) hold(what string, bytes uintptr) {
	if r.err == nil {
		r.err = r.budget.Hold(what, int64(bytes))
	}
}

// token returns the next token, but skips white space, comments and processing instructions.
func (r *ranklibReader) token() xml.Token {
	for r.err == nil {
		token, err := r.d.Token()
		if syntax, ok := err.(*xml.SyntaxError); ok {
			if syntax.Msg == "invalid UTF-8" {
				syntax.Msg = "text must be UTF-8 (" + text.Reencode + ")"
			}
			r.err = fmt.Errorf("line %d: %s", r.before+syntax.Line, syntax.Msg)
		} else if err == io.EOF {
			r.err = err
		} else if err != nil {
			r.failf("%w", err)
		}
		switch t := token.(type) {
		case xml.CharData:
			if len(bytes.TrimSpace(t)) > 0 {
				return token
			}
		case xml.StartElement, xml.EndElement:
			return token
		case xml.Directive:
			r.failf("unexpected XML directive")
		}
	}
	return nil
}

// element returns the start of the next element, or nil at the end of the enclosing element.
func (r *ranklibReader) element() *xml.StartElement {
	switch t := r.token().(type) {
	case xml.StartElement:
		t = t.Copy()
		return &t
	case xml.CharData:
		r.failf("found %q, expected an element", text.Excerpt(strings.TrimSpace(string(t))))
	}
	return nil
}

// want returns the attributes of the next element, which must have the given name.
func (r *ranklibReader) want(name string) []xml.Attr {
	e := r.element()
	switch {
	case e == nil:
		r.failf("found the end of an element, expected <%s>", name)
		return nil
	case e.Name.Local != name:
		r.failf("found <%s>, expected <%s>", text.Excerpt(e.Name.Local), name)
	}
	return e.Attr
}

// end skips the end of an element.
func (r *ranklibReader) end() {
	if e := r.element(); e != nil {
		r.failf("found <%s>, expected the end of an element", text.Excerpt(e.Name.Local))
	}
}

// text returns the text of the current element, and skips the end of the element.
func (r *ranklibReader) text(name string) string {
	content, ok := r.token().(xml.CharData)
	if !ok {
		r.failf("<%s> contains no text", name)
	}
	s := strings.TrimSpace(string(content))
	r.end()
	return s
}

// number parses the text of the current element as a number.
func (r *ranklibReader) number(name string) float32 {
	s := r.text(name)
	v, err := parseFloat32(s)
	if err != nil {
		r.failf("the %s is %q: %w", name, text.Excerpt(s), err)
	}
	return v
}

// tree reads the remainder of a tree after its start tag.
func (r *ranklibReader) tree(e *xml.StartElement) lambdamart.Tree {
	weight, found := float32(0), false
	for _, a := range e.Attr {
		if a.Name.Local == "weight" {
			var err error
			if weight, err = parseFloat32(strings.TrimSpace(a.Value)); err != nil {
				r.failf("the weight is %q: %w", text.Excerpt(a.Value), err)
			}
			found = true
		}
	}
	if !found {
		r.failf("the tree has no weight")
	}
	r.want("split")
	b := treeBuilder{noGains: true, noWeights: true, noCounts: true}
	r.split(&b, float64(weight), 0)
	r.end()
	t, err := b.tree()
	if r.err == nil {
		r.err = err
	}
	return t
}

// split reads the remainder of a split after its start tag. RankLib also stores leaves in split
// elements.
func (r *ranklibReader) split(b *treeBuilder, weight float64, depth int) int32 {
	if depth > maxNesting {
		r.failf("%w", errTooDeep)
	}
	e := r.element()
	switch {
	case e == nil:
		r.failf("the split has no <output> or <feature>")
		return 0
	case e.Name.Local == "output":
		r.hold("the leaves", unsafe.Sizeof(nestedLeaf{}))
		// Multiply in float64, in which the product of two float32 values is exact.
		at := b.leaf(nestedLeaf{id: int64(len(b.leaves)), value: weight * float64(r.number("output"))})
		r.end()
		return at
	case e.Name.Local != "feature":
		r.failf("found <%s>, expected <feature> or <output>", text.Excerpt(e.Name.Local))
		return 0
	}
	r.hold("the splits", unsafe.Sizeof(nestedSplit{}))
	name := r.text("feature")
	r.want("threshold")
	threshold := r.number("threshold")
	s := nestedSplit{id: int64(len(b.splits)), feature: r.features.number(name), threshold: threshold,
		missingLeft: threshold >= 0} // a missing value is 0
	at := b.node(s, "left", "right", func(side string) int32 { // RankLib requires this order
		for _, a := range r.want("split") {
			if a.Name.Local == "pos" && a.Value != side {
				r.failf("found a split with the position %q, expected %s", text.Excerpt(a.Value), side)
			}
		}
		return r.split(b, weight, depth+1)
	})
	r.end()
	return at
}

// appendRankLib appends the model in RankLib's format, which numbers features from 1.
func appendRankLib(m *lambdamart.Model, b []byte) ([]byte, error) {
	if err := knowsOrder(m, "RankLib"); err != nil {
		return nil, err
	}
	trees, err := biased(m)
	if err != nil {
		return nil, err
	}
	b = fmt.Appendf(b, "## LambdaMART\n## No. of trees = %d\n\n<ensemble>\n", len(trees))
	for i := range trees {
		t := &trees[i]
		if err := t.plain("RankLib's format", false); err != nil {
			return nil, errs.Errorf("model", "tree %d, %w", i, err)
		}
		b = fmt.Appendf(b, "\t<tree id=\"%d\" weight=\"1.0\">\n\t\t<split>\n", i+1)
		b = t.appendRankLib(b, t.root, "\t\t\t")
		b = append(b, "\t\t</split>\n\t</tree>\n"...)
	}
	return append(b, "</ensemble>\n"...), nil
}

func (t *tree) appendRankLib(b []byte, node int32, indent string) []byte {
	if node < 0 {
		return fmt.Appendf(b, "%s<output> %s </output>\n", indent, javaFloat(float32(t.Leaf[^node])))
	}
	b = fmt.Appendf(b, "%s<feature> %d </feature>\n%s<threshold> %s </threshold>\n%s<split pos=\"left\">\n", indent,
		t.Feature[node]+1, indent, javaFloat(t.Threshold[node]), indent)
	b = t.appendRankLib(b, t.Left[node], indent+"\t")
	b = fmt.Appendf(b, "%s</split>\n%s<split pos=\"right\">\n", indent, indent)
	b = t.appendRankLib(b, t.Right[node], indent+"\t")
	return fmt.Appendf(b, "%s</split>\n", indent)
}

// javaFloat writes a number that Java's Float.parseFloat can read.
func javaFloat(v float32) string {
	switch {
	case math.IsInf(float64(v), 1):
		return "Infinity"
	case math.IsInf(float64(v), -1):
		return "-Infinity"
	}
	return strconv.FormatFloat(float64(v), 'g', -1, 32)
}
