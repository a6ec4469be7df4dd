package model

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/synth"
	"github.com/simdrank/simdrank/internal/testkit"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

// An onnxSource is a model with one operator that tests build. Attributes are lists of int,
// float32, float64 (in a tensor) or string, or single values of int or string.
type onnxSource struct {
	operator, domain string
	attributes       map[string]any
	fields           []byte   // more fields of the operator
	input            string   // of the operator
	features         int      // 0 for a number that is not fixed
	version          int64    // of the operators
	after            []string // operators that follow
	output           string   // of the graph; by default, the last result
}

// onnxStump returns a model with one split of the given mode and the value 2. The score is 10 if
// the comparison is true, and 20 otherwise.
func onnxStump(mode string) onnxSource {
	return onnxSource{operator: "TreeEnsembleRegressor", domain: onnxDomain, input: "X", features: 2, version: 3,
		attributes: map[string]any{
			"nodes_treeids": []int{0, 0, 0}, "nodes_nodeids": []int{0, 1, 2}, "nodes_featureids": []int{1, 0, 0},
			"nodes_modes": []string{mode, "LEAF", "LEAF"}, "nodes_values": []float32{2, 0, 0},
			"nodes_truenodeids": []int{1, 0, 0}, "nodes_falsenodeids": []int{2, 0, 0},
			"target_treeids": []int{0, 0}, "target_nodeids": []int{1, 2}, "target_ids": []int{0, 0},
			"target_weights": []float32{10, 20}, "n_targets": 1, "post_transform": "NONE"}}
}

// onnxWith returns the model of onnxStump with another attribute. If name is empty, the operator
// gets more fields instead.
func onnxWith(name string, value any) string {
	o := onnxStump("BRANCH_LEQ")
	if o.attributes[name] = value; name == "" {
		delete(o.attributes, name)
		o.fields = value.(message).data
	}
	return string(o.bytes())
}

func (o onnxSource) bytes() []byte {
	node := slices.Clone(o.fields)
	for _, name := range slices.Sorted(func(yield func(string) bool) {
		for name := range o.attributes {
			if !yield(name) {
				return
			}
		}
	}) {
		node = appendAttribute(node, name, 0, func(b []byte) []byte { return appendAny(b, o.attributes[name]) })
	}
	last := "S0"
	node = appendContent(appendContent(node, onnxNodeInput, o.input), onnxNodeOperator, o.operator)
	node = appendContent(node, onnxNodeDomain, o.domain)
	if o.operator == "TreeEnsembleClassifier" {
		node = appendContent(node, onnxNodeOutput, "label")
	}
	node = appendContent(node, onnxNodeOutput, last)
	graph := appendContent(nil, onnxGraphNode, node)
	for i, name := range o.after {
		node = appendContent(appendContent(nil, onnxNodeInput, last), onnxNodeOperator, name)
		if name == "Cast" { // to int64
			node = appendAttribute(node, "to", 0, func(b []byte) []byte { return appendAny(b, 7) })
		}
		last = fmt.Sprint("S", i+1)
		graph = appendContent(graph, onnxGraphNode, appendContent(node, onnxNodeOutput, last))
	}
	if o.output != "" {
		last = o.output
	}
	dimensions := appendContent(nil, onnxShapeDimension, "")
	dimensions = appendContent(dimensions, onnxShapeDimension, appendWhole(nil, onnxDimensionValue, int64(o.features)))
	value := appendContent(appendContent(nil, onnxValueName, "X"), onnxValueType,
		appendContent(nil, onnxTypeTensor, appendContent(nil, onnxTensorShape, dimensions)))
	graph = appendContent(graph, onnxGraphInput, value)
	graph = appendContent(graph, onnxGraphOutput, appendContent(nil, onnxValueName, last))
	b := appendContent(appendWhole(nil, onnxModelVersion, 8), onnxModelGraph, graph)
	return appendContent(b, onnxModelOperators, appendWhole(appendContent(nil, onnxOperatorsDomain, onnxDomain),
		onnxOperatorsVersion, o.version))
}

