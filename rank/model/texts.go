package model

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/simdrank/simdrank/internal/modelfile"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

// This file reads and writes the text categories of LightGBM's and XGBoost's models. Both trainers
// number the values of a data frame's categorical columns. The values can also be numbers or
// booleans. In this case, their texts are the ones that pandas writes to CSV files.

// textsIn returns the texts of an array of strings, numbers and booleans.
func textsIn(n modelfile.Node) []string {
	list := []string{}
	for _, e := range n.List() {
		s, scalar := e.IfScalar()
		switch {
		case !scalar:
			return list // the caller notices that texts are missing
		case e.IsBool(true):
			s = "True"
		case e.IsBool(false):
			s = "False"
		}
		if !n.Hold("the text categories", settingBytes+int64(len(s))) {
			break
		}
		list = append(list, s)
	}
	return list
}

// setTexts sets the text categories of a model, whose trees have been read. If the categories are
// not valid, for example because two values have the same text, or because a split uses a category
// without a text, the model has only category numbers.
func setTexts(m *lambdamart.Model, lists [][]string) {
	if m.Categories = lists; m.Validate() != nil {
		m.Categories, m.CategoryCodes = nil, true
	}
}

// A columnKind states whether LightGBM treats a column as categorical.
type columnKind uint8

const (
	unusedColumn columnKind = iota // not known, because no split can use the column
	numericColumn
	categoricalColumn
)

// textKinds returns the kind of each column from the words of feature_infos in LightGBM's text: a
// range of numbers, the categories, or none for a column without splits.
func textKinds(infos string) (kinds []columnKind) {
	for word := range strings.FieldsSeq(infos) {
		switch {
		case word == "none":
			kinds = append(kinds, unusedColumn)
		case word[0] == '[':
			kinds = append(kinds, numericColumn)
		default:
			kinds = append(kinds, categoricalColumn)
		}
	}
	return kinds
}

// dumpKinds returns the kind of each column from feature_infos in LightGBM's dump. The infos list
// the values of categorical columns, and do not contain columns without splits.
func dumpKinds(m *lambdamart.Model, infos modelfile.Node) []columnKind {
	known := map[string]columnKind{}
	for name, info := range infos.Members() {
		known[name] = numericColumn
		if info.Optional("values").Len() > 0 {
			known[name] = categoricalColumn
		}
	}
	kinds := make([]columnKind, m.NumFeatures)
	nameOf := lightgbmNames(m.FeatureNames).append
	for f := range kinds {
		kinds[f] = known[string(nameOf(nil, f))]
	}
	return kinds
}

// lightgbmTexts sets the text categories of a model from pandas_categorical, which lists the values
// of the categorical columns in order. If the kinds of the columns do not show which columns are
// categorical, or if the values equal their codes, the model has no texts.
func lightgbmTexts(m *lambdamart.Model, doc modelfile.Node, kindsOf func() []columnKind) {
	if !lightgbmCodes(doc) || doc.Err() != nil {
		return
	}
	m.CategoryCodes = true
	if !doc.Hold("the text categories", 32*int64(m.NumFeatures)) {
		return
	}
	kinds := kindsOf()
	var categorical, unused []int
	for f, kind := range kinds {
		switch kind {
		case unusedColumn:
			unused = append(unused, f)
		case categoricalColumn:
			categorical = append(categorical, f)
		}
	}
	if n := len(categorical); n+len(unused) == doc.Len() && n < doc.Len() {
		categorical = append(categorical, unused...)
		slices.Sort(categorical)
	}
	if len(kinds) != m.NumFeatures || len(categorical) != doc.Len() {
		return
	}
	lists := make([][]string, m.NumFeatures)
	for i, c := range doc.List() {
		list := textsIn(c)
		if len(list) != c.Len() {
			return
		}
		lists[categorical[i]] = list
	}
	m.CategoryCodes = false
	setTexts(m, lists)
}

// appendLightGBMTexts appends pandas_categorical. Numbers and booleans are written without quotes,
// because pandas reads them from CSV files as numbers and booleans.
func appendLightGBMTexts(b []byte, m *lambdamart.Model) []byte {
	if m.Categories == nil {
		return append(b, "null"...)
	}
	separator := "["
	for _, list := range m.Categories {
		if list != nil {
			b = modelfile.AppendList(append(b, separator...), list, appenderOf(list))
			separator = ", "
		}
	}
	return append(b, ']')
}

// appenderOf returns the function that appends a text of a list to JSON.
func appenderOf(list []string) func(b []byte, s string) []byte {
	raw := func(b []byte, s string) []byte { return append(b, s...) }
	switch {
	case allOf(list, isWhole), allOf(list, isDecimal):
		return raw
	case allOf(list, func(s string) bool { return s == "True" || s == "False" }):
		return func(b []byte, s string) []byte { return append(b, strings.ToLower(s)...) }
	}
	return text.AppendQuoted
}

func allOf(list []string, is func(s string) bool) bool {
	return len(list) > 0 && !slices.ContainsFunc(list, func(s string) bool { return !is(s) })
}

// isWhole reports whether s is an integer in canonical form: it has no plus sign and no leading
// zeros, and fits in an int64.
func isWhole(s string) bool {
	v, err := strconv.ParseInt(s, 10, 64)
	return err == nil && strconv.FormatInt(v, 10) == s
}

