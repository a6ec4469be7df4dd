package model

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"unsafe"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/files"
	"github.com/simdrank/simdrank/internal/modelfile"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

// This file reads ONNX models (onnx/onnx-ml.proto of ONNX 1.23). The graph must contain one
// operator of versions 1 to 5 of the domain ai.onnx.ml (docs/Operators-ml.md): a tree ensemble or a
// linear regressor. Other operators may follow if they do not change the scores.

// These are field numbers of the messages in onnx-ml.proto.
const (
	onnxModelVersion   = 1 // ir_version
	onnxModelProducer  = 2
	onnxModelGraph     = 7
	onnxModelOperators = 8 // opset_import

	onnxOperatorsDomain  = 1
	onnxOperatorsVersion = 2

	onnxGraphNode   = 1
	onnxGraphName   = 2
	onnxGraphInput  = 11
	onnxGraphOutput = 12

	onnxNodeInput     = 1
	onnxNodeOutput    = 2
	onnxNodeOperator  = 4
	onnxNodeAttribute = 5
	onnxNodeDomain    = 7

	onnxAttributeName   = 1
	onnxAttributeFloat  = 2
	onnxAttributeInt    = 3
	onnxAttributeText   = 4
	onnxAttributeTensor = 5
	onnxAttributeFloats = 7
	onnxAttributeInts   = 8
	onnxAttributeTexts  = 9
	onnxAttributeType   = 20

	onnxTensorType    = 2
	onnxTensorFloats  = 4
	onnxTensorRaw     = 9
	onnxTensorDoubles = 10

	onnxValueName       = 1
	onnxValueType       = 2
	onnxTypeTensor      = 1
	onnxTensorElement   = 1
	onnxTensorShape     = 2
	onnxShapeDimension  = 1
	onnxDimensionValue  = 1
	onnxDimensionLetter = 2
)

// These are element types of tensors in onnx-ml.proto.
const (
	onnxFloat  = 1
	onnxDouble = 11
)

const onnxDomain = "ai.onnx.ml"

// An onnxReader reads the operator of a model.
type onnxReader struct {
	protobuf
	sets       *setMemory
	where      string // describes the operator in errors
	features   int64  // number of features according to the graph's input, or 0
	attributes map[string]message
}

// An onnxNode is an operator with the names of its inputs and outputs.
type onnxNode struct {
	message
	operator, domain string
	inputs, outputs  []string
}

// readONNX reads a linear model or a tree model.
func readONNX(content []byte, budget *files.Budget) (rank.Model, error) {
	r := &onnxReader{protobuf: protobuf{budget: budget}, sets: &setMemory{Budget: budget}}
	m := r.model(message{data: content})
	if r.sets.err != nil {
		r.err = r.sets.err
	}
	if trees, ok := m.(*lambdamart.Model); ok && r.err == nil {
		r.err = trees.Validate()
	}
	if r.err != nil {
		return nil, errs.Op("model", r.err)
	}
	return m, nil
}

func (r *onnxReader) model(file message) rank.Model {
	for o := range r.contents(file, onnxModelOperators) {
		if v := r.whole(o, onnxOperatorsVersion); r.text(o, onnxOperatorsDomain) == onnxDomain && (v < 1 || v > 5) {
			r.fail(fmt.Errorf("version %d of the operators %s is not supported; it must be from 1 to 5", v, onnxDomain))
		}
	}
	graph := r.content(file, onnxModelGraph)
	node := r.operator(graph)
	r.readInput(graph, node)
	r.readAttributes(node)
	switch {
	case r.err != nil:
		return nil
	case node.operator == "LinearRegressor":
		return r.linear()
	}
	return r.trees(node.operator == "TreeEnsembleClassifier")
}

// failf records an error about the operator.
func (r *onnxReader) failf(format string, args ...any) {
	r.fail(fmt.Errorf("%s: %w", r.where, fmt.Errorf(format, args...)))
}

