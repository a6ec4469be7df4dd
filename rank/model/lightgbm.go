package model

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/files"
	"github.com/simdrank/simdrank/internal/modelfile"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

// This file reads LightGBM's model text (src/boosting/gbdt_model_text.cpp and src/io/tree.cpp of
// LightGBM 2.1 to 4.7). The text consists of key=value lines, a block for each tree, and
// importances and parameters that do not affect scores. A key that none of these versions writes is
// an error, because it may affect scores.

var (
	lightgbmHead = []string{"average_output", "feature_infos", "feature_names", "label_index", "max_feature_idx",
		"monotone_constraints",
		"num_class", "num_tree_per_iteration", "objective", "tree_sizes", "version"}
	lightgbmBlock = []string{"cat_boundaries", "cat_threshold", "decision_type", "internal_count", "internal_value",
		"internal_weight", "is_linear",
		"leaf_count", "leaf_value", "leaf_weight", "left_child", "num_cat", "num_leaves", "right_child", "shrinkage",
		"split_feature", "split_gain", "threshold"}
	// lightgbmAfter are the lines that may follow the last tree.
	lightgbmAfter = []string{"", "end of trees", "feature_importances:", "feature importances:", "parameters:",
		"parser:"}
)

// lightgbmVersions are the supported versions of the model text and of dumps.
var lightgbmVersions = []string{"v2", "v3", "v4"}

// lightgbmCategories is the start of the line that lists the categories of a data frame's columns.
const lightgbmCategories = "pandas_categorical:"

// lightgbmLeast is the Threshold of a categorical split, the smallest value that can go left.
// LightGBM truncates a value before it tests whether the value is negative, so values above −1
// count as category 0.
var lightgbmLeast = math.Nextafter32(-1, 0)

// These are the bits of decision_type.
const (
	lightgbmCategorical = 1 << 0
	lightgbmDefaultLeft = 1 << 1
	lightgbmMissing     = 3 << 2 // mask of the missing type; 0 is None
	lightgbmMissingZero = 1 << 2
	lightgbmMissingNaN  = 2 << 2
	lightgbmDecision    = lightgbmCategorical | lightgbmDefaultLeft | lightgbmMissing
)

// A section contains the values of key=value lines by key, and the first error of reading them.
// After an error, values are 0.
type section struct {
	fields map[string]field
	budget *files.Budget
	err    error
}

type field struct {
	value string
	line  int
}

func (f field) errorf(format string, args ...any) error {
	return fmt.Errorf("line %d: %w", f.line, fmt.Errorf(format, args...))
}

// failf sets the error of the section, unless it already has one. The error names the line of the
// key.
func (s *section) failf(key, format string, args ...any) {
	s.fail(s.fields[key].errorf(format, args...))
}

// fail sets the error of the section, unless it already has one or err is nil.
func (s *section) fail(err error) {
	if s.err == nil {
		s.err = err
	}
}

// add parses a line and records its value.
func (s *section) add(content string, line int) {
	key, value, _ := strings.Cut(content, "=")
	f := field{strings.TrimSpace(value), line}
	if old, ok := s.fields[key]; ok {
		s.fail(f.errorf("%s appears twice, first on line %d", text.Excerpt(key), old.line))
	}
	s.fields[key] = f
}

// only records an error for the first line whose key is not in keys.
func (s *section) only(keys []string) {
	first, line := "", 0
	for key, f := range s.fields {
		if !slices.Contains(keys, key) && (line == 0 || f.line < line) {
			first, line = key, f.line
		}
	}
	if line > 0 {
		s.failf(first, "unknown key %q", text.Excerpt(first))
	}
}

// whole returns a whole number from lo to hi. If the key is absent, it returns missing.
func (s *section) whole(key string, missing, lo, hi int64) int64 {
	f, ok := s.fields[key]
	if !ok {
		return missing
	}
	v, err := strconv.ParseInt(f.value, 10, 64)
	if err != nil || v < lo || v > hi {
		s.failf(key, "%s is %q; it must be a whole number from %d to %d", key, text.Excerpt(f.value), lo, hi)
		return lo
	}
	return v
}

// array parses the n values of a key with parse. If the key is absent, it returns nil.
func array[T any](s *section, key string, n int, parse func(text string) (T, error)) []T {
	f, ok := s.fields[key]
	if !ok || s.err != nil {
		return nil
	}
	if words := countFields(f.value); words != n {
		s.failf(key, "%s contains %d values, expected %d", key, words, n)
		return nil
	}
	if err := s.budget.Hold("the arrays of the model", int64(n)*int64(unsafe.Sizeof(*new(T)))); err != nil {
		s.fail(err)
		return nil
	}
	out := make([]T, 0, n)
	for word := range strings.FieldsSeq(f.value) {
		v, err := parse(word)
		if err != nil {
			s.failf(key, "value %d of %s: %q is %w", len(out)+1, key, text.Excerpt(word), err)
			return nil
		}
		out = append(out, v)
	}
	return out
}