// isDecimal reports whether s is a number with a point as Python writes it, without an exponent.
func isDecimal(s string) bool {
	v, err := text.ParseNumber(s, 64)
	written := strconv.FormatFloat(v, 'f', -1, 64)
	return err == nil && (written == s && strings.Contains(s, ".") || written+".0" == s)
}

// lightgbmInfo returns the word of feature_infos for a feature with text categories.
func lightgbmInfo(list []string) string {
	b := []byte("-1") // missing values, as in LightGBM
	for code := range list {
		b = strconv.AppendInt(append(b, ':'), int64(code), 10)
	}
	return string(b)
}

// xgboostTexts sets the text categories of a model. XGBoost 3.1 and later keep the values of each
// column of a data frame: numbers, or the bytes of all texts with the offset of each. If all values
// are the numbers of the categories, the model has no texts. The offsets of XGBoost 3.2 count
// characters, not bytes, so texts that are not ASCII cannot be trusted.
func xgboostTexts(m *lambdamart.Model, model modelfile.Node) {
	if !model.Has("cats") {
		return
	}
	cats := model.Get("cats")
	cats.Only("enc", "feature_segments", "sorted_idx")
	enc := cats.Get("enc")
	if !enc.Hold("the text categories", 24*int64(m.NumFeatures)) {
		return
	}
	lists, f, codes, ascii := make([][]string, m.NumFeatures), 0, true, true
	for _, c := range enc.List() {
		c.Only("offsets", "type", "values")
		list := xgboostList(c)
		if c.Err() != nil {
			return
		}
		for i, s := range list {
			codes = codes && s == strconv.Itoa(i)
			ascii = ascii && strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
		}
		if f < len(lists) && len(list) > 0 {
			lists[f] = list
		}
		f++
	}
	switch {
	case codes:
	case f != m.NumFeatures || !ascii:
		m.CategoryCodes = true
	default:
		setTexts(m, lists)
	}
}

// xgboostList returns the texts of a column.
func xgboostList(c modelfile.Node) (list []string) {
	values := c.Get("values")
	if !c.Has("offsets") {
		return textsIn(values)
	}
	bytes := values.Ints(-1<<7, 1<<8-1) // signed or not
	offsets := c.Get("offsets").Ints(0, int64(len(bytes)))
	all := make([]byte, len(bytes))
	for i, v := range bytes {
		all[i] = byte(v)
	}
	if !c.Hold("the text categories", settingBytes*int64(len(offsets))+int64(len(all))) {
		return nil
	}
	for i := 1; i < len(offsets); i++ {
		if offsets[i] < offsets[i-1] {
			c.Failf("offsets must not decrease, but fall from %d to %d", offsets[i-1], offsets[i])
			return nil
		}
		list = append(list, string(all[offsets[i-1]:offsets[i]]))
	}
	return list
}

// appendXGBoostTexts appends the member cats with the values of each feature, if there are any.
// XGBoost numbers the categories of new data frames by these values. Whole numbers are written as
// int64, the type that pandas uses for them when it reads CSV files.
func appendXGBoostTexts(b []byte, m *lambdamart.Model) []byte {
	if m.Categories == nil {
		return b
	}
	const int64Type = 15
	segments, sorted := []int64{0}, []int64{}
	b = append(b, `"cats":{"enc":[`...)
	for f, list := range m.Categories {
		if f > 0 {
			b = append(b, ',')
		}
		order := make([]int64, len(list))
		for i := range order {
			order[i] = int64(i)
		}
		numbers := allOf(list, isWhole)
		slices.SortFunc(order, func(i, j int64) int {
			if numbers {
				v, _ := strconv.ParseInt(list[i], 10, 64) // cannot fail, because all texts are whole numbers
				w, _ := strconv.ParseInt(list[j], 10, 64)
				return cmp.Compare(v, w)
			}
			return cmp.Compare(list[i], list[j])
		})
		sorted = append(sorted, order...)
		segments = append(segments, int64(len(sorted)))
		if numbers {
			b = strconv.AppendInt(append(b, `{"type":`...), int64Type, 10)
			b = modelfile.AppendList(append(b, `,"values":`...), list, appenderOf(list))
		} else {
			b = appendXGBoostStrings(b, list)
		}
		b = append(b, '}')
	}
	b = modelfile.AppendList(append(b, `],"feature_segments":`...), segments, modelfile.AppendInt)
	b = modelfile.AppendList(append(b, `,"sorted_idx":`...), sorted, modelfile.AppendInt)
	return append(b, "},"...)
}

// appendXGBoostStrings appends the bytes of texts and their offsets, without the closing brace.
func appendXGBoostStrings(b []byte, list []string) []byte {
	offsets, bytes := []int64{}, []int64{}
	for i, s := range list {
		if i == 0 {
			offsets = append(offsets, 0)
		}
		for _, c := range []byte(s) {
			bytes = append(bytes, int64(int8(c)))
		}
		offsets = append(offsets, int64(len(bytes)))
	}
	b = modelfile.AppendList(append(b, `{"offsets":`...), offsets, modelfile.AppendInt)
	return modelfile.AppendList(append(b, `,"values":`...), bytes, modelfile.AppendInt)
}
