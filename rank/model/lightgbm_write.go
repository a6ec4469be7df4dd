package model

import (
	"bufio"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/modelfile"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

// lightgbmFeatures returns the feature names in LightGBM's spelling. It returns an error if
// LightGBM could not read a name back, for example because it is empty or contains a line break, or
// if two names become equal.
func lightgbmFeatures(m *lambdamart.Model) (lightgbmNames, error) {
	if err := knowsOrder(m, "LightGBM"); err != nil {
		return nil, err
	}
	if m.FeatureNames == nil {
		return nil, nil
	}
	names := make(lightgbmNames, len(m.FeatureNames))
	seen := make(map[string]int, len(m.FeatureNames))
	for i, name := range m.FeatureNames {
		names[i] = strings.ReplaceAll(name, " ", "_")
		if strings.Trim(name, "=") == "" || strings.ContainsAny(name, "\n\r\x00") {
			return nil, errs.Errorf("model", "feature %d is named %q: names in LightGBM's text must not be empty, "+
				"consist of = or contain line breaks or zero bytes", i, name)
		}
		if k, again := seen[names[i]]; again {
			return nil, errs.Errorf("model", "features %d and %d, %q and %q, are both named %q in LightGBM's text", k, i,
				m.FeatureNames[k], name, names[i])
		}
		seen[names[i]] = i
	}
	return names, nil
}

// writeLightGBM writes the model in the given version of LightGBM's text format. Like LightGBM,
// it adds the bias to the first tree.
func writeLightGBM(w *bufio.Writer, m *lambdamart.Model, version string) error {
	trees, average, err := lightgbmTrees(m)
	if err != nil {
		return err
	}
	names, err := lightgbmFeatures(m)
	if err != nil {
		return err
	}
	var sizes, blocks []byte
	for i := range trees {
		start := len(blocks)
		blocks = fmt.Appendf(blocks, "Tree=%d\n", i)
		if blocks, err = trees[i].appendLightGBM(blocks); err != nil {
			return errs.Errorf("model", "tree %d, %w", i, err)
		}
		blocks = append(blocks, "\n\n"...)
		if i > 0 {
			sizes = append(sizes, ' ')
		}
		sizes = strconv.AppendInt(sizes, int64(len(blocks)-start), 10)
	}
	mean, boosting := "", "gbdt"
	if average {
		mean, boosting = "average_output\n", "rf"
	}
	fmt.Fprintf(w,
		"tree\nversion=%s\nnum_class=1\nnum_tree_per_iteration=1\nlabel_index=0\nmax_feature_idx=%d\nobjective=%s\n%sfeature_names=",
		version, m.NumFeatures-1, lightgbmObjective(m), mean)
	writeFeatures(w, m.NumFeatures, ' ', names.append)
	w.WriteString("\nfeature_infos=")
	infos := lightgbmInfos(trees)
	writeFeatures(w, m.NumFeatures, ' ', func(b []byte, j int) []byte {
		if m.Categories != nil && m.Categories[j] != nil {
			return append(b, lightgbmInfo(m.Categories[j])...)
		}
		if info, ok := infos[int32(j)]; ok {
			return append(b, info...)
		}
		return append(b, "none"...)
	})
	fmt.Fprintf(w, "\ntree_sizes=%s\n\n%send of trees\n\nfeature_importances:\n", sizes, blocks)
	splits := splitsOf(trees)
	order := slices.Sorted(maps.Keys(splits))
	slices.SortStableFunc(order, func(i, j int32) int { return int(splits[j] - splits[i]) })
	for _, j := range order {
		fmt.Fprintf(w, "%s=%d\n", names.append(nil, int(j)), splits[j])
	}
	objective, _, _ := strings.Cut(lightgbmObjective(m), " ")
	fmt.Fprintf(w, "\nparameters:\n[boosting: %s]\n[objective: %s]\n\nend of parameters\n\npandas_categorical:%s\n",
		boosting, objective, appendLightGBMTexts(nil, m))
	return nil
}

// splitsOf returns the number of splits of each feature that has splits.
func splitsOf(trees []tree) map[int32]int64 {
	splits := map[int32]int64{}
	for i := range trees {
		for _, f := range trees[i].Feature {
			splits[f]++
		}
	}
	return splits
}

// lightgbmInfos returns LightGBM's feature_infos for each feature with splits: a range or a list of
// categories. It derives them from thresholds and category sets, because a model does not contain
// them.
func lightgbmInfos(trees []tree) map[int32]string {
	type bounds struct{ lo, hi float32 }
	ranges, sets := map[int32]bounds{}, map[int32][]uint32{}
	for i := range trees {
		t := &trees[i]
		for s, f := range t.Feature {
			if t.Categories[s] != nil {
				set := sets[f]
				for w, word := range t.Categories[s] {
					if w == len(set) {
						set = append(set, 0)
					}
					set[w] |= word
				}
				sets[f] = set
				continue
			}
			v := t.Threshold[s]
			r, used := ranges[f]
			if !used {
				r = bounds{v, v}
			}
			ranges[f] = bounds{min(r.lo, v), max(r.hi, v)}
		}
	}
	infos := map[int32]string{}
	for f, set := range sets {
		var list []string
		for _, c := range categoriesOf(set) {
			list = append(list, strconv.FormatInt(c, 10))
		}
		if list != nil {
			infos[f] = strings.Join(list, ":")
		}
	}
	for f, r := range ranges {
		infos[f] = fmt.Sprintf("[%v:%v]", r.lo, r.hi)
	}
	return infos
}

// lightgbmCategory returns an error if LightGBM cannot express a categorical split.
func (t *tree) lightgbmCategory(s int) error {
	switch {
	case t.Categories[s] == nil:
	case t.MissingLeft[s]:
		return fmt.Errorf("split %d sends missing categories left, which LightGBM does not support", s)
	case t.ZeroMissing[s] && t.holdsZero(s):
		return fmt.Errorf("split %d treats category 0 as missing, but LightGBM treats it as a value of the set", s)
	}
	return nil
}

func (t *tree) appendLightGBM(b []byte) ([]byte, error) {
	var sets, words []int64
	decision := make([]int32, len(t.Feature))
	threshold := make([]float64, len(t.Feature))
	sets = append(sets, 0)
	for s := range t.Feature {
		if err := t.lightgbmCategory(s); err != nil {
			return nil, err
		}
		if t.Categories[s] != nil {
			decision[s] = lightgbmCategorical | lightgbmMissingNaN
			threshold[s] = float64(len(sets) - 1)
			for _, w := range t.Categories[s] {
				words = append(words, int64(w))
			}
			if len(t.Categories[s]) == 0 {
				words = append(words, 0)
			}
			sets = append(sets, int64(len(words)))
			continue
		}
		threshold[s] = between(t.Threshold[s])
		decision[s] = lightgbmMissingNaN
		if t.ZeroMissing[s] {
			decision[s] = lightgbmMissingZero
		}
		if t.MissingLeft[s] {
			decision[s] |= lightgbmDefaultLeft
		}
	}
	b = fmt.Appendf(b, "num_leaves=%d\nnum_cat=%d\n", len(t.Leaf), len(sets)-1)
	b = appendLine(b, "split_feature", t.Feature, modelfile.AppendInt)
	b = appendLine(b, "split_gain", t.Gain, modelfile.AppendFloat64)
	b = appendLine(b, "threshold", threshold, modelfile.AppendFloat64)
	b = appendLine(b, "decision_type", decision, modelfile.AppendInt)
	b = appendLine(b, "left_child", t.Left, modelfile.AppendInt)
	b = appendLine(b, "right_child", t.Right, modelfile.AppendInt)
	b = appendLine(b, "leaf_value", t.Leaf, modelfile.AppendFloat64)
	b = appendLine(b, "leaf_weight", t.LeafWeight, modelfile.AppendFloat64)
	b = appendLine(b, "leaf_count", t.LeafCount, modelfile.AppendInt)
	b = appendLine(b, "internal_weight", t.Weight, modelfile.AppendFloat64)
	b = appendLine(b, "internal_count", t.Count, modelfile.AppendInt)
	if len(sets) > 1 {
		b = appendLine(b, "cat_boundaries", sets, modelfile.AppendInt)
		b = appendLine(b, "cat_threshold", words, modelfile.AppendInt)
	}
	return append(b, "is_linear=0\nshrinkage=1\n"...), nil
}

// appendLine appends a line of values, unless the list is empty.
func appendLine[T any](b []byte, key string, list []T, one func([]byte, T) []byte) []byte {
	if len(list) == 0 {
		return b
	}
	b = append(append(b, key...), '=')
	for i, v := range list {
		if i > 0 {
			b = append(b, ' ')
		}
		b = one(b, v)
	}
	return append(b, '\n')
}
