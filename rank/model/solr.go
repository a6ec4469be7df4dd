package model

import (
	"bufio"
	"fmt"
	"math"
	"strconv"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/modelfile"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

// This file reads and writes Solr's MultipleAdditiveTreesModel (modules/ltr of Solr 7 to 9). The
// format is JSON in which numbers are strings. A split sends x ≤ threshold + 10⁻⁶ left, with all
// three in float32, and sends NaN right. A score is the sum of weight times value over the trees,
// in float32.

// solrSlack is the value that Solr adds to thresholds.
const solrSlack = float32(1e-6)

// solrModel returns the model in a file. Solr also stores models in lists: in the response of
// /schema/model-store and in the file _schema_model-store.json.
func solrModel(doc modelfile.Node) modelfile.Node {
	list := doc.Optional("models")
	if list.IsAbsent() {
		list = doc.Optional("managedList")
	}
	if list.IsAbsent() {
		return doc
	}
	if n := list.Len(); n != 1 {
		list.Failf("found %d models: the file must contain one", n)
	}
	for _, m := range list.List() {
		if class := m.Get("class").Text(); class != string(modelfile.SolrTrees) {
			m.Failf("a Solr model of class %q is not supported: the class must be %s", text.Excerpt(class), modelfile.SolrTrees)
		}
		doc = m
	}
	return doc
}

func readSolr(doc modelfile.Node) (*lambdamart.Model, error) {
	doc = solrModel(doc)
	doc.Only("class", "name", "store", "features", "params")
	list := doc.Get("features")
	if list.Len() > modelfile.MaxFeatures {
		doc.Failf("the model contains %d features: the limit is %d", list.Len(), modelfile.MaxFeatures)
	}
	var features solrFeatures
	for i, n := range list.List() {
		if !n.Optional("name").IsText(appendSolrName(nil, nil, i)) {
			features.named = true
			break
		}
		features.count++
	}
	for _, n := range list.List() {
		if doc.Err() != nil {
			break
		}
		// Solr writes a norm without effect for features that have no norm.
		class, _ := n.Optional("norm").Get("class").IfText()
		if n.Has("norm") && class != "org.apache.solr.ltr.norm.IdentityNormalizer" {
			n.Failf("normalized features are not supported: normalize the data and train on them instead")
		}
		n.Only("name", "norm", "store")
		if !features.named {
			continue
		}
		name := n.Get("name").Text()
		if _, again := features.at[name]; again {
			n.Failf("feature %q appears twice", text.Excerpt(name))
		}
		if !n.Hold("the feature names", settingBytes+int64(len(name))) {
			break
		}
		features.number(name)
	}
	if features.named {
		features.count = len(features.names)
	}
	params := doc.Get("params")
	params.Only("trees")
	m := &lambdamart.Model{NumFeatures: features.count, FeatureNames: features.names}
	appendTrees(m, params.Get("trees"), func(_ int, n modelfile.Node) lambdamart.Tree {
		n.Only("weight", "root")
		weight := n.Get("weight").Number32()
		b := treeBuilder{noGains: true, noWeights: true, noCounts: true}
		b.solrNode(n.Get("root"), &features, weight)
		return b.treeOf(n)
	})
	return m, doc.Err()
}

// solrFeatures are the features of a model. named is false if all names are default names, which
// are not stored.
type solrFeatures struct {
	featureList
	named bool
	count int
}

// find returns the position of a feature.
func (f *solrFeatures) find(name string) (place int32, known bool) {
	if f.named {
		place, known = f.at[name]
		return place, known
	}
	n, err := strconv.Atoi(name)
	if err != nil || n < 1 || n > f.count || strconv.Itoa(n) != name {
		return 0, false
	}
	return int32(n - 1), true
}

// solrNode reads a node and the nodes below it.
func (b *treeBuilder) solrNode(n modelfile.Node, features *solrFeatures, weight float32) int32 {
	if !n.Has("feature") {
		n.Only("value")
		value := n.Get("value").Number32()
		return b.leaf(nestedLeaf{id: int64(len(b.leaves)), value: float64(weight * value)})
	}
	n.Only("feature", "threshold", "left", "right")
	feature, known := features.find(n.Get("feature").Text())
	if !known { // Solr scores a node with an unknown feature as 0
		return b.leaf(nestedLeaf{id: int64(len(b.leaves))})
	}
	s := nestedSplit{id: int64(len(b.splits)), feature: feature,
		threshold: n.Get("threshold").Number32() + solrSlack}
	return b.node(s, "left", "right", func(key string) int32 { return b.solrNode(n.Get(key), features, weight) })
}

// solrThreshold returns the number to write so that Solr computes the threshold t from it. If no
// float32 has this property, it returns the number for the nearest threshold that sends 0 the same
// way as t.
func solrThreshold(t float32) float32 {
	// ordered maps the bits of float32 to integers in the same order.
	ordered := func(v int32) int32 {
		if v < 0 {
			v ^= math.MaxInt32
		}
		return v
	}
	number := func(key int32) float32 { return math.Float32frombits(uint32(ordered(key))) }
	lo := ordered(int32(math.Float32bits(float32(math.Inf(-1)))))
	hi := ordered(int32(math.Float32bits(float32(math.Inf(1)))))
	for lo < hi { // find the first number whose sum is at least t
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

// appendSolrName appends the name of a feature, or its default name if the model has no names.
func appendSolrName(b []byte, names []string, feature int) []byte {
	if names != nil {
		return append(b, names[feature]...)
	}
	return strconv.AppendInt(b, int64(feature)+1, 10)
}

// writeSolr writes the model in Solr's format.
func writeSolr(w *bufio.Writer, m *lambdamart.Model) error {
	names := m.FeatureNames
	seen := make(map[string]int, len(names))
	for j, name := range names {
		if k, again := seen[name]; again {
			return errs.Errorf("model", "features %d and %d are both named %s, which Solr cannot distinguish", k, j,
				name)
		}
		seen[name] = j
	}
	trees, err := biased(m)
	if err != nil {
		return err
	}
	var list []byte
	for i := range trees {
		t := &trees[i]
		if err := t.plain("Solr's format", false); err != nil {
			return errs.Errorf("model", "tree %d, %w", i, err)
		}
		if i > 0 {
			list = append(list, ',')
		}
		list = t.appendSolr(append(list, "\n{\"weight\":\"1\",\"root\":"...), t.root, names)
		list = append(list, '}')
	}
	fmt.Fprintf(w, `{"class":%q,"name":"simdrank","features":[`, modelfile.SolrTrees)
	var name []byte
	writeFeatures(w, m.NumFeatures, ',', func(b []byte, j int) []byte {
		name = appendSolrName(name[:0], names, j)
		return append(text.AppendQuoted(append(b, `{"name":`...), string(name)), '}')
	})
	w.WriteString(`],"params":{"trees":[`)
	w.Write(list)
	w.WriteString("]}}\n")
	return nil
}

func (t *tree) appendSolr(b []byte, node int32, names []string) []byte {
	if node < 0 {
		return fmt.Appendf(b, `{"value":"%s"}`, javaFloat(float32(t.Leaf[^node])))
	}
	b = text.AppendQuoted(append(b, `{"feature":`...), string(appendSolrName(nil, names, int(t.Feature[node]))))
	b = fmt.Appendf(b, `,"threshold":"%s","left":`, javaFloat(solrThreshold(t.Threshold[node])))
	b = t.appendSolr(b, t.Left[node], names)
	b = t.appendSolr(append(b, `,"right":`...), t.Right[node], names)
	return append(b, '}')
}
