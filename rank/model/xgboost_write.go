package model

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/modelfile"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

// appendXGBoost appends the model in XGBoost's JSON format.
func appendXGBoost(m *lambdamart.Model, b []byte) ([]byte, error) {
	if err := knowsOrder(m, "XGBoost"); err != nil {
		return nil, err
	}
	trees, objective := treesOf(m), `{"lambda_rank_param":{"fix_list_weight":"0","num_pairsample":"1"},"name":"rank:ndcg"}`
	base := m.Bias
	switch m.Sigmoid {
	case 0:
	case 1: // base_score is a probability, so write ½ for the score 0 and add the bias to the leaves
		var err error
		if trees, err = biased(m); err != nil {
			return nil, err
		}
		base = 0.5
		objective = `{"name":"binary:logistic","reg_loss_param":{"scale_pos_weight":"1"}}`
	default:
		return nil, errs.Errorf("model", "the sigmoid is %v: XGBoost's log loss requires 1", m.Sigmoid)
	}
	if !finite(float64(float32(base))) {
		return nil, errs.Errorf("model", "the bias, %v, is too large for XGBoost, which uses float32", base)
	}
	zero := true // whether every split can treat 0 as missing; if so, XGBoost's data must be created with missing=0
	for i := range trees {
		for s := range trees[i].Feature {
			zero = zero && (trees[i].ZeroMissing[s] || !trees[i].zeroMatters(s))
		}
	}
	b = append(b, `{"learner":{"attributes":{`...)
	if m.Best > 0 {
		b = fmt.Appendf(b, `"best_iteration":"%d"`, m.Best-1)
	}
	if !m.UnknownZeros {
		zeros := zerosValues
		if zero && m.ZeroMissing() { // zero is also true if 0 and missing values always go the same way
			zeros = zerosMissing
		}
		if m.Best > 0 {
			b = append(b, ',')
		}
		b = fmt.Appendf(b, `"%s":"%v"`, xgboostZeros, zeros)
	}
	b = modelfile.AppendList(append(b, `},"feature_names":`...), m.FeatureNames, text.AppendQuoted)
	b = append(b, `,"feature_types":`...)
	b = modelfile.AppendList(b, featureTypes(m), text.AppendQuoted)
	b = appendXGBoostTexts(append(b, `,"gradient_booster":{"model":{`...), m)
	b = fmt.Appendf(b,
		`"gbtree_model_param":{"num_parallel_tree":"1","num_trees":"%d","size_leaf_vector":"0"},"tree_info":`, len(trees))
	b = modelfile.AppendList(b, make([]int32, len(trees)), modelfile.AppendInt)
	b = append(b, `,"trees":[`...)
	for i := range trees {
		if i > 0 {
			b = append(b, ',')
		}
		var err error
		if b, err = trees[i].appendXGBoost(append(b, '\n'), i, m.NumFeatures, zero); err != nil {
			return nil, errs.Errorf("model", "tree %d, %w", i, err)
		}
	}
	b = append(b, `]},"name":"gbtree"},"learner_model_param":{"base_score":"`...)
	b = appendXGBoostFloat(b, float32(base))
	version := "1,7,4"
	if m.Categories != nil { // the first version with cats
		version = "3,1,0"
	}
	return fmt.Appendf(b, `","boost_from_average":"1","num_class":"0","num_feature":"%d","num_target":"1"},`+
		`"objective":%s},"version":[%s]}`+"\n", m.NumFeatures, objective, version), nil
}

// featureTypes returns the types of the features if there are text categories.
func featureTypes(m *lambdamart.Model) []string {
	types := make([]string, len(m.Categories))
	for f, list := range m.Categories {
		if types[f] = "float"; list != nil {
			types[f] = "c"
		}
	}
	return types
}