func appendAny(b []byte, v any) []byte {
	switch v := v.(type) {
	case int:
		return appendWhole(b, onnxAttributeInt, int64(v))
	case string:
		return appendContent(b, onnxAttributeText, v)
	case []int:
		for _, v := range v {
			b = appendWhole(b, onnxAttributeInts, int64(v))
		}
	case []float32:
		for _, v := range v {
			b = appendFloat(b, onnxAttributeFloats, v)
		}
	case []string:
		for _, v := range v {
			b = appendContent(b, onnxAttributeTexts, v)
		}
	case []float64:
		var raw []byte
		for _, v := range v {
			raw = binary.LittleEndian.AppendUint64(raw, math.Float64bits(v))
		}
		b = appendContent(b, onnxAttributeTensor, appendContent(appendWhole(nil, onnxTensorType, onnxDouble),
			onnxTensorRaw, raw))
	case message: // as it is
		b = append(b, v.data...)
	}
	return b
}

// TestONNXModes checks what a split does with values around its threshold. TestExports compares the
// same modes with ONNX Runtime.
func TestONNXModes(t *testing.T) {
	below, above := math.Nextafter32(2, 0), math.Nextafter32(2, 3)
	for _, c := range []struct {
		mode    string
		tracks  int
		yes, no []float32
	}{
		{"BRANCH_LEQ", 0, []float32{below, 2}, []float32{above, inf32, nan32}},
		{"BRANCH_LEQ", 1, []float32{below, 2, nan32}, []float32{above}},
		{"BRANCH_LT", 0, []float32{below, -inf32}, []float32{2, above, nan32}},
		{"BRANCH_LT", 1, []float32{below, nan32}, []float32{2, above}},
		{"BRANCH_GTE", 0, []float32{2, above, inf32}, []float32{below, nan32}},
		{"BRANCH_GTE", 1, []float32{2, above, nan32}, []float32{below}},
		{"BRANCH_GT", 0, []float32{above}, []float32{below, 2, nan32}},
		{"BRANCH_GT", 1, []float32{above, nan32}, []float32{below, 2}},
		{"BRANCH_EQ", 0, []float32{2}, []float32{1, 3, -2, nan32}},
		{"BRANCH_EQ", 1, []float32{2, nan32}, []float32{1, 3}},
		{"BRANCH_NEQ", 0, []float32{1, 3, nan32}, []float32{2}},
		{"BRANCH_NEQ", 1, []float32{1, 3, nan32}, []float32{2}},
	} {
		t.Run(fmt.Sprint(c.mode, c.tracks), func(t *testing.T) {
			o := onnxStump(c.mode)
			o.attributes["nodes_missing_value_tracks_true"] = []int{c.tracks, 0, 0}
			m, err := Read(bytes.NewReader(o.bytes()))
			if err != nil {
				t.Fatal(err)
			}
			for _, v := range c.yes {
				if got := m.Score([]float32{0, v}); got != 10 {
					t.Errorf("%v scores %v, want 10", v, got)
				}
			}
			for _, v := range c.no {
				if got := m.Score([]float32{0, v}); got != 20 {
					t.Errorf("%v scores %v, want 20", v, got)
				}
			}
		})
	}
}