// countFields returns the number of words between blanks.
func countFields(s string) (n int) {
	for range strings.FieldsSeq(s) {
		n++
	}
	return n
}

var errNumber = errors.New("not a number")

func lightgbmFloat(word string) (float64, error) {
	v, err := text.ParseNumber(word, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return 0, errNumber
	}
	return v, nil
}

// lightgbmStatistic parses a number that does not affect scores. It converts infinite gains, which
// LightGBM sometimes writes, to 0.
func lightgbmStatistic(text string) (float64, error) {
	v, err := lightgbmFloat(text)
	if !finite(v) {
		v = 0
	}
	return v, err
}

// lightgbmInt returns a function that parses whole numbers from lo to hi.
func lightgbmInt[T int32 | int64 | uint32](lo, hi int64) func(text string) (T, error) {
	return func(text string) (T, error) {
		v, err := strconv.ParseInt(text, 10, 64)
		if err != nil || v < lo || v > hi {
			return 0, fmt.Errorf("not a whole number from %d to %d", lo, hi)
		}
		return T(v), nil
	}
}

// require records an error if the section lacks one of the keys.
func (s *section) require(line int, keys ...string) {
	for _, key := range keys {
		if _, ok := s.fields[key]; !ok {
			s.fail(fmt.Errorf("line %d: %s is missing", line, key))
		}
	}
}

// readLightGBM reads a model in LightGBM's text format.
func readLightGBM(data []byte, sets *setMemory) (*lambdamart.Model, error) {
	r := &text.Lines{Rest: data}
	head := &section{fields: map[string]field{}, budget: sets.Budget}
	more, line, ok := false, "", true
	for line != "tree" && ok { // skip empty lines
		line, ok = r.Next()
	}
	for {
		line, ok = r.Next()
		if more = strings.HasPrefix(line, "Tree="); more || !ok || slices.Contains(lightgbmAfter[1:], line) {
			break
		}
		if line != "" {
			head.add(line, r.Line)
		}
		// Next trims blanks, but the last name may end with a blank.
		if names, ok := bytes.CutPrefix(r.Last, []byte("feature_names=")); ok {
			head.fields["feature_names"] = field{string(names), r.Line}
		}
	}
	head.only(lightgbmHead)
	head.require(r.Line, "max_feature_idx")
	if v, ok := head.fields["version"]; ok && !slices.Contains(lightgbmVersions, v.value) {
		head.failf("version", "the version is %q; it must be v2, v3 or v4", text.Excerpt(v.value))
	}
	for _, key := range []string{"num_class", "num_tree_per_iteration"} {
		if n := head.whole(key, 1, 1, math.MaxInt32); n != 1 {
			head.failf(key, "%s is %d: multi-class models are not supported", key, n)
		}
	}
	m := &lambdamart.Model{NumFeatures: int(head.whole("max_feature_idx", 0, -1, modelfile.MaxFeatures-1)) + 1}
	var err error
	if m.Sigmoid, err = lightgbmSigmoid(head.fields["objective"].value); err != nil {
		head.failf("objective", "%w", err)
	}
	names, named := head.fields["feature_names"]
	blank := func(r rune) bool { return r == ' ' } // only a space ends a name
	count, unnamed, given := 0, true, []byte{}
	for name := range strings.FieldsFuncSeq(names.value, blank) {
		if given = lightgbmNames(nil).append(given[:0], count); name != string(given) {
			unnamed = false
		}
		count++
	}
	if named && count != m.NumFeatures {
		head.failf("feature_names", "the number of feature_names is %d; it must be %d, one per feature", count, m.NumFeatures)
	}
	if !unnamed {
		head.fail(sets.Hold("the feature names", int64(count)*int64(unsafe.Sizeof(""))))
		if head.err == nil {
			m.FeatureNames = strings.FieldsFunc(names.value, blank)
		}
	}
	if err := text.CheckNames(m.FeatureNames, "feature", 1); err != nil {
		head.failf("feature_names", "%w", err)
	}
	if head.err != nil {
		return nil, head.err
	}
	missing, err := newMissingTypes(m.NumFeatures, sets.Budget)
	if err != nil {
		return nil, err
	}
	for more {
		start := r.Line
		s := &section{fields: map[string]field{}, budget: sets.Budget}
		for {
			line, ok = r.Next()
			if more = strings.HasPrefix(line, "Tree="); more || !ok || line == "" || line == "end of trees" {
				break
			}
			s.add(line, r.Line)
		}
		s.fail(sets.Hold("the trees", int64(unsafe.Sizeof(lambdamart.Tree{}))))
		m.Trees = append(m.Trees, lightgbmTree(s, start, missing))
		if s.err != nil {
			return nil, s.err
		}
		for !more && ok && line == "" {
			line, ok = r.Next()
			more = strings.HasPrefix(line, "Tree=")
		}
	}
	if !slices.Contains(lightgbmAfter, line) && !strings.HasPrefix(line, lightgbmCategories) {
		return nil, fmt.Errorf("line %d: found %q, expected a tree or the end of trees", r.Line, text.Excerpt(line))
	}
	if sizes, ok := head.fields["tree_sizes"]; ok {
		if n := countFields(sizes.value); n != len(m.Trees) {
			return nil, sizes.errorf("found %d tree_sizes, but the file has %d trees: it may be truncated", n, len(m.Trees))
		}
	}
	importances := false
	for ; ok; line, ok = r.Next() {
		importances = line != "" && importances || strings.HasSuffix(line, "importances:")
		if importances { // importances start with feature names, which may look like other keys
			continue
		}
		lightgbmSetting(m, line)
		if data, ok := strings.CutPrefix(line, lightgbmCategories); ok {
			doc, err := modelfile.ParseJSON([]byte(data), sets.Budget)
			if err == nil {
				lightgbmTexts(m, doc, func() []columnKind { return textKinds(head.fields["feature_infos"].value) })
				err = doc.Err()
			}
			if err != nil {
				return nil, fmt.Errorf("line %d: %s %w", r.Line, lightgbmCategories, err)
			}
		}
	}
	if _, ok := head.fields["average_output"]; ok { // the model is a random forest
		average(m)
	}
	m.MissingFeatures = missing.features()
	return m, nil
}

