package model

import (
	"fmt"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

// This file writes ONNX models with version 3 of the ai.onnx.ml operators, which ONNX Runtime 1.15
// and later support. The input is a float32 matrix of features. The output is a column of scores.

const (
	onnxWrittenVersion   = 8 // version of the ONNX format (ir_version)
	onnxWrittenOperators = 3
)

// These are attribute types in onnx-ml.proto.
const (
	onnxInt    = 2
	onnxText   = 3
	onnxFloats = 6
	onnxInts   = 7
	onnxTexts  = 8
)

// appendONNXModel appends a model whose graph consists of one operator. node contains the
// operator's attributes.
func appendONNXModel(b []byte, operator string, features int, node []byte) []byte {
	value := func(name string, columns int) []byte {
		rows := appendContent(nil, onnxDimensionLetter, "n")
		shape := appendContent(nil, onnxShapeDimension, rows)
		shape = appendContent(shape, onnxShapeDimension, appendWhole(nil, onnxDimensionValue, int64(columns)))
		tensor := appendContent(appendWhole(nil, onnxTensorElement, onnxFloat), onnxTensorShape, shape)
		return appendContent(appendContent(nil, onnxValueName, name), onnxValueType,
			appendContent(nil, onnxTypeTensor, tensor))
	}
	const input, output = "features", "scores"
	node = appendContent(node, onnxNodeInput, input)
	node = appendContent(node, onnxNodeOutput, output)
	node = appendContent(node, onnxNodeOperator, operator)
	node = appendContent(node, onnxNodeDomain, onnxDomain)
	graph := appendContent(nil, onnxGraphNode, node)
	graph = appendContent(graph, onnxGraphName, "simdrank")
	graph = appendContent(graph, onnxGraphInput, value(input, features))
	graph = appendContent(graph, onnxGraphOutput, value(output, 1))

	b = appendWhole(b, onnxModelVersion, onnxWrittenVersion)
	b = appendContent(b, onnxModelProducer, "simdrank")
	b = appendContent(b, onnxModelGraph, graph)
	return appendContent(b, onnxModelOperators, appendWhole(appendContent(nil, onnxOperatorsDomain, onnxDomain),
		onnxOperatorsVersion, onnxWrittenOperators))
}

// appendAttribute appends an attribute of an operator. It calls add to append the value.
func appendAttribute(node []byte, name string, kind int64, add func(b []byte) []byte) []byte {
	a := add(appendContent(nil, onnxAttributeName, name))
	return appendContent(node, onnxNodeAttribute, appendWhole(a, onnxAttributeType, kind))
}

func appendInts(node []byte, name string, list []int64) []byte {
	return appendAttribute(node, name, onnxInts, func(b []byte) []byte {
		for _, v := range list {
			b = appendWhole(b, onnxAttributeInts, v)
		}
		return b
	})
}

func appendFloats(node []byte, name string, list []float32) []byte {
	return appendAttribute(node, name, onnxFloats, func(b []byte) []byte {
		for _, v := range list {
			b = appendFloat(b, onnxAttributeFloats, v)
		}
		return b
	})
}

func appendONNXLinear(m *rank.Linear, b []byte) ([]byte, error) {
	weights := make([]float32, len(m.Weights))
	for j, v := range m.Weights {
		if weights[j] = float32(v); !finite(float64(weights[j])) {
			return nil, errs.Errorf("model", "the weight of feature %d, %v, is too large for ONNX, which uses float32", j+1, v)
		}
	}
	intercept := float32(m.Intercept)
	if !finite(float64(intercept)) {
		return nil, errs.Errorf("model", "the intercept, %v, is too large for ONNX, which uses float32", m.Intercept)
	}
	node := appendFloats(nil, "coefficients", weights)
	node = appendFloats(node, "intercepts", []float32{intercept})
	return appendONNXModel(b, "LinearRegressor", len(weights), node), nil
}

// An onnxLists contains the attributes of TreeEnsembleRegressor, which are lists.
type onnxLists struct {
	tree, node, feature, yes, no, missing []int64 // one element per node
	value                                 []float32
	leafTree, leafNode                    []int64 // one element per leaf
	weight                                []float32
}

// add adds the nodes of tree i. Splits keep their numbers, and the numbers of leaves follow.
func (o *onnxLists) add(t *tree, i int) {
	splits := len(t.Feature)
	id := func(node int32) int64 {
		if node < 0 {
			return int64(splits) + int64(^node)
		}
		return int64(node)
	}
	for s := range splits + len(t.Leaf) {
		o.tree, o.node = append(o.tree, int64(i)), append(o.node, int64(s))
		if s >= splits {
			o.feature, o.value, o.missing = append(o.feature, 0), append(o.value, 0), append(o.missing, 0)
			o.yes, o.no = append(o.yes, 0), append(o.no, 0)
			o.leafTree, o.leafNode = append(o.leafTree, int64(i)), append(o.leafNode, int64(s))
			o.weight = append(o.weight, float32(t.Leaf[s-splits]))
			continue
		}
		missing := int64(0)
		if t.MissingLeft[s] {
			missing = 1
		}
		o.feature, o.value = append(o.feature, int64(t.Feature[s])), append(o.value, t.Threshold[s])
		o.missing = append(o.missing, missing)
		o.yes, o.no = append(o.yes, id(t.Left[s])), append(o.no, id(t.Right[s]))
	}
}

func appendONNX(m *lambdamart.Model, b []byte) ([]byte, error) {
	if err := knowsOrder(m, "ONNX"); err != nil {
		return nil, err
	}
	bias := float32(m.Bias)
	if !finite(float64(bias)) {
		return nil, errs.Errorf("model", "the bias, %v, is too large for ONNX, which uses float32", m.Bias)
	}
	unbiased := *m
	unbiased.Bias = 0
	trees, err := biased(&unbiased) // biased returns at least one tree, which ONNX Runtime requires
	if err != nil {
		return nil, err
	}
	var o onnxLists
	for i := range trees {
		if err := trees[i].simple("ONNX", false); err != nil {
			return nil, fmt.Errorf("tree %d, %w", i, err)
		}
		o.add(&trees[i], i)
	}
	node := appendFloats(nil, "base_values", []float32{bias})
	node = appendAttribute(node, "n_targets", onnxInt, func(b []byte) []byte {
		return appendWhole(b, onnxAttributeInt, 1)
	})
	node = appendInts(node, "nodes_falsenodeids", o.no)
	node = appendInts(node, "nodes_featureids", o.feature)
	node = appendInts(node, "nodes_missing_value_tracks_true", o.missing)
	node = appendAttribute(node, "nodes_modes", onnxTexts, func(b []byte) []byte {
		leaf := 0
		for i := range o.node {
			mode := onnxAtMost
			if leaf < len(o.leafNode) && o.leafTree[leaf] == o.tree[i] && o.leafNode[leaf] == o.node[i] {
				mode = onnxLeaf
				leaf++
			}
			b = appendContent(b, onnxAttributeTexts, onnxModes[mode])
		}
		return b
	})
	node = appendInts(node, "nodes_nodeids", o.node)
	node = appendInts(node, "nodes_treeids", o.tree)
	node = appendInts(node, "nodes_truenodeids", o.yes)
	node = appendFloats(node, "nodes_values", o.value)
	node = appendAttribute(node, "post_transform", onnxText, func(b []byte) []byte {
		return appendContent(b, onnxAttributeText, "NONE")
	})
	node = appendInts(node, "target_ids", make([]int64, len(o.weight)))
	node = appendInts(node, "target_nodeids", o.leafNode)
	node = appendInts(node, "target_treeids", o.leafTree)
	node = appendFloats(node, "target_weights", o.weight)
	return appendONNXModel(b, "TreeEnsembleRegressor", m.NumFeatures, node), nil
}