func (t *tree) appendXGBoost(b []byte, id, features int, zero bool) ([]byte, error) {
	if err := t.leavesFit("XGBoost"); err != nil {
		return nil, err
	}
	nodes := len(t.Feature) + len(t.Leaf)
	value := make([]float32, nodes) // the value of each leaf; 0 for splits
	condition := make([]float32, nodes)
	gain, weight := make([]float32, nodes), make([]float32, nodes)
	left, right, parent, index, kind := make([]int32, nodes), make([]int32, nodes), make([]int32, nodes),
		make([]int32, nodes), make([]int32, nodes)
	defaultLeft := make([]int32, nodes)
	var categories, categoryNodes, segments, sizes []int64
	// Number the nodes level by level, because XGBoost assumes that a right child directly follows
	// its left sibling.
	order := append(make([]int32, 0, nodes), t.root)
	parent[0] = math.MaxInt32
	for n := 0; n < len(order); n++ {
		weight[n] = float32(t.cover(order[n]))
		if order[n] < 0 {
			l := ^order[n]
			left[n], right[n] = -1, -1
			value[n], condition[n] = float32(t.Leaf[l]), float32(t.Leaf[l])
			continue
		}
		s := int(order[n])
		l, r, missing := t.Left[s], t.Right[s], t.MissingLeft[s]
		index[n] = t.Feature[s]
		switch {
		case t.Categories[s] == nil:
			condition[n] = math.Nextafter32(t.Threshold[s], float32(math.Inf(1)))
		case !slices.ContainsFunc(t.Categories[s], func(word uint32) bool { return word != 0 }):
			// XGBoost rejects an empty set. The condition x < −∞ is also never true.
			condition[n] = float32(math.Inf(-1))
		default:
			l, r, missing = r, l, !missing
			kind[n] = 1
			categoryNodes, segments = append(categoryNodes, int64(n)), append(segments, int64(len(categories)))
			list, err := t.xgboostCategoryList(s)
			if err != nil {
				return nil, err
			}
			categories, sizes = append(categories, list...), append(sizes, int64(len(list)))
		}
		if !zero && t.ZeroMissing[s] && t.zeroMatters(s) {
			return nil, fmt.Errorf("split %d treats 0 as missing but other splits do not; XGBoost cannot represent this", s)
		}
		left[n], right[n] = int32(len(order)), int32(len(order)+1)
		parent[len(order)], parent[len(order)+1] = int32(n), int32(n)
		order = append(order, l, r)
		if missing {
			defaultLeft[n] = 1
		}
		if len(t.Gain) > 0 {
			gain[n] = float32(t.Gain[s])
		}
	}
	b = modelfile.AppendList(append(b, `{"base_weights":`...), value, appendXGBoostFloat)
	b = modelfile.AppendList(append(b, `,"categories":`...), categories, modelfile.AppendInt)
	b = modelfile.AppendList(append(b, `,"categories_nodes":`...), categoryNodes, modelfile.AppendInt)
	b = modelfile.AppendList(append(b, `,"categories_segments":`...), segments, modelfile.AppendInt)
	b = modelfile.AppendList(append(b, `,"categories_sizes":`...), sizes, modelfile.AppendInt)
	b = modelfile.AppendList(append(b, `,"default_left":`...), defaultLeft, modelfile.AppendInt)
	b = strconv.AppendInt(append(b, `,"id":`...), int64(id), 10)
	b = modelfile.AppendList(append(b, `,"left_children":`...), left, modelfile.AppendInt)
	b = modelfile.AppendList(append(b, `,"loss_changes":`...), gain, appendXGBoostFloat)
	b = modelfile.AppendList(append(b, `,"parents":`...), parent, modelfile.AppendInt)
	b = modelfile.AppendList(append(b, `,"right_children":`...), right, modelfile.AppendInt)
	b = modelfile.AppendList(append(b, `,"split_conditions":`...), condition, appendXGBoostFloat)
	b = modelfile.AppendList(append(b, `,"split_indices":`...), index, modelfile.AppendInt)
	b = modelfile.AppendList(append(b, `,"split_type":`...), kind, modelfile.AppendInt)
	b = modelfile.AppendList(append(b, `,"sum_hessian":`...), weight, appendXGBoostFloat)
	return fmt.Appendf(b,
		`,"tree_param":{"num_deleted":"0","num_feature":"%d","num_nodes":"%d","size_leaf_vector":"0"}}`, features,
		nodes), nil
}

// cover returns the sum of the weights of the training rows that reach a node. If the weights are
// unknown, it returns the number of rows, and if that is also unknown, 0.
func (t *tree) cover(node int32) float64 {
	switch {
	case node < 0 && len(t.LeafWeight) > 0:
		return t.LeafWeight[^node]
	case node < 0 && len(t.LeafCount) > 0:
		return float64(t.LeafCount[^node])
	case node >= 0 && len(t.Weight) > 0:
		return t.Weight[node]
	case node >= 0 && len(t.Count) > 0:
		return float64(t.Count[node])
	}
	return 0
}

// xgboostCategoryList lists the categories of a split.
func (t *tree) xgboostCategoryList(s int) ([]int64, error) {
	list := categoriesOf(t.Categories[s])
	if n := len(list); n > 0 && list[n-1] >= xgboostCategories {
		return nil, fmt.Errorf("split %d: the category %d is too large: XGBoost supports categories below %d", s, list[n-1],
			xgboostCategories)
	}
	return list, nil
}

// appendXGBoostFloat appends a number in XGBoost's spelling. XGBoost treats a number without an
// exponent as an integer, which it rejects.
func appendXGBoostFloat(b []byte, v float32) []byte {
	switch {
	case v > math.MaxFloat32:
		return append(b, "Infinity"...)
	case v < -math.MaxFloat32:
		return append(b, "-Infinity"...)
	}
	return strconv.AppendFloat(b, float64(v), 'E', -1, 32)
}