// operator returns the operator that computes the scores. It fails if the graph changes the scores
// or the features.
func (r *onnxReader) operator(graph message) (found onnxNode) {
	i := 0
	scores := map[string]bool{}
	for m := range r.contents(graph, onnxGraphNode) {
		node := r.node(m)
		r.where = fmt.Sprintf("graph.node[%d], %s", i, text.Excerpt(node.operator))
		i++
		switch node.operator {
		case "TreeEnsembleRegressor", "TreeEnsembleClassifier", "LinearRegressor":
			at := 0
			if node.operator == "TreeEnsembleClassifier" {
				at = 1 // output 0 is the label
			}
			switch {
			case found.operator != "":
				r.failf("models with several ensembles are not supported")
			case node.domain != onnxDomain:
				r.failf("the domain is %q; it must be %s", text.Excerpt(node.domain), onnxDomain)
			case len(node.inputs) != 1 || len(node.outputs) <= at:
				r.failf("found %d inputs and %d outputs, expected one input and the scores", len(node.inputs), len(node.outputs))
			default:
				found, scores[node.outputs[at]] = node, true
			}
		case "Identity", "ZipMap", "Cast": // classifiers apply Cast to labels too
			if r.keepsScores(node) && len(node.inputs) == 1 && scores[node.inputs[0]] {
				for _, name := range node.outputs {
					scores[name] = true
				}
			}
		case "TreeEnsemble":
			r.failf("the operator is not supported: export the model with opset 3 of %s, which uses TreeEnsembleRegressor",
				onnxDomain)
		default:
			r.failf("the operator is not supported: the model must be a TreeEnsembleRegressor, TreeEnsembleClassifier or " +
				"LinearRegressor that reads the features themselves")
		}
		if r.err != nil {
			return found
		}
	}
	if found.operator == "" {
		r.fail(errors.New("the ONNX graph does not contain a TreeEnsembleRegressor, TreeEnsembleClassifier or " +
			"LinearRegressor"))
		return found
	}
	r.where = "the operator " + found.operator
	for output := range r.contents(graph, onnxGraphOutput) {
		if scores[r.text(output, onnxValueName)] {
			return found
		}
	}
	r.failf("the outputs of the graph must contain its scores")
	return found
}

// keepsScores reports whether an operator returns its input unchanged. Cast changes scores unless
// it converts to float or double.
func (r *onnxReader) keepsScores(node onnxNode) bool {
	if node.operator != "Cast" {
		return true
	}
	for a := range r.contents(node.message, onnxNodeAttribute) {
		if to := r.whole(a, onnxAttributeInt); r.text(a, onnxAttributeName) == "to" {
			return to == onnxFloat || to == onnxDouble
		}
	}
	return false
}

func (r *onnxReader) node(m message) onnxNode {
	texts := func(number int) (list []string) {
		for c := range r.contents(m, number) {
			if !r.hold("the names", int64(unsafe.Sizeof(""))+int64(len(c.data))) {
				return nil
			}
			list = append(list, string(c.data))
		}
		return list
	}
	return onnxNode{message: m, operator: r.text(m, onnxNodeOperator), domain: r.text(m, onnxNodeDomain),
		inputs: texts(onnxNodeInput), outputs: texts(onnxNodeOutput)}
}

// readInput reads the number of features, and fails unless the operator reads the input of the
// graph.
func (r *onnxReader) readInput(graph message, node onnxNode) {
	if r.err != nil {
		return
	}
	found := false
	for v := range r.contents(graph, onnxGraphInput) {
		if r.text(v, onnxValueName) != node.inputs[0] {
			continue
		}
		found = true
		shape := r.content(r.content(r.content(v, onnxValueType), onnxTypeTensor), onnxTensorShape)
		for d := range r.contents(shape, onnxShapeDimension) {
			r.features = r.whole(d, onnxDimensionValue) // keep the last dimension; its value is 0 if it is not fixed
		}
	}
	switch {
	case !found:
		r.failf("the operator reads %q, which is not an input of the graph; it must read the features themselves",
			text.Excerpt(node.inputs[0]))
	case r.features < 0 || r.features > modelfile.MaxFeatures:
		r.failf("the input has %d features; the number must be from 0 to %d", r.features, modelfile.MaxFeatures)
	}
}

func (r *onnxReader) readAttributes(node onnxNode) {
	r.attributes = map[string]message{}
	known := onnxAttributes[node.operator]
	for a := range r.contents(node.message, onnxNodeAttribute) {
		name := r.text(a, onnxAttributeName)
		switch _, again := r.attributes[name]; {
		case !slices.Contains(known, name):
			r.failf("unknown attribute %q", text.Excerpt(name))
		case again:
			r.failf("the attribute %s appears twice", name)
		}
		if r.err != nil {
			return
		}
		r.attributes[name] = a
	}
}

var onnxNodes = []string{"aggregate_function", "base_values", "base_values_as_tensor", "nodes_falsenodeids",
	"nodes_featureids", "nodes_hitrates", "nodes_hitrates_as_tensor", "nodes_missing_value_tracks_true", "nodes_modes",
	"nodes_nodeids", "nodes_treeids", "nodes_truenodeids", "nodes_values", "nodes_values_as_tensor", "post_transform"}

