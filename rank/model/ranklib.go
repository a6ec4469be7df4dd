package model

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

// RankLib's models of LambdaMART and MART (Ensemble and Split of RankLib 2.1 to 2.18), which
// Elasticsearch's learning to rank takes as model/ranklib: comments, then XML. A split sends x ≤
// threshold left, both of float32; a missing value is 0. A score is the sum over trees of weight
// times output, in float32.

// A ranklibReader reads the XML.
type ranklibReader struct {
	d        *xml.Decoder
	before   int // lines before the XML
	features featureList
}

func readRankLib(data []byte) (*lambdamart.Model, error) {
	r := &ranklibReader{}
	for { // comments
		data = bytes.TrimLeft(data, " \t\r")
		if len(data) == 0 || data[0] != '#' && data[0] != '\n' {
			break
		}
		_, data, _ = bytes.Cut(data, []byte("\n"))
		r.before++
	}
	r.d = xml.NewDecoder(bytes.NewReader(data))
	root, err := r.element()
	if err != nil {
		return nil, err
	}
	if root.Name.Local != "ensemble" {
		return nil, r.errorf("<%s> where <ensemble> should stand", text.Excerpt(root.Name.Local))
	}
	m := &lambdamart.Model{}
	for {
		e, err := r.element()
		if err != nil {
			return nil, err
		}
		if e == nil {
			break
		}
		if e.Name.Local != "tree" {
			return nil, r.errorf("<%s> where <tree> should stand", text.Excerpt(e.Name.Local))
		}
		t, err := r.tree(e)
		if err != nil {
			return nil, err
		}
		m.Trees = append(m.Trees, t)
	}
	switch e, err := r.element(); {
	case err == nil && e != nil && e.Name.Local == "ensemble":
		return nil, r.errorf("a second ensemble: a random forest of RankLib is no model of this package")
	case err == nil:
		return nil, r.errorf("something after the ensemble")
	case err != io.EOF:
		return nil, err
	}
	return m, r.features.settle(m, "", 1)
}

func (r *ranklibReader) errorf(format string, args ...any) error {
	line, _ := r.d.InputPos()
	return fmt.Errorf("line %d: %w", r.before+line, fmt.Errorf(format, args...))
}

// token returns the next token that matters.
func (r *ranklibReader) token() (xml.Token, error) {
	for {
		token, err := r.d.Token()
		switch {
		case err == io.EOF:
			return nil, err
		case err != nil:
			if syntax, ok := err.(*xml.SyntaxError); ok {
				if syntax.Msg == "invalid UTF-8" {
					syntax.Msg = "text must be UTF-8 (" + text.Reencode + ")"
				}
				return nil, fmt.Errorf("line %d: %s", r.before+syntax.Line, syntax.Msg)
			}
			return nil, r.errorf("%w", err)
		}
		switch t := token.(type) {
		case xml.CharData:
			if len(bytes.TrimSpace(t)) > 0 {
				return token, nil
			}
		case xml.StartElement, xml.EndElement:
			return token, nil
		case xml.Directive:
			return nil, r.errorf("a directive, which no model has")
		}
	}
}

// element returns the start of the next element, nil at the end of the one that holds it.
func (r *ranklibReader) element() (*xml.StartElement, error) {
	token, err := r.token()
	if err != nil {
		return nil, err
	}
	switch t := token.(type) {
	case xml.StartElement:
		t = t.Copy()
		return &t, nil
	case xml.CharData:
		return nil, r.errorf("%q where an element should stand", text.Excerpt(strings.TrimSpace(string(t))))
	}
	return nil, nil
}

// want returns the start of the next element, which is of this name.
func (r *ranklibReader) want(name string) (*xml.StartElement, error) {
	e, err := r.element()
	switch {
	case err != nil:
		return nil, err
	case e == nil:
		return nil, r.errorf("an element ends where <%s> should stand", name)
	case e.Name.Local != name:
		return nil, r.errorf("<%s> where <%s> should stand", text.Excerpt(e.Name.Local), name)
	}
	return e, nil
}

// end skips the end of an element.
func (r *ranklibReader) end() error {
	e, err := r.element()
	if err == nil && e != nil {
		err = r.errorf("<%s> where an element should end", text.Excerpt(e.Name.Local))
	}
	return err
}

