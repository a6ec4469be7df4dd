package model

import (
	"fmt"
	"math"
	"strconv"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/modelfile"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

// This file reads and writes XGBoost's JSON dump of a model (Booster.dump_model with
// dump_format="json"; JsonGenerator in src/tree/tree_model.cc of XGBoost 1.0 to 3.4). The dump is
// an array of trees, and contains neither base_score nor the number of features. The Elasticsearch
// Learning to Rank plugin reads the array as model/xgboost+json. The plugin also reads an object
// that contains the array as splits, together with the objective. OpenSearch supports
// missing_as_zero in addition.

// readXGBoostDump reads a model from XGBoost's dump.
func readXGBoostDump(doc modelfile.Node, sets *setMemory) (*lambdamart.Model, error) {
	m := &lambdamart.Model{UnknownZeros: true}
	list := doc
	missingAsZero := false // an option of OpenSearch
	if !doc.IsArray() {
		doc.Only("missing_as_zero", "objective", "splits")
		missingAsZero = doc.Optional("missing_as_zero").Bool()
		objective := doc.Optional("objective").Text()
		link, known := xgboostObjectives[objective]
		if !known && objective != "" {
			doc.Failf("unknown objective %q", text.Excerpt(objective))
		}
		m.Sigmoid = link.sigmoid()
		list = doc.Get("splits")
	}
	var features featureList
	appendTrees(m, list, func(_ int, n modelfile.Node) lambdamart.Tree {
		var b treeBuilder
		b.xgboostNode(n, &features, sets)
		b.noCounts = true
		t := b.treeOf(n)
		if missingAsZero && doc.Err() == nil {
			for s := range t.Feature {
				t.MissingLeft[s] = t.GoesLeft(s, 0)
			}
		}
		return t
	})
	m.UnknownZeros = !missingAsZero // if missingAsZero is true, missing values and 0 go the same way
	if err := doc.Err(); err != nil {
		return nil, err
	}
	return m, features.settle(m, "f", 0)
}

// xgboostNode reads a node and the nodes below it. It also returns the number that the node has in
// the file.
func (b *treeBuilder) xgboostNode(n modelfile.Node, features *featureList, sets *setMemory) (node int32, id int64) {
	id = count(n.Get("nodeid"))
	cover := optional(n, "cover", &b.noWeights).Number()
	if n.Has("leaf") {
		n.Only("nodeid", "leaf", "cover")
		return b.leaf(nestedLeaf{id: id, value: float64(n.Get("leaf").Number32()), weight: cover}), id
	}
	n.Only("nodeid", "depth", "split", "split_condition", "yes", "no", "missing", "gain", "cover", "children")
	name := n.Get("split").Text()
	if !n.Has("split_condition") {
		n.Failf("%s has no split_condition: indicator features (type i in a feature map) are not supported",
			text.Excerpt(name))
	}
	s := nestedSplit{id: id, feature: features.number(name), weight: cover,
		gain: optional(n, "gain", &b.noGains).Number()}
	if condition := n.Get("split_condition"); condition.IsArray() {
		s.categories = sets.of(condition.Ints(0, xgboostCategories-1))
	} else {
		t := condition.Number32()
		if t != t {
			condition.Failf("NaN")
		}
		s.threshold = math.Nextafter32(t, float32(math.Inf(-1))) // values below t go to yes
	}
	yes, no, missing := count(n.Get("yes")), count(n.Get("no")), count(n.Get("missing"))
	if missing != yes && missing != no {
		n.Failf("missing is %d; it must be one of the children %d and %d", missing, yes, no)
	}
	s.missingLeft = missing == yes
	at := b.split(s)
	children := n.Get("children")
	if k := children.Len(); k != 2 {
		n.Failf("the number of children is %d; it must be 2", k)
		return at, id
	}
	var below [2]int32
	var ids [2]int64
	for k, c := range children.List() {
		below[k], ids[k] = b.xgboostNode(c, features, sets)
	}
	switch {
	case ids == [2]int64{yes, no}:
	case ids == [2]int64{no, yes}:
		below[0], below[1] = below[1], below[0]
	default:
		n.Failf("the children are %d and %d; they must be %d (yes) and %d (no)", ids[0], ids[1], yes, no)
	}
	b.splits[at].left, b.splits[at].right = below[0], below[1]
	return at, id
}

// appendXGBoostDump appends the model in the format of XGBoost's dump. It omits training
// statistics, because Elasticsearch and OpenSearch reject nodes with gain or cover.
func appendXGBoostDump(m *lambdamart.Model, b []byte) ([]byte, error) {
	trees, err := biased(m)
	if err != nil {
		return nil, err
	}
	if err := checkXGBoostDumpNames(m); err != nil {
		return nil, err
	}
	b = append(b, '[')
	for i, t := range trees {
		if err := t.plain("XGBoost's dump", true); err != nil {
			return nil, errs.Errorf("model", "tree %d, %w", i, err)
		}
		if i > 0 {
			b = append(b, ',')
		}
		d := xgboostDump{tree: &t, names: m.FeatureNames}
		d.number()
		if b, err = d.append(append(b, '\n'), t.root, 0); err != nil {
			return nil, errs.Errorf("model", "tree %d, %w", i, err)
		}
	}
	return append(b, "\n]\n"...), nil
}

// checkXGBoostDumpNames returns an error if a reader of the dump could not identify the features by
// name. Two features must not have the same name. If all names have the form f0, f1 and so on, a
// reader treats them as positions.
func checkXGBoostDumpNames(m *lambdamart.Model) error {
	if m.FeatureNames == nil {
		return nil
	}
	var list featureList
	var features []int32 // feature of each name, by the name's number in list
	for i := range m.Trees {
		for _, f := range m.Trees[i].Feature {
			name := m.FeatureNames[f]
			at := list.number(name)
			if int(at) == len(features) {
				features = append(features, f)
			}
			if other := features[at]; other != f {
				return errs.Errorf("model", "features %d and %d are both named %q, which XGBoost's dump cannot distinguish",
					min(f, other), max(f, other), name)
			}
		}
	}
	places, err := list.places("f", 0)
	if err != nil {
		return errs.Op("model", err)
	}
	for i, place := range places {
		if f := features[i]; f != place {
			return errs.Errorf("model", "feature %d is named %q, which means feature %d in XGBoost's dump", f, list.names[i],
				place)
		}
	}
	return nil
}

// An xgboostDump writes a tree in XGBoost's dump format.
type xgboostDump struct {
	tree           *tree
	names          []string
	splits, leaves []int32 // numbers of the splits and leaves in the dump
}

// number numbers the nodes level by level, as XGBoost does.
func (d *xgboostDump) number() {
	t := d.tree
	d.splits, d.leaves = make([]int32, len(t.Feature)), make([]int32, len(t.Leaf))
	order := []int32{t.root}
	for n := 0; n < len(order); n++ {
		node := order[n]
		if node < 0 {
			d.leaves[^node] = int32(n)
			continue
		}
		d.splits[node] = int32(n)
		first, second := d.children(int(node))
		order = append(order, first, second)
	}
}

// children returns the children of a split in XGBoost's order. In XGBoost, the second child
// receives the categories of the set.
func (d *xgboostDump) children(s int) (first, second int32) {
	if d.tree.Categories[s] != nil {
		return d.tree.Right[s], d.tree.Left[s]
	}
	return d.tree.Left[s], d.tree.Right[s]
}

func (d *xgboostDump) id(node int32) int32 {
	if node < 0 {
		return d.leaves[^node]
	}
	return d.splits[node]
}

func (d *xgboostDump) append(b []byte, node int32, depth int) ([]byte, error) {
	t := d.tree
	if node < 0 {
		b = fmt.Appendf(b, `{"nodeid":%d,"leaf":`, d.id(node))
		return append(modelfile.AppendFloat32(b, float32(t.Leaf[^node])), '}'), nil
	}
	s := int(node)
	name := "f" + strconv.Itoa(int(t.Feature[s]))
	if d.names != nil {
		name = d.names[t.Feature[s]]
	}
	b = text.AppendQuoted(fmt.Appendf(b, `{"nodeid":%d,"depth":%d,"split":`, d.id(node), depth), name)
	b = append(b, `,"split_condition":`...)
	if t.Categories[s] != nil {
		list, err := t.xgboostCategoryList(s)
		if err != nil {
			return nil, err
		}
		b = modelfile.AppendList(b, list, modelfile.AppendInt)
	} else {
		b = modelfile.AppendFloat32(b, math.Nextafter32(t.Threshold[s], float32(math.Inf(1))))
	}
	missing := t.Right[s]
	if t.MissingLeft[s] {
		missing = t.Left[s]
	}
	b = fmt.Appendf(b, `,"yes":%d,"no":%d,"missing":%d`, d.id(t.Left[s]), d.id(t.Right[s]), d.id(missing))
	first, second := d.children(s)
	b, err := d.append(append(b, `,"children":[`...), first, depth+1)
	if err != nil {
		return nil, err
	}
	if b, err = d.append(append(b, ",\n"...), second, depth+1); err != nil {
		return nil, err
	}
	return append(b, ']', '}'), nil
}