// onnxAttributes lists the attributes of each operator up to version 5.
var onnxAttributes = map[string][]string{
	"LinearRegressor": {"coefficients", "intercepts", "post_transform", "targets"},
	"TreeEnsembleRegressor": append([]string{"n_targets", "target_ids", "target_nodeids", "target_treeids",
		"target_weights", "target_weights_as_tensor"}, onnxNodes...),
	"TreeEnsembleClassifier": append([]string{"class_ids", "class_nodeids", "class_treeids", "class_weights",
		"class_weights_as_tensor", "classlabels_int64s", "classlabels_strings"}, onnxNodes...),
}

// number returns the value of a whole-number attribute, or missing if the attribute is absent.
func (r *onnxReader) number(name string, missing int64) int64 {
	if a, ok := r.attributes[name]; ok {
		return r.whole(a, onnxAttributeInt)
	}
	return missing
}

// word returns the value of a string attribute, or missing if the attribute is absent.
func (r *onnxReader) word(name, missing string) string {
	if a, ok := r.attributes[name]; ok {
		return r.text(a, onnxAttributeText)
	}
	return missing
}

// ints returns the values of an attribute that is a list of whole numbers.
func (r *onnxReader) ints(name string) []int64 {
	return numbersOf(r, r.attributes[name], onnxAttributeInts, wireVarint, func(v uint64) int64 { return int64(v) })
}

// floats returns the values of an attribute that is a list of float32, or a tensor of float32 or
// float64.
func (r *onnxReader) floats(name string) []float64 {
	list, isList := r.attributes[name]
	tensor, isTensor := r.attributes[name+"_as_tensor"]
	single := func(v uint64) float64 { return float64(math.Float32frombits(uint32(v))) }
	if isList || !isTensor {
		if isTensor {
			r.failf("%s and %s_as_tensor cannot be combined", name, name)
		}
		return numbersOf(r, list, onnxAttributeFloats, wireFixed32, single)
	}
	t := r.content(tensor, onnxAttributeTensor)
	// The raw bytes of a tensor have the same encoding as a packed list.
	switch kind := r.whole(t, onnxTensorType); kind {
	case onnxFloat:
		return append(numbersOf(r, t, onnxTensorFloats, wireFixed32, single),
			numbersOf(r, t, onnxTensorRaw, wireFixed32, single)...)
	case onnxDouble:
		return append(numbersOf(r, t, onnxTensorDoubles, wireFixed64, math.Float64frombits),
			numbersOf(r, t, onnxTensorRaw, wireFixed64, math.Float64frombits)...)
	default:
		r.failf("%s_as_tensor has the element type %d; it must be %d (float) or %d (double)", name, kind, onnxFloat,
			onnxDouble)
		return nil
	}
}

// numbersOf returns the converted numbers of a repeated field.
func numbersOf[T any](r *onnxReader, m message, number, wire int, convert func(uint64) T) []T {
	n := 0
	for range r.values(m, number, wire) {
		n++
	}
	if n == 0 || !r.hold("the arrays of the model", int64(n)*int64(unsafe.Sizeof(*new(T)))) {
		return nil
	}
	out := make([]T, 0, n)
	for v := range r.values(m, number, wire) {
		out = append(out, convert(v))
	}
	return out
}

// linear reads the attributes of LinearRegressor. A score is the sum of the products of features
// and coefficients, plus the intercept.
func (r *onnxReader) linear() *rank.Linear {
	m := &rank.Linear{Weights: r.floats("coefficients")}
	intercepts := r.floats("intercepts")
	switch transform := r.word("post_transform", "NONE"); {
	case transform != "NONE":
		r.failf("post_transform is %q; it must be NONE", text.Excerpt(transform))
	case r.number("targets", 1) != 1 || len(intercepts) > 1:
		r.failf("multi-output models are not supported")
	case len(m.Weights) > modelfile.MaxFeatures:
		r.failf("found %d coefficients: the limit is %d", len(m.Weights), modelfile.MaxFeatures)
	case r.features > 0 && r.features != int64(len(m.Weights)):
		r.failf("the number of coefficients is %d; it must be %d, one per feature", len(m.Weights), r.features)
	}
	if m.Weights == nil {
		m.Weights = []float64{}
	}
	for _, v := range intercepts {
		m.Intercept = v
	}
	if err := checkFinite(m); err != nil {
		r.failf("%w", err)
	}
	return m
}