// missingTypes records for each feature whether a split has the missing type None, and whether a
// split has another one.
type missingTypes struct{ none, some []bool }

func newMissingTypes(features int, budget *files.Budget) (missingTypes, error) {
	if err := budget.Hold("the features", 2*int64(features)); err != nil {
		return missingTypes{}, err
	}
	return missingTypes{make([]bool, features), make([]bool, features)}, nil
}

// add records the missing type of a split. LightGBM uses None for features that had no missing
// values in training.
func (m missingTypes) add(feature int32, none bool) {
	switch {
	case int(feature) >= len(m.none): // Validate reports the invalid feature
	case none:
		m.none[feature] = true
	default:
		m.some[feature] = true
	}
}

// features returns the model's MissingFeatures.
func (m missingTypes) features() []bool {
	for f, none := range m.none {
		m.some[f] = m.some[f] || !none
	}
	return m.some
}

// lightgbmSetting stores a training parameter, if the line has the form [name: value].
func lightgbmSetting(m *lambdamart.Model, line string) {
	inside, open := strings.CutPrefix(line, "[")
	inside, closed := strings.CutSuffix(inside, "]")
	name, value, some := strings.Cut(inside, ": ")
	if !open || !closed || !some || name == "" || value == "" {
		return
	}
	if m.Settings == nil {
		m.Settings = map[string]string{}
	}
	m.Settings[errs.Printable(name)] = errs.Printable(value) // file paths may contain any bytes
}

// lightgbmSigmoid returns the Sigmoid of a model with the given objective, such as "binary
// sigmoid:1". Early versions of LightGBM write xentropy instead of cross_entropy.
func lightgbmSigmoid(objective string) (float64, error) {
	words := strings.Fields(objective)
	if len(words) == 0 || !slices.Contains([]string{"binary", "cross_entropy", "xentropy"}, words[0]) {
		return 0, nil
	}
	for _, w := range words[1:] {
		if given, ok := strings.CutPrefix(w, "sigmoid:"); ok {
			v, err := text.ParseNumber(given, 64)
			if err != nil || !(v > 0) || !finite(v) {
				return 0, fmt.Errorf("the sigmoid is %q; it must be positive", text.Excerpt(given))
			}
			return v, nil
		}
	}
	return 1, nil
}

// lightgbmObjective returns LightGBM's name for the objective of a model.
func lightgbmObjective(m *lambdamart.Model) string {
	if m.Sigmoid > 0 {
		return fmt.Sprintf("binary sigmoid:%v", m.Sigmoid)
	}
	return "lambdarank"
}

