package model

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/simdrank/simdrank/internal/modelfile"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

// Solr's MultipleAdditiveTreesModel (modules/ltr of Solr 7 to 9): JSON whose numbers are strings. A
// split sends x ≤ threshold + 10⁻⁶ left, all of them float32, and NaN right. A score is the sum
// over trees of weight times value, in float32.

// solrSlack is what Solr adds to thresholds.
const solrSlack = float32(1e-6)

func readSolr(doc modelfile.Node) (*lambdamart.Model, error) {
	if err := doc.Only("class", "name", "store", "features", "params"); err != nil {
		return nil, err
	}
	list, err := modelfile.Required(doc, "features", modelfile.Node.List)
	if err != nil {
		return nil, err
	}
	if len(list) > modelfile.MaxFeatures {
		return nil, doc.Errorf("%d features, want no more than %d", len(list), modelfile.MaxFeatures)
	}
	var features featureList
	for _, n := range list {
		if n.Has("norm") { // Solr shows one that does nothing of all features without
			class, err := n.At("norm", "class")
			if err != nil {
				return nil, err
			}
			if class.Value != "org.apache.solr.ltr.norm.IdentityNormalizer" {
				return nil, n.Errorf("a normalized feature: normalize data and train on them instead")
			}
		}
		if err := n.Only("name", "norm", "store"); err != nil {
			return nil, err
		}
		name, err := modelfile.Required(n, "name", modelfile.Node.Text)
		if err != nil {
			return nil, err
		}
		if _, again := features.at[name]; again {
			return nil, n.Errorf("the feature %q is there twice", text.Excerpt(name))
		}
		features.number(name)
	}
	params, err := doc.Get("params")
	if err != nil {
		return nil, err
	}
	if err := params.Only("trees"); err != nil {
		return nil, err
	}
	trees, err := modelfile.Required(params, "trees", modelfile.Node.List)
	if err != nil {
		return nil, err
	}
	m := &lambdamart.Model{NumFeatures: len(features.names), FeatureNames: features.names,
		Trees: make([]lambdamart.Tree, len(trees))}
	if slices.Equal(m.FeatureNames, solrNames(m.NumFeatures)) {
		m.FeatureNames = nil
	}
	for i, n := range trees {
		if err := n.Only("weight", "root"); err != nil {
			return nil, err
		}
		weight, err := modelfile.Required(n, "weight", modelfile.Node.Number32)
		if err != nil {
			return nil, err
		}
		root, err := n.Get("root")
		if err != nil {
			return nil, err
		}
		b := treeBuilder{noGains: true, noWeights: true, noCounts: true}
		if _, err := b.solrNode(root, &features, weight); err != nil {
			return nil, err
		}
		if m.Trees[i], err = b.tree(); err != nil {
			return nil, n.Errorf("%w", err)
		}
	}
	return m, nil
}

// solrNode reads a node and what is below it.
func (b *treeBuilder) solrNode(n modelfile.Node, features *featureList, weight float32) (int32, error) {
	if !n.Has("feature") {
		if err := n.Only("value"); err != nil {
			return 0, err
		}
		value, err := modelfile.Required(n, "value", modelfile.Node.Number32)
		return b.leaf(nestedLeaf{id: int64(len(b.leaves)), value: float64(weight * value)}), err
	}
	if err := n.Only("feature", "threshold", "left", "right"); err != nil {
		return 0, err
	}
	name, err := modelfile.Required(n, "feature", modelfile.Node.Text)
	if err != nil {
		return 0, err
	}
	feature, known := features.at[name]
	if !known { // which Solr scores as 0
		return b.leaf(nestedLeaf{id: int64(len(b.leaves))}), nil
	}
	threshold, err := modelfile.Required(n, "threshold", modelfile.Node.Number32)
	if err != nil {
		return 0, err
	}
	s := nestedSplit{id: int64(len(b.splits)), feature: feature, threshold: threshold + solrSlack}
	return b.node(s, "left", "right", func(key string) (int32, error) {
		return modelfile.Required(n, key,
			func(n modelfile.Node) (int32, error) { return b.solrNode(n, features, weight) })
	})
}

// solrThreshold returns the number of which Solr makes a threshold: t or, because not every float32
// is such a sum, the nearest one that has 0 on the same side.
func solrThreshold(t float32) float32 {
	// The bits of float32, in their order.
	ordered := func(v int32) int32 {
		if v < 0 {
			v ^= math.MaxInt32
		}
		return v
	}
	number := func(key int32) float32 { return math.Float32frombits(uint32(ordered(key))) }
	lo := ordered(int32(math.Float32bits(float32(math.Inf(-1)))))
	hi := ordered(int32(math.Float32bits(float32(math.Inf(1)))))
	for lo < hi { // the first whose sum is not below t
		mid := int32((int64(lo) + int64(hi)) >> 1)
		if number(mid)+solrSlack >= t {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	above, below := number(lo)+solrSlack, number(lo-1)+solrSlack
	nearer := above > t && float64(t)-float64(below) < float64(above)-float64(t)
	if t < 0 && (above >= 0 || nearer) || below >= 0 && nearer {
		lo--
	}
	return number(lo)
}

// solrNames are the names of features that have none.
func solrNames(features int) []string {
	names := make([]string, features)
	for j := range names {
		names[j] = strconv.Itoa(j + 1)
	}
	return names
}

// appendSolr appends the model.
func appendSolr(m *lambdamart.Model, b []byte) ([]byte, error) {
	names := m.FeatureNames
	if names == nil {
		names = solrNames(m.NumFeatures)
	}
	seen := make(map[string]int, len(names))
	for j, name := range names {
		if k, again := seen[name]; again {
			return nil, fmt.Errorf("model: features %d and %d are both named %s, which Solr cannot tell apart", k, j,
				name)
		}
		seen[name] = j
	}
	b = append(b, `{"class":"`+modelfile.SolrTrees+`","name":"simdrank","features":`...)
	b = modelfile.AppendList(b, names, func(b []byte, name string) []byte {
		return append(text.AppendQuoted(append(b, `{"name":`...), name), '}')
	})
	b = append(b, `,"params":{"trees":[`...)
	trees, err := biased(m)
	if err != nil {
		return nil, err
	}
	for i := range trees {
		t := &trees[i]
		if err := t.plain("Solr's format", false); err != nil {
			return nil, fmt.Errorf("model: tree %d, %w", i, err)
		}
		if i > 0 {
			b = append(b, ',')
		}
		b = t.appendSolr(append(b, "\n{\"weight\":\"1\",\"root\":"...), t.root(), names)
		b = append(b, '}')
	}
	return append(b, "]}}\n"...), nil
}

func (t *tree) appendSolr(b []byte, node int32, names []string) []byte {
	if node < 0 {
		return fmt.Appendf(b, `{"value":"%s"}`, javaFloat(float32(t.Leaf[^node])))
	}
	b = text.AppendQuoted(append(b, `{"feature":`...), names[t.Feature[node]])
	b = fmt.Appendf(b, `,"threshold":"%s","left":`, javaFloat(solrThreshold(t.Threshold[node])))
	b = t.appendSolr(b, t.Left[node], names)
	b = t.appendSolr(append(b, `,"right":`...), t.Right[node], names)
	return append(b, '}')
}