// TestONNXSets reads a chain of nodes for a set of categories, and one that is not a set.
func TestONNXSets(t *testing.T) {
	o := onnxStump("BRANCH_EQ")
	o.attributes = map[string]any{
		"nodes_treeids": []int{3, 3, 3, 3, 3}, "nodes_nodeids": []int{7, 1, 5, 4, 2},
		"nodes_featureids": []int{1, 1, 1, 0, 0},
		"nodes_modes":      []string{"BRANCH_EQ", "BRANCH_EQ", "BRANCH_EQ", "LEAF", "LEAF"},
		"nodes_values":     []float32{40, 2, 3, 0, 0}, "nodes_truenodeids": []int{4, 4, 4, 0, 0},
		"nodes_falsenodeids": []int{5, 2, 1, 0, 0}, "nodes_missing_value_tracks_true": []int{0, 1, 0, 0, 0},
		"target_treeids": []int{3, 3}, "target_nodeids": []int{2, 4}, "target_ids": []int{0, 0},
		"target_weights": []float64{.1, .2}, "base_values": []float64{1}, "aggregate_function": "AVERAGE"}
	for _, name := range []string{"target_weights", "base_values"} {
		o.attributes[name+"_as_tensor"] = o.attributes[name]
		delete(o.attributes, name)
	}
	m, err := read(bytes.NewReader(o.bytes()))
	if err != nil {
		t.Fatal(err)
	}
	if !m.Average || len(m.Trees[0].Feature) != 1 {
		t.Errorf("%+v", m)
	}
	for v, want := range map[float32]float64{2: 1.2, 3: 1.2, 40: 1.2, 1: 1.1, 41: 1.1, nan32: 1.2} {
		if got := m.Score([]float32{0, v}); got != want {
			t.Errorf("%v scores %v, want %v", v, got, want)
		}
	}
	for name, values := range map[string][]int{"nodes_featureids": {1, 0, 1, 0, 0},
		"nodes_falsenodeids": {5, 2, 7, 0, 0}} {
		t.Run(name, func(t *testing.T) {
			o.attributes[name] = values
			_, err := read(bytes.NewReader(o.bytes()))
			if err == nil || !strings.Contains(err.Error(), "is reached by two paths") {
				t.Errorf("error %v", err)
			}
		})
	}
}

