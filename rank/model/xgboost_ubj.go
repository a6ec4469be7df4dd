package model

import (
	"github.com/simdrank/simdrank/internal/files"
	"github.com/simdrank/simdrank/internal/modelfile"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

// xgboostTypes maps names of arrays to element types. XGBoost requires typed arrays for trees in
// UBJSON. Other arrays have no type.
var xgboostTypes = map[string]byte{
	"base_weights":        'd',
	"categories":          'l',
	"categories_nodes":    'l',
	"categories_segments": 'L',
	"categories_sizes":    'L',
	"default_left":        'U',
	"left_children":       'l',
	"loss_changes":        'd',
	"parents":             'l',
	"right_children":      'l',
	"split_conditions":    'd',
	"split_indices":       'l',
	"split_type":          'U',
	"sum_hessian":         'd',
}

// appendXGBoostUBJSON appends the model in XGBoost's UBJSON format.
func appendXGBoostUBJSON(m *lambdamart.Model, b []byte) ([]byte, error) {
	text, err := appendXGBoost(m, nil)
	if err != nil {
		return nil, err
	}
	doc, err := modelfile.ParseJSON(text, files.BudgetOf(int64(len(text))))
	if err != nil {
		return nil, err
	}
	return modelfile.AppendUBJSON(b, doc, func(key string) byte { return xgboostTypes[key] })
}