// text returns the text of an element that has begun, and skips its end.
func (r *ranklibReader) text(name string) (string, error) {
	token, err := r.token()
	if err != nil {
		return "", err
	}
	content, ok := token.(xml.CharData)
	if !ok {
		return "", r.errorf("no text in <%s>", name)
	}
	s := strings.TrimSpace(string(content))
	return s, r.end()
}

// number returns the number in an element that has begun.
func (r *ranklibReader) number(name string) (float32, error) {
	s, err := r.text(name)
	if err != nil {
		return 0, err
	}
	v, err := parseFloat32(s)
	if err != nil {
		return 0, r.errorf("the %s is %q: %w", name, text.Excerpt(s), err)
	}
	return v, nil
}

// tree reads a tree that has begun.
func (r *ranklibReader) tree(e *xml.StartElement) (t lambdamart.Tree, err error) {
	weight, found := float32(0), false
	for _, a := range e.Attr {
		if a.Name.Local == "weight" {
			if weight, err = parseFloat32(strings.TrimSpace(a.Value)); err != nil {
				return t, r.errorf("the weight is %q: %w", text.Excerpt(a.Value), err)
			}
			found = true
		}
	}
	if !found {
		return t, r.errorf("a tree without a weight")
	}
	if _, err := r.want("split"); err != nil {
		return t, err
	}
	b := treeBuilder{noGains: true, noWeights: true, noCounts: true}
	if _, err := r.split(&b, float64(weight), 0); err != nil {
		return t, err
	}
	if err := r.end(); err != nil {
		return t, err
	}
	return b.tree()
}

// split reads a split that has begun, or a leaf, which is called so, too.
func (r *ranklibReader) split(b *treeBuilder, weight float64, depth int) (int32, error) {
	if depth > maxNesting {
		return 0, r.errorf("%w", errTooDeep)
	}
	e, err := r.element()
	switch {
	case err != nil:
		return 0, err
	case e == nil:
		return 0, r.errorf("a split without <output> or <feature>")
	case e.Name.Local == "output":
		v, err := r.number("output")
		if err != nil {
			return 0, err
		}
		// A product of two float32 is a float64.
		return b.leaf(nestedLeaf{id: int64(len(b.leaves)), value: weight * float64(v)}), r.end()
	case e.Name.Local != "feature":
		return 0, r.errorf("<%s> where <feature> or <output> should stand", text.Excerpt(e.Name.Local))
	}
	name, err := r.text("feature")
	if err != nil {
		return 0, err
	}
	if _, err := r.want("threshold"); err != nil {
		return 0, err
	}
	threshold, err := r.number("threshold")
	if err != nil {
		return 0, err
	}
	s := nestedSplit{id: int64(len(b.splits)), feature: r.features.number(name), threshold: threshold,
		missingLeft: threshold >= 0} // what is missing is 0
	at, err := b.node(s, "left", "right", func(side string) (int32, error) { // RankLib goes by the order
		e, err := r.want("split")
		if err != nil {
			return 0, err
		}
		for _, a := range e.Attr {
			if a.Name.Local == "pos" && a.Value != side {
				return 0, r.errorf("the split %q where the %s one should stand", text.Excerpt(a.Value), side)
			}
		}
		return r.split(b, weight, depth+1)
	})
	if err != nil {
		return 0, err
	}
	return at, r.end()
}

// appendRankLib appends the model. RankLib's feature 1 is the first.
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
			return nil, fmt.Errorf("model: tree %d, %w", i, err)
		}
		b = fmt.Appendf(b, "\t<tree id=\"%d\" weight=\"1.0\">\n\t\t<split>\n", i+1)
		b = t.appendRankLib(b, t.root(), "\t\t\t")
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

// javaFloat writes a number that Float.parseFloat of Java reads.
func javaFloat(v float32) string {
	switch {
	case math.IsInf(float64(v), 1):
		return "Infinity"
	case math.IsInf(float64(v), -1):
		return "-Infinity"
	}
	return strconv.FormatFloat(float64(v), 'g', -1, 32)
}