// TestONNXErrors changes one part of a valid file.
func TestONNXErrors(t *testing.T) {
	cycle := []int{0, 0, 0}
	for _, c := range []struct {
		name   string
		change any // of the attribute, or a function
		err    string
	}{
		{"nodes_modes", []string{"BRANCH_MEMBER", "LEAF", "LEAF"},
			`TreeEnsembleRegressor: nodes_modes[0] is "BRANCH_MEMBER"`},
		{"nodes_modes", []string{"BRANCH_LEQ", "LEAF"}, "the number of nodes_modes is 2; it must be 3, one per node"},
		{"nodes_modes", []string{"BRANCH_LEQ", "LEAF", "LEAF", "LEAF"},
			"the number of nodes_modes exceeds the number of nodes, 3"},
		{"nodes_modes", []string{"LEAF", "LEAF", "LEAF"}, "leaf 0 of tree 0 has no weight"},
		{"nodes_values", []float32{2}, "the number of nodes_values is 1; it must be 3, one per node"},
		{"nodes_values", []float32{nan32, 0, 0}, "nodes_values[0] is NaN"},
		{"nodes_values", nil, "the number of nodes_values is 0; it must be 3, one per node"},
		{"nodes_featureids", []int{2, 0, 0}, "tree 0: split 0: feature 2 is out of range; it must be from 0 to 1"},
		{"nodes_featureids", []int{-1, 0, 0}, "nodes_featureids[0] is -1"},
		{"nodes_nodeids", []int{0, 1, 1}, "nodes_nodeids[2]: tree 0 has two nodes with the number 1"},
		{"nodes_treeids", []int{0, 1, 0}, "nodes_treeids[2]: the nodes of tree 0 must be consecutive"},
		{"nodes_treeids", []int{0, 0, 1}, "target_nodeids[1]: tree 0 has no node 2"},
		{"nodes_truenodeids", []int{3, 0, 0}, "nodes_truenodeids[0] is 3, but tree 0 contains no node with this ID"},
		{"nodes_truenodeids", []int{2, 0, 0}, "tree 0: node 2 is reached by two paths"},
		{"nodes_truenodeids", cycle, "tree 0: node 0 is reached by two paths"},
		{"nodes_missing_value_tracks_true", []int{1}, "the number of nodes_missing_value_tracks_true is 1; it must be 3, one per node"},
		{"target_nodeids", []int{1, 1}, "target_nodeids[1]: leaf 1 of tree 0 has two weights"},
		{"target_nodeids", []int{0, 1}, "target_nodeids[0]: node 0 of tree 0 has a weight, but it is not a leaf"},
		{"target_nodeids", []int{1}, "found 2 target_treeids, 1 target_nodeids and 2 target_ids for 2 weights"},
		{"target_ids", []int{0, 1}, "target_ids[1] is 1: multi-output"},
		{"n_targets", 2, "n_targets is 2: multi-output"},
		{"base_values", []float32{1, 2}, "found 2 base_values: multi-output"},
		{"base_values", []float32{nan32}, "bias is NaN"},
		{"aggregate_function", "MAX", `aggregate_function is "MAX"; it must be SUM or AVERAGE`},
		{"post_transform", "PROBIT", `post_transform is "PROBIT"; it must be NONE or LOGISTIC`},
		{"nodes_values_as_tensor", []float64{1}, "nodes_values and nodes_values_as_tensor cannot be combined"},
		{"new", 1, `unknown attribute "new"`},
		{"nodes_values", message{data: appendWhole(nil, onnxAttributeFloats, 1)},
			"field 7 of the message has the wire type 0"},
		{"nodes_values", message{data: []byte{7<<3 | 2, 3, 0, 0, 0}}, "a number of 4 bytes is incomplete"},
		{"nodes_values", message{data: []byte{7<<3 | 3}}, "the wire type 3 is not supported"},
		{"nodes_treeids", message{data: append([]byte{8 << 3}, bytes.Repeat([]byte{0x80}, 10)...)},
			"a number is incomplete or too large"},
		{"nodes_treeids", message{data: []byte{0, 0}}, "the field number 0 is not valid"},
		{"nodes_treeids", message{data: []byte{8<<3 | 2, 100}}, "a field of 100 bytes exceeds its message"},
		{"", func(o *onnxSource) { o.operator = "TreeEnsemble" },
			"graph.node[0], TreeEnsemble: the operator is not supported: export the model with opset 3 of ai.onnx.ml"},
		{"", func(o *onnxSource) { o.operator = "MatMul" }, "graph.node[0], MatMul: the operator is not supported"},
		{"", func(o *onnxSource) { o.domain = "x" }, `the domain is "x"; it must be ai.onnx.ml`},
		{"", func(o *onnxSource) { o.version = 6 }, "version 6 of the operators ai.onnx.ml is not supported"},
		{"", func(o *onnxSource) { o.input = "Y" }, `the operator reads "Y", which is not an input of the graph`},
		{"", func(o *onnxSource) { o.output = "Y" }, "the outputs of the graph must contain its scores"},
		{"", func(o *onnxSource) { o.features = 1 << 25 }, "the input has 33554432 features"},
		{"", func(o *onnxSource) { o.after = []string{"Exp"} }, "graph.node[1], Exp: the operator is not supported"},
		{"", func(o *onnxSource) { o.after = []string{"Cast"} }, "the outputs of the graph must contain its scores"},
		{"", func(o *onnxSource) { o.after = []string{o.operator} },
			"graph.node[1], TreeEnsembleRegressor: models with several"},
	} {
		t.Run(c.name+c.err, func(t *testing.T) {
			o := onnxStump("BRANCH_LEQ")
			switch change := c.change.(type) {
			case func(o *onnxSource):
				change(&o)
			case nil:
				delete(o.attributes, c.name)
			default:
				o.attributes[c.name] = change
			}
			m, err := Read(bytes.NewReader(o.bytes()))
			if m != nil || err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("error %v, want %s", err, c.err)
			}
		})
	}
	text := onnxStump("BRANCH_LEQ").bytes()
	for n := 3; n < len(text); n++ {
		if _, err := Read(bytes.NewReader(text[:n])); err == nil && n < len(text)-16 { // without operators
			t.Fatalf("the first %d bytes are read", n)
		}
	}
}

