package cli

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/simdrank/simdrank/internal/metrics"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

// SetZeros makes a model treat zeros and omitted features as missing or as values. If the model was
// trained otherwise, it returns a warning, which calls the model by the name model.
func SetZeros(m *lambdamart.Model, missing bool, model string) (warning string) {
	switch {
	case m.UnknownZeros:
	case missing && !m.ZeroMissing():
		warning = model + " was trained with 0 as a value; --zero-missing treats 0 as missing"
	case !missing && m.ZeroMissing():
		warning = model + " was trained with 0 as missing; --zero-missing=false treats 0 as a value"
	default:
		return "" // each split decides: LightGBM has both kinds in one model
	}
	m.SetZeroMissing(missing)
	return warning
}

// UnknownZeros returns a warning if rows omit features and the model does not record whether 0 is a
// value or missing. absent is the number of omitted features in the data, which have cols columns.
// It returns "" if the model records it or if no row omits a feature.
func UnknownZeros(m *lambdamart.Model, absent int64, cols int, model, data string) (warning string) {
	if !m.UnknownZeros || absent == 0 && cols >= m.Features() {
		return ""
	}
	return fmt.Sprintf("%s does not record whether 0 is a value or missing, and rows of %s omit features. "+
		"Omitted features are scored as the value 0; use --zero-missing to score them as missing, or --zero-missing=false to silence this "+
		"warning", model, data)
}

// CountedFromZero returns a warning if a model seems to count features from 0, while the data,
// which have cols columns, count them from 1: the model has one more feature than the data and
// never uses its first one. LightGBM and XGBoost produce such models from text that begins with
// feature 1. It returns "" if the model has feature names, and if its settings show that simdrank
// trained it. Such a model may also have one more feature, because the last feature of the data is
// always 0, so its setting zero_based decides.
func CountedFromZero(m *lambdamart.Model, cols int, model, data string) (warning string) {
	if m.FeatureNames != nil || m.NumFeatures != cols+1 || len(m.Trees) == 0 ||
		m.Settings["model"] != "" && m.Settings["zero_based"] != "true" {
		return ""
	}
	for i := range m.Trees {
		if slices.Contains(m.Trees[i].Feature, 0) {
			return ""
		}
	}
	return fmt.Sprintf("%s has %d features and never uses the first, and %s has %d: LightGBM and XGBoost count the "+
		"features of such text from 0; use --zero-based for text, or convert --zero-based for data files",
		model, m.NumFeatures, data, cols)
}

// CheckMaxLabel returns an error if the value of --max-label is not valid.
func CheckMaxLabel(v float64) error {
	if !(v > 0) || v > metrics.MaxExpLabel {
		return Flagf("max-label", " %v: must be greater than 0 and at most %d", v, metrics.MaxExpLabel)
	}
	return nil
}

// CategoryCodes is a warning about models whose trainer numbered the categories.
const CategoryCodes = "the trainer numbered the values of categorical features from 0; the data must contain these numbers"

// Trees is the value of a flag that selects the trees to score with: the first N, those up to the
// best iteration, or all. The zero value means all.
type Trees struct {
	text string
	n    int // 0 for the words all and best
}

// String returns the text that Set has parsed.
func (c *Trees) String() string {
	if c.text == "" {
		return "all"
	}
	return c.text
}

// Type returns the name that the help shows for the value.
func (c *Trees) Type() string { return "N|best|all" }

// Set parses a number or a word.
func (c *Trees) Set(s string) error {
	n, err := strconv.Atoi(s)
	if s == "all" || s == "best" {
		n, err = 0, nil
	} else if err != nil || n < 1 {
		return errors.New("must be all, best or a number greater than 0")
	}
	*c = Trees{s, n}
	return err
}

// Cut removes all other trees from a model, which errors call by the name model.
func (c *Trees) Cut(m *lambdamart.Model, model string) error {
	n := len(m.Trees)
	switch {
	case c.text == "best":
		if n = m.Best; n == 0 {
			return fmt.Errorf("%s: --trees best: the model does not record a best iteration", model)
		}
	case c.n > n:
		trees := "trees"
		if n == 1 {
			trees = "tree"
		}
		return fmt.Errorf("%s: --trees %d: the model has only %d %s", model, c.n, n, trees)
	case c.n > 0:
		n = c.n
	}
	m.Truncate(n)
	return nil
}