// biased returns the trees for formats without a bias. It adds the bias to the leaves of the first
// tree.
func biased(m *lambdamart.Model) ([]tree, error) {
	trees := treesOf(m)
	if m.Bias == 0 && len(trees) > 0 {
		return trees, nil
	}
	if len(trees) == 0 {
		trees = []tree{{Tree: lambdamart.Tree{Leaf: []float64{0}}, root: ^0}}
	}
	trees[0].Leaf = slices.Clone(trees[0].Leaf)
	for l, v := range trees[0].Leaf {
		trees[0].Leaf[l] += m.Bias
		if !finite(trees[0].Leaf[l]) {
			return nil, errs.Errorf("model", "tree 0, the value of leaf %d, %v, is too large when the bias %v is added", l, v,
				m.Bias)
		}
	}
	return trees, nil
}

// lightgbmTrees returns the trees for LightGBM's formats, and reports whether a score is the mean
// of the trees instead of their sum.
func lightgbmTrees(m *lambdamart.Model) (list []tree, average bool, err error) {
	if !m.Average || m.Bias != 0 || len(m.Trees) == 0 {
		list, err = biased(m)
		return list, false, err
	}
	list, n := treesOf(m), float64(len(m.Trees))
	for i := range list {
		leaf := slices.Clone(list[i].Leaf)
		for l, v := range leaf {
			leaf[l] = v * n
			for _, near := range []float64{math.Nextafter(v*n, math.Inf(-1)), math.Nextafter(v*n, math.Inf(1))} {
				if leaf[l]/n != v && near/n == v { // dividing by n restores v exactly
					leaf[l] = near
				}
			}
			if !finite(leaf[l]) {
				list, err = biased(m) // multiplied leaf values may overflow, so write the sum
				return list, false, err
			}
		}
		list[i].Leaf = leaf
	}
	return list, true, nil
}

// lightgbmCodes reports whether the categories of a data frame differ from their codes. doc
// contains a JSON array of categories for each column. For data that is not a data frame, LightGBM
// uses the values as codes.
func lightgbmCodes(doc modelfile.Node) bool {
	if doc.IsNull() || doc.IsAbsent() {
		return false
	}
	for _, c := range doc.List() {
		for i, v := range c.List() {
			code := strconv.Itoa(i)
			if !v.IsText([]byte(code)) && !v.IsNumber(code) && !(i < 2 && v.IsBool(i == 1)) {
				return true
			}
		}
	}
	return false
}

// average makes the model a random forest, in which a score is the mean of the trees. It divides
// the leaf values by the number of trees.
func average(m *lambdamart.Model) {
	m.Average = true
	for i := range m.Trees {
		for l := range m.Trees[i].Leaf {
			m.Trees[i].Leaf[l] /= float64(len(m.Trees))
		}
	}
}

// lightgbmNames are the names of all features. A nil list means LightGBM's default names.
type lightgbmNames []string

// append appends the name of a feature.
func (n lightgbmNames) append(b []byte, feature int) []byte {
	if n != nil {
		return append(b, n[feature]...)
	}
	return strconv.AppendInt(append(b, "Column_"...), int64(feature), 10)
}

