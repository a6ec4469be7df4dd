package model

import (
	"bufio"
	"io"
	"math"
	"unsafe"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/files"
	"github.com/simdrank/simdrank/internal/modelfile"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

// readTrees reads a tree model from the content of a file, which has the given kind.
func readTrees(content []byte, kind modelfile.Kind, budget *files.Budget) (*lambdamart.Model, error) {
	sets := setMemory{Budget: budget}
	m, err := parseTrees(content, kind, &sets)
	if sets.err != nil {
		err = sets.err
	}
	if err == nil && kind != modelfile.TreesJSON { // Unmarshal has validated this format
		err = m.Validate()
	}
	if err != nil {
		return nil, errs.Op("model", err)
	}
	return m, nil
}

// parseTrees parses a tree model, and does not validate most formats.
func parseTrees(content []byte, kind modelfile.Kind, sets *setMemory) (*lambdamart.Model, error) {
	switch kind {
	case modelfile.TreesJSON:
		// Unmarshal counts the bytes of the content again, in its own budget.
		return lambdamart.Unmarshal(content, sets.Options())
	case modelfile.LightGBM:
		return readLightGBM(content, sets)
	case modelfile.RankLib:
		return readRankLib(content, sets.Budget)
	}
	parse := modelfile.ParseJSON
	if modelfile.IsUBJSON(content) {
		parse = modelfile.ParseUBJSON
	}
	doc, err := parse(content, sets.Budget)
	if err != nil {
		return nil, err
	}
	switch kind {
	case modelfile.XGBoost:
		return readXGBoost(doc, sets)
	case modelfile.CatBoost:
		return readCatBoost(doc, sets)
	case modelfile.XGBoostDump:
		return readXGBoostDump(doc, sets)
	case modelfile.LightGBMDump:
		return readLightGBMDump(doc, sets)
	}
	return readSolr(doc)
}

// appendTrees appends a tree to the model for each node of the list. It calls read for each node
// until an error occurs.
func appendTrees(m *lambdamart.Model, list modelfile.Node, read func(i int, n modelfile.Node) lambdamart.Tree) {
	m.Trees = []lambdamart.Tree{}
	for i, n := range list.List() {
		if !n.Hold("the trees", int64(unsafe.Sizeof(lambdamart.Tree{}))) {
			return
		}
		if m.Trees = append(m.Trees, read(i, n)); n.Err() != nil {
			return
		}
	}
}

// A treeWriter writes a valid tree model in a format. If it returns an error, it has written
// nothing. Errors of w are returned by its Flush.
type treeWriter func(w *bufio.Writer, m *lambdamart.Model) error

// treeWriters contains the writer of each format except json.
var treeWriters = map[string]treeWriter{
	"lightgbm":      func(w *bufio.Writer, m *lambdamart.Model) error { return writeLightGBM(w, m, "v4") },
	"lightgbm-v3":   func(w *bufio.Writer, m *lambdamart.Model) error { return writeLightGBM(w, m, "v3") },
	"lightgbm-dump": writeLightGBMDump,
	"xgboost":       whole(appendXGBoost),
	"xgboost-ubj":   whole(appendXGBoostUBJSON),
	"xgboost-dump":  whole(appendXGBoostDump),
	"onnx":          whole(appendONNX),
	"ranklib":       whole(appendRankLib),
	"solr":          writeSolr,
}

// whole returns a writer that builds the file in memory.
func whole(appendTo func(m *lambdamart.Model, b []byte) ([]byte, error)) treeWriter {
	return func(w *bufio.Writer, m *lambdamart.Model) error {
		b, err := appendTo(m, nil)
		if err == nil {
			w.Write(b)
		}
		return err
	}
}

// writeFeatures writes what one appends for each of n features, separated by commas or spaces.
func writeFeatures(w *bufio.Writer, n int, separator byte, one func(b []byte, feature int) []byte) {
	for j := range n {
		b := w.AvailableBuffer()
		if j > 0 {
			b = append(b, separator)
		}
		w.Write(one(b, j))
	}
}

func writeTrees(w io.Writer, m *lambdamart.Model, format string) error {
	write, known := treeWriters[format]
	buffer := bufio.NewWriterSize(w, 1<<16)
	var err error
	switch {
	case format == "json":
		var text []byte
		if text, err = m.MarshalJSON(); err == nil { // MarshalJSON also validates the model
			buffer.Write(text)
		}
	case !known:
		return errs.Errorf("model", "a tree model cannot be written as %v, which is a format for linear models", format)
	default:
		if err = m.Validate(); err == nil {
			err = write(buffer, m)
		}
	}
	if err != nil {
		return errs.Op("model", err)
	}
	return buffer.Flush()
}

// A tree is a tree to write or compare. All of its lists with one element per split are set.
type tree struct {
	lambdamart.Tree
	root int32 // 0 if the tree has splits; ^0, the only leaf, otherwise
}

func treesOf(m *lambdamart.Model) []tree {
	trees := make([]tree, len(m.Trees))
	for i, t := range m.Trees {
		n := len(t.Feature)
		if len(t.Categories) == 0 {
			t.Categories = make([][]uint32, n)
		}
		if len(t.MissingLeft) == 0 {
			t.MissingLeft = make([]bool, n)
		}
		if len(t.ZeroMissing) == 0 {
			t.ZeroMissing = make([]bool, n)
		}
		trees[i] = tree{Tree: t}
		if n == 0 {
			trees[i].root = ^0
		}
	}
	return trees
}

// holdsZero reports whether the set of split s contains the category 0.
func (t *tree) holdsZero(s int) bool { return len(t.Categories[s]) > 0 && t.Categories[s][0]&1 != 0 }

// valueLeft reports whether split s sends 0 left as a value.
func (t *tree) valueLeft(s int) bool {
	if t.Categories[s] != nil {
		return t.holdsZero(s)
	}
	return t.Threshold[s] >= 0
}

// zeroMatters reports whether split s sends 0 one way as a value and the other way as missing.
func (t *tree) zeroMatters(s int) bool { return t.valueLeft(s) != t.MissingLeft[s] }

func finite(v float64) bool { return math.Abs(v) <= math.MaxFloat64 }