// TestONNXGraphs reads graphs that keep the scores.
func TestONNXGraphs(t *testing.T) {
	classifier := func(o *onnxSource) {
		o.operator = "TreeEnsembleClassifier"
		o.attributes["post_transform"] = "LOGISTIC"
		o.attributes["classlabels_int64s"] = []int{0, 1}
		for _, name := range []string{"treeids", "nodeids", "ids", "weights"} {
			o.attributes["class_"+name] = o.attributes["target_"+name]
			delete(o.attributes, "target_"+name)
		}
		delete(o.attributes, "n_targets")
	}
	for name, c := range map[string]struct {
		change  func(o *onnxSource)
		sigmoid float64
		err     string
	}{
		"after":      {func(o *onnxSource) { o.after = []string{"Identity", "ZipMap", "Identity"} }, 0, ""},
		"no shape":   {func(o *onnxSource) { o.features = 0 }, 0, ""},
		"classifier": {classifier, 1, ""},
		"class 1":    {func(o *onnxSource) { classifier(o); o.attributes["class_ids"] = []int{1, 1} }, 1, ""},
		"texts": {func(o *onnxSource) {
			classifier(o)
			delete(o.attributes, "classlabels_int64s")
			o.attributes["classlabels_strings"] = []string{"no", "yes"}
		}, 1, ""},
		"two classes": {func(o *onnxSource) { classifier(o); o.attributes["class_ids"] = []int{0, 1} }, 0,
			"class_ids[1] is 1"},
		"classes": {func(o *onnxSource) { classifier(o); o.attributes["classlabels_int64s"] = []int{0, 1, 2} }, 0,
			"found 3 classes: classifiers must have two"},
		"logistic": {func(o *onnxSource) { o.attributes["post_transform"] = "LOGISTIC" }, 1, ""},
	} {
		t.Run(name, func(t *testing.T) {
			o := onnxStump("BRANCH_LEQ")
			c.change(&o)
			m, err := read(bytes.NewReader(o.bytes()))
			if c.err != "" {
				if err == nil || !strings.Contains(err.Error(), c.err) {
					t.Errorf("error %v, want %s", err, c.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if m.Sigmoid != c.sigmoid || m.NumFeatures != 2 || m.Score([]float32{0, 1}) != 10 ||
				m.Score([]float32{0, 3}) != 20 {
				t.Errorf("%+v", m)
			}
		})
	}
}

// TestONNXLinear reads and writes LinearRegressor.
func TestONNXLinear(t *testing.T) {
	for name, c := range map[string]struct {
		attributes map[string]any
		err        string
	}{
		"two targets":    {map[string]any{"targets": 2}, "multi-output models are not supported"},
		"two intercepts": {map[string]any{"intercepts": []float32{1, 2}}, "multi-output models are not supported"},
		"transform": {map[string]any{"post_transform": "LOGISTIC"},
			`post_transform is "LOGISTIC"; it must be NONE`},
		"NaN":          {map[string]any{"intercepts": []float32{nan32}}, "the intercept is NaN"},
		"features":     {map[string]any{"coefficients": []float32{1}}, "the number of coefficients is 1; it must be 2, one per feature"},
		"no intercept": {map[string]any{"post_transform": "NONE", "targets": 1}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			o := onnxSource{operator: "LinearRegressor", domain: onnxDomain, input: "X", features: 2, version: 1,
				attributes: map[string]any{"coefficients": []float32{1, -.5}}}
			for name, v := range c.attributes {
				o.attributes[name] = v
			}
			m, err := Read(bytes.NewReader(o.bytes()))
			if c.err != "" {
				if m != nil || err == nil || !strings.Contains(err.Error(), c.err) {
					t.Errorf("error %v, want %s", err, c.err)
				}
			} else if err != nil || m.Score([]float32{3, 4}) != 1 {
				t.Errorf("%+v, %v", m, err)
			}
		})
	}
	for _, m := range []*rank.Linear{{Weights: []float64{1e39}}, {Intercept: 1e39}} {
		t.Run(fmt.Sprint(m), func(t *testing.T) {
			err := Write(&bytes.Buffer{}, m, "onnx")
			if err == nil || !strings.Contains(err.Error(), "too large for ONNX, which uses float32") {
				t.Errorf("error %v", err)
			}
		})
	}
}

// TestONNXRefused writes models that ONNX cannot express.
func TestONNXRefused(t *testing.T) {
	for name, c := range map[string]struct {
		change func(m *lambdamart.Model)
		err    string
	}{
		"categories": {func(m *lambdamart.Model) { m.Trees[0].Categories = [][]uint32{{1}} },
			"tree 0, split 0 is categorical"},
		"zeros": {func(m *lambdamart.Model) { m.SetZeroMissing(true) }, "split 0 treats 0 as missing"},
		"bias": {func(m *lambdamart.Model) { m.Bias = 1e39 },
			"the bias, 1e+39, is too large for ONNX, which uses float32"},
		"leaf": {func(m *lambdamart.Model) { m.Trees[0].Leaf[1] = 1e39 },
			"the value of leaf 1, 1e+39, is too large for ONNX"},
		"order": {func(m *lambdamart.Model) { m.FeatureNames, m.UnknownOrder = []string{"a", "b"}, true },
			"feature names but not their order, which ONNX requires"},
	} {
		t.Run(name, func(t *testing.T) {
			m := stump()
			c.change(m)
			err := Write(&bytes.Buffer{}, m, "onnx")
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("error %v, want %s", err, c.err)
			}
		})
	}
}

// TestONNXPeer has ONNX Runtime score models that this package writes.
func TestONNXPeer(t *testing.T) {
	if testing.Short() {
		t.Skip("starting Python takes seconds")
	}
	if err := exec.Command("python3", "-c", "import onnxruntime").Run(); err != nil {
		t.Skipf("no ONNX Runtime: %v", err)
	}
	args := []string{"../../bench/peers/lambdamart/exports.py", "check"}
	add := func(name string, m rank.Model) {
		var model, rows, scores bytes.Buffer
		if err := Write(&model, m, "onnx"); err != nil {
			t.Fatal(err)
		}
		d := synth.TreeRows(rand.New(rand.NewPCG(7, 8)), 300, m.Features())
		for i := range d.Rows() {
			x := d.Row(i)
			for j, v := range x {
				if _, linear := m.(*rank.Linear); linear && (v != v || math.Abs(float64(v)) > 100) {
					x[j] = 3
				}
				fmt.Fprintf(&rows, "%v ", x[j])
			}
			rows.WriteByte('\n')
			fmt.Fprintln(&scores, m.Score(x))
		}
		dir := filepath.Join(t.TempDir(), name)
		if err := errors.Join(os.Mkdir(dir, 0o777),
			os.WriteFile(filepath.Join(dir, "model.onnx"), model.Bytes(), 0o666),
			os.WriteFile(filepath.Join(dir, "rows.txt"), rows.Bytes(), 0o666),
			os.WriteFile(filepath.Join(dir, "scores.txt"), scores.Bytes(), 0o666)); err != nil {
			t.Fatal(err)
		}
		args = append(args, dir)
	}
	for name, s := range map[string]testkit.Shape{
		"plain":   {Features: 7, Trees: 20, Leaves: 31},
		"missing": {Features: 20, Trees: 20, Leaves: 31, Missing: true},
		"stumps":  {Features: 5, Trees: 40, Leaves: 2, Missing: true},
		"leaves":  {Features: 3, Trees: 3, Leaves: 1},
	} {
		add(name, randomModel(rand.New(rand.NewPCG(7, 8)), s))
	}
	add("empty", &lambdamart.Model{NumFeatures: 2, Bias: .5})
	add("linear", &rank.Linear{Weights: []float64{1, -.25, .1}, Intercept: 3})
	out, err := exec.Command("python3", args...).CombinedOutput()
	if t.Logf("%s", out); err != nil {
		t.Error(err)
	}
}
