package cli

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/simdrank/simdrank/rank/lambdamart"
)

// SetZeros makes a model take zeros, and features left out, for missing or for values, and returns
// what to warn of: that the model was trained otherwise. model is what the warning calls it.
func SetZeros(m *lambdamart.Model, missing bool, model string) (warning string) {
	switch {
	case m.UnknownZeros:
	case missing && !m.ZeroMissing():
		warning = model + " was trained with 0 as a value; --zero-missing scores it as missing"
	case !missing && m.ZeroMissing():
		warning = model + " was trained with 0 as missing; --zero-missing=false scores it as a value"
	default:
		return "" // as the splits have it: LightGBM has both kinds in one model
	}
	m.SetZeroMissing(missing)
	return warning
}

// UnknownZeros returns what to warn of when nobody says whether zeros are values: that rows leave
// features out, absent in all, or all columns beyond cols, and the model does not say what that
// means. It is "" when the model says, or no row leaves a feature out.
func UnknownZeros(m *lambdamart.Model, absent int64, cols int, model, data string) (warning string) {
	if !m.UnknownZeros || absent == 0 && cols >= m.Features() {
		return ""
	}
	return fmt.Sprintf("%s does not say whether 0 is a value or missing, and rows of %s leave features out: they count "+
		"as the value 0; --zero-missing scores them as missing, --zero-missing=false as 0 without this warning", model, data)
}

// CountedFromZero returns what to warn of when the trees of a model seem to be of text whose
// features were counted from 0, and data of so many columns from 1: they know one feature more, and
// look at the first one nowhere. LightGBM and XGBoost read text that begins with feature 1 so. It
// is "" otherwise, where the model has names, and where its settings say that it was trained here:
// data whose last feature is always 0 lack it, too, so these say zero_based where they did.
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
	return fmt.Sprintf("%s has %d features and looks at the first nowhere, and %s has %d: where LightGBM or XGBoost has "+
		"read such text, they have counted from 0; so does --zero-based, here for text and with convert for data files",
		model, m.NumFeatures, data, cols)
}

// CategoryCodes is what models of which that is true ask of data.
const CategoryCodes = "the trainer numbered the values of categorical features from 0; data must have these numbers"

// Trees is how many trees of a model score: the first N, those up to the best iteration, or all,
// which the zero value means. It is the value of a flag.
type Trees struct {
	text string
	n    int // 0 for the words all and best
}

// String returns what Set has read.
func (c *Trees) String() string {
	if c.text == "" {
		return "all"
	}
	return c.text
}

// Type names the values for the text of help.
func (c *Trees) Type() string { return "N|best|all" }

// Set reads a number or a word.
func (c *Trees) Set(s string) error {
	n, err := strconv.Atoi(s)
	if s == "all" || s == "best" {
		n, err = 0, nil
	} else if err != nil || n < 1 {
		return errors.New("want all, best or a number above 0")
	}
	*c = Trees{s, n}
	return err
}

// Cut leaves these trees in a model, which errors call model.
func (c *Trees) Cut(m *lambdamart.Model, model string) error {
	n := len(m.Trees)
	switch {
	case c.text == "best":
		if n = m.Best; n == 0 {
			return fmt.Errorf("%s: --trees best: the model does not name a best iteration", model)
		}
	case c.n > n:
		trees := "trees"
		if n == 1 {
			trees = "tree"
		}
		return fmt.Errorf("%s: --trees %d: the model has %d %s", model, c.n, n, trees)
	case c.n > 0:
		n = c.n
	}
	m.Truncate(n)
	return nil
}