// lightgbmTree builds a tree from the lines of its block, which starts at the given line. If a line
// is invalid, it records an error in the section.
func lightgbmTree(s *section, line int, missing missingTypes) (t lambdamart.Tree) {
	s.require(line, "num_leaves", "leaf_value")
	leaves := int(s.whole("num_leaves", 0, 1, math.MaxInt32))
	splits := leaves - 1
	if s.whole("is_linear", 0, 0, math.MaxInt32) != 0 {
		s.failf("is_linear", "linear trees are not supported")
	}
	s.only(lightgbmBlock)
	// Each list below is as long as its line, so a large count cannot allocate more than the file's
	// size.
	t.Leaf = array(s, "leaf_value", leaves, lightgbmFloat)
	known := s
	if splits == 0 { // LightGBM omits the other lines or their values
		alone := *s
		known = &alone
	}
	t.LeafWeight = array(known, "leaf_weight", leaves, lightgbmStatistic)
	t.LeafCount = array(known, "leaf_count", leaves, lightgbmInt[int64](0, math.MaxInt64))
	if splits == 0 {
		return t
	}
	s.require(line, "split_feature", "threshold", "left_child", "right_child")
	t.Feature = array(s, "split_feature", splits, lightgbmInt[int32](0, modelfile.MaxFeatures))
	t.Left = array(s, "left_child", splits, lightgbmInt[int32](math.MinInt32, math.MaxInt32))
	t.Right = array(s, "right_child", splits, lightgbmInt[int32](math.MinInt32, math.MaxInt32))
	t.Gain = array(s, "split_gain", splits, lightgbmStatistic)
	t.Weight = array(s, "internal_weight", splits, lightgbmStatistic)
	t.Count = array(s, "internal_count", splits, lightgbmInt[int64](0, math.MaxInt64))
	threshold := array(s, "threshold", splits, lightgbmFloat)
	decision := array(s, "decision_type", splits, lightgbmInt[int32](math.MinInt8, math.MaxUint8))
	sets := lightgbmSets(s)
	if s.err != nil {
		return t
	}
	if decision == nil {
		decision = make([]int32, splits)
	}
	t.Threshold = make([]float32, splits)
	t.MissingLeft = make([]bool, splits)
	t.ZeroMissing = make([]bool, splits)
	for i, d := range decision {
		missing.add(t.Feature[i], d&lightgbmMissing == 0)
		switch {
		case d&^lightgbmDecision != 0:
			s.failf("decision_type", "value %d of decision_type is %d, which contains unknown bits", i+1, d)
		case d&lightgbmCategorical != 0:
			// Missing values, and values that are not in the set, always go right.
			set := threshold[i]
			if !(set >= 0 && set < float64(len(sets))) {
				s.failf("threshold", "split %d uses the category set %v, but the number of sets is %d", i+1, set, len(sets))
				return t
			}
			if t.Categories == nil {
				t.Categories = make([][]uint32, splits)
			}
			t.Categories[i], t.Threshold[i] = sets[int(set)], lightgbmLeast
		default:
			if threshold[i] != threshold[i] {
				s.failf("threshold", "value %d of threshold is NaN: thresholds must be numbers", i+1)
			}
			t.Threshold[i] = floor32(threshold[i])
			switch d & lightgbmMissing {
			case lightgbmMissingNaN:
				t.MissingLeft[i] = d&lightgbmDefaultLeft != 0
			case lightgbmMissingZero:
				t.MissingLeft[i] = d&lightgbmDefaultLeft != 0
				t.ZeroMissing[i] = true
			case 0: // NaN is treated as 0
				t.MissingLeft[i] = threshold[i] >= 0
			default:
				s.failf("decision_type", "value %d of decision_type is %d, which has an unknown missing type", i+1, d)
			}
		}
	}
	return t
}

// floor32 returns the largest float32 that is not above t. For any float32 x, the conditions x ≤ t
// and x ≤ floor32(t) are equivalent.
func floor32(t float64) float32 {
	f := float32(t)
	if float64(f) > t {
		f = math.Nextafter32(f, float32(math.Inf(-1)))
	}
	return f
}

// between returns the largest float64 that becomes at most t if it is rounded to float32. LightGBM
// compares float64 features, but this package first rounds them to float32. With the result as the
// threshold, both send values the same way: for example, the value 0.1 is not above the threshold
// 0.1.
func between(t float32) float64 {
	next := math.Nextafter32(t, float32(math.Inf(1)))
	if math.IsInf(float64(t), 0) || math.IsInf(float64(next), 0) {
		return float64(t)
	}
	middle := (float64(t) + float64(next)) / 2
	if math.Float32bits(t)&1 != 0 { // the midpoint itself is rounded to even
		middle = math.Nextafter(middle, math.Inf(-1))
	}
	return middle
}

// lightgbmSets returns the category sets of a tree.
func lightgbmSets(s *section) [][]uint32 {
	n := s.whole("num_cat", 0, 0, math.MaxInt32-1)
	if n == 0 {
		return nil
	}
	s.require(s.fields["num_cat"].line, "cat_boundaries", "cat_threshold")
	words := countFields(s.fields["cat_threshold"].value)
	bounds := array(s, "cat_boundaries", int(n)+1, lightgbmInt[int64](0, int64(words)))
	if s.err != nil {
		return nil
	}
	all := array(s, "cat_threshold", words, lightgbmInt[uint32](0, math.MaxUint32))
	sets := make([][]uint32, n)
	for i := range sets {
		if bounds[i] > bounds[i+1] {
			s.failf("cat_boundaries", "cat_boundaries must not decrease, but fall from %d to %d", bounds[i],
				bounds[i+1])
		}
		if s.err == nil {
			sets[i] = slices.Clip(all[bounds[i]:bounds[i+1]])
		}
	}
	return sets
}
