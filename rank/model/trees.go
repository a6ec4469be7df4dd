package model

import (
	"cmp"
	"io"
	"math"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/modelfile"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

// readTrees reads the content of a file of this kind. Its category sets may take so many bytes.
func readTrees(content []byte, kind modelfile.Kind, memoryLimit int64) (*lambdamart.Model, error) {
	sets := setMemory{limit: cmp.Or(memoryLimit, 1<<30)}
	m, err := parseTrees(content, kind, &sets)
	if err == nil {
		err = sets.check()
	}
	if err == nil {
		err = m.Validate()
	}
	if err != nil {
		return nil, errs.Wrap(err, "model")
	}
	return m, nil
}

// parseTrees reads a model that may not be valid.
func parseTrees(content []byte, kind modelfile.Kind, sets *setMemory) (*lambdamart.Model, error) {
	switch kind {
	case modelfile.TreesJSON:
		m := &lambdamart.Model{}
		if err := m.UnmarshalJSON(content); err != nil {
			return nil, err
		}
		for i := range m.Trees {
			for _, set := range m.Trees[i].Categories {
				sets.take(len(set))
			}
		}
		return m, nil
	case modelfile.LightGBM:
		return readLightGBM(content, sets)
	case modelfile.RankLib:
		return readRankLib(content)
	}
	parse := modelfile.ParseJSON
	if modelfile.IsUBJSON(content) {
		parse = modelfile.ParseUBJSON
	}
	doc, err := parse(content)
	if err != nil {
		return nil, err
	}
	switch kind {
	case modelfile.XGBoost:
		return readXGBoost(doc, sets)
	case modelfile.XGBoostDump:
		return readXGBoostDump(doc, sets)
	case modelfile.LightGBMDump:
		return readLightGBMDump(doc, sets)
	}
	return readSolr(doc)
}

// treeWriters append boosted trees to a file in a format.
var treeWriters = map[Format]func(m *lambdamart.Model, b []byte) ([]byte, error){
	FormatJSON: func(m *lambdamart.Model, b []byte) ([]byte, error) {
		text, err := m.MarshalJSON()
		return append(b, text...), err
	},
	FormatLightGBM:      func(m *lambdamart.Model, b []byte) ([]byte, error) { return appendLightGBM(m, b, "v4") },
	FormatLightGBMV3:    func(m *lambdamart.Model, b []byte) ([]byte, error) { return appendLightGBM(m, b, "v3") },
	FormatLightGBMDump:  appendLightGBMDump,
	FormatXGBoost:       appendXGBoost,
	FormatXGBoostUBJSON: appendXGBoostUBJSON,
	FormatXGBoostDump:   appendXGBoostDump,
	FormatRankLib:       appendRankLib,
	FormatSolr:          appendSolr,
}

func writeTrees(w io.Writer, m *lambdamart.Model, appendTo func(m *lambdamart.Model, b []byte) ([]byte, error)) error {
	if err := m.Validate(); err != nil {
		return errs.Wrap(err, "model")
	}
	text, err := appendTo(m, nil)
	if err != nil {
		return err
	}
	_, err = w.Write(text)
	return err
}

// A tree is one that is written, or compared.
type tree lambdamart.Tree

func treesOf(m *lambdamart.Model) []tree {
	trees := make([]tree, len(m.Trees))
	for i := range trees {
		trees[i] = tree(m.Trees[i])
	}
	return trees
}

// root returns the root of the tree: split 0, or else ^0, the only leaf.
func (t *tree) root() int32 {
	if len(t.Feature) == 0 {
		return ^0
	}
	return 0
}

func (t *tree) categorical(s int) bool { return len(t.Categories) > 0 && t.Categories[s] != nil }

func (t *tree) missingLeft(s int) bool { return len(t.MissingLeft) > 0 && t.MissingLeft[s] }

func (t *tree) zeroMissing(s int) bool { return len(t.ZeroMissing) > 0 && t.ZeroMissing[s] }

// holdsZero reports whether the set of split s holds the category 0.
func (t *tree) holdsZero(s int) bool { return len(t.Categories[s]) > 0 && t.Categories[s][0]&1 != 0 }

// valueLeft reports whether split s sends 0 left as a value.
func (t *tree) valueLeft(s int) bool {
	if t.categorical(s) {
		return t.holdsZero(s)
	}
	return t.Threshold[s] >= 0
}

// zeroLeft reports whether split s sends 0 left.
func (t *tree) zeroLeft(s int) bool {
	if t.zeroMissing(s) {
		return t.missingLeft(s)
	}
	return t.valueLeft(s)
}

// zeroMatters reports whether split s sends 0 one way as a value and the other way as missing.
func (t *tree) zeroMatters(s int) bool { return t.valueLeft(s) != t.missingLeft(s) }

func finite(v float64) bool { return math.Abs(v) <= math.MaxFloat64 }
