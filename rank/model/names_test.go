package model

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

// TestNames writes models whose features have odd names in every format: what is written is read
// back and finds the columns of its training data, in whatever order they are, or nothing is
// written and the error says which name is at fault.
func TestNames(t *testing.T) {
	const lightgbm = "lightgbm lightgbm-v3 lightgbm-dump"
	for _, c := range []struct {
		names   [2]string
		refused string // formats
	}{
		{[2]string{"a", "b"}, ""},
		{[2]string{"first price", "b"}, ""},
		{[2]string{" b ", "  b"}, ""},
		{[2]string{"a b", "a_b"}, lightgbm},
		{[2]string{"价\u3000格", "a\u00a0b"}, ""},
		{[2]string{"\u3000b", "b\u00a0"}, ""},
		{[2]string{"b\u2028", "\u0085b"}, ""},
		{[2]string{"a\tb", "\ta\t"}, ""},
		{[2]string{"a\x01\x1b\v\f", "\x7f"}, ""},
		{[2]string{"a\nb", "b"}, lightgbm},
		{[2]string{"a", "b\r"}, lightgbm},
		{[2]string{"a\x00", "a"}, lightgbm},
		{[2]string{"a", ""}, lightgbm},
		{[2]string{"a", "="}, lightgbm},
		{[2]string{"a=b", "=a="}, ""},
		{[2]string{`"`, `""`}, ""},
		{[2]string{`\`, `\u00e9`}, ""},
		{[2]string{"a,b", "a:b;c"}, ""},
		{[2]string{"[x: y]", "{z}"}, ""},
		{[2]string{"<a>&amp;", "]]>"}, ""},
		{[2]string{"café", "cafe\u0301"}, ""},
		{[2]string{"\ufeffa", "\ufffd"}, ""},
		{[2]string{"😀", "\U0010ffff"}, ""},
		{[2]string{strings.Repeat("é", 1<<16), strings.Repeat("é", 1<<16) + "x"}, ""},
		{[2]string{"pandas_categorical:[1", "pandas_categorical:"}, ""},
		{[2]string{"end of trees", "Tree=0"}, ""},
		{[2]string{"feature_names=", "parameters:"}, ""},
		{[2]string{"a", "a"}, lightgbm + " xgboost-dump solr"},
		{[2]string{"f0", "f1"}, ""},
		{[2]string{"f1", "f0"}, "xgboost-dump"},
		{[2]string{"f0", "f2"}, "xgboost-dump"},
		{[2]string{"f0", "f99999999"}, "xgboost-dump"},
		{[2]string{"f0", "f01"}, ""},
		{[2]string{"1", "2"}, ""},
		{[2]string{"2", "1"}, ""},
		{[2]string{"Column_0", "Column_1"}, ""},
		{[2]string{"Column_1", "Column_0"}, ""},
		{[2]string{"caf\xe9", "caf\xe8"}, "json xgboost xgboost-ubj xgboost-dump onnx ranklib solr " + lightgbm},
		{[2]string{"a", "\xed\xa0\x80"}, "json xgboost xgboost-ubj xgboost-dump onnx ranklib solr " + lightgbm},
	} {
		t.Run(fmt.Sprintf("%q", c.names), func(t *testing.T) {
			names := c.names[:]
			trees := &lambdamart.Model{NumFeatures: 2, FeatureNames: names, Trees: []lambdamart.Tree{{
				Feature: []int32{0, 1}, Threshold: []float32{2, 3}, Left: []int32{1, -1}, Right: []int32{-3, -2},
				Leaf: []float64{1, 2, 4}}}}
			linear := &rank.Linear{Weights: []float64{1, 8}, FeatureNames: names}
			for _, format := range OptionWords("format") {
				t.Run(format, func(t *testing.T) {
					var m rank.Model = trees
					if format == "svmlight" || format == "liblinear" {
						m = linear
					}
					checkWrittenNames(t, m, names, format, slices.Contains(strings.Fields(c.refused), format))
				})
			}
			checkWrittenNames(t, linear, names, "json", strings.HasPrefix(c.refused, "json"))
		})
	}
}

// checkWrittenNames writes a model and reads it back.
func checkWrittenNames(t *testing.T, m rank.Model, names []string, format string, refused bool) {
	t.Helper()
	var b bytes.Buffer
	err := Write(&b, m, format)
	if refused {
		if err == nil || b.Len() > 0 ||
			!strings.Contains(err.Error(), names[0]) && !strings.Contains(err.Error(), fmt.Sprintf("%q", names[0])) &&
				!strings.Contains(err.Error(), fmt.Sprintf("%q", names[1])) {
			t.Errorf("%T as %v with the names %.40q: error %v, written %q", m, format, names, err, b.String())
		}
		return
	}
	if err != nil {
		t.Errorf("%T as %v with the names %.40q: %v", m, format, names, err)
		return
	}
	back, err := Read(&b)
	if err != nil {
		t.Errorf("%T as %v with the names %.40q: cannot be read back: %v", m, format, names, err)
		return
	}
	columns := slices.Clone(names)
	x := [][]float32{{1, 2}, {2, 9}, {5, 1}, {9, 8}}
	data := rank.NewDataset(len(x), 2)
	first := 0 // column of the first feature
	if kept := FeatureNames(back); kept != nil {
		if names[0] == names[1] { // no data have such columns
			if !slices.Equal(kept, names) {
				t.Errorf("%T as %v: names %q, want %q", m, format, kept, names)
			}
			return
		}
		slices.Reverse(columns)
		first = 1
	}
	data.Names = columns
	for i, row := range x {
		copy(data.Row(i), []float32{row[first], row[1-first]})
	}
	got := make([]float64, len(x))
	found, err := (Alignment{}).ToModel(data, back)
	if err == nil {
		err = back.ScoreInto(context.Background(), got, found)
	}
	if err != nil {
		t.Errorf("%T as %v with the names %.40q: %v", m, format, names, err)
		return
	}
	for i, row := range x {
		if want := m.Score(row); got[i] != want {
			t.Errorf("%T as %v with the names %.40q: row %v scores %v, want %v", m, format, names, row, got[i], want)
		}
	}
}

// TestNamesNotUTF8 reads models with names in another encoding: an error says where they are.
func TestNamesNotUTF8(t *testing.T) {
	for _, c := range []struct{ content, want string }{
		{"tree\nversion=v4\nmax_feature_idx=1\nfeature_names=a caf\xe9\n\nend of trees\n",
			`model: line 4: the name of feature 2 must be UTF-8, not "caf\xe9" (re-encode the file`},
		{"{\"max_feature_idx\":0,\"feature_names\":[\"caf\xe9\"],\"tree_info\":[]}", `byte 39: text must be UTF-8, not "caf\xe9"`},
		{"{\"format\":\"simdrank-linear\",\"version\":1,\"weights\":[1],\"feature_names\":[\"caf\xe9\"]}",
			`model: byte 72: text must be UTF-8, not "caf\xe9"`},
		{"{\"format\":\"simdrank-lambdamart\",\"version\":1,\"features\":1,\"feature_names\":[\"caf\\ud800\"]}",
			`"\"caf\\ud800\"" contains half of a surrogate pair`},
		{"{\"learner\":{\"feature_names\":[\"caf\xe9\"]}}", `byte 30: text must be UTF-8, not "caf\xe9"`},
		{"{L\x00\x00\x00\x00\x00\x00\x00\x07learner{L\x00\x00\x00\x00\x00\x00\x00\x01xSL\x00\x00\x00\x00\x00\x00\x00\x04caf\xe9}}",
			`"caf\xe9" is not UTF-8`},
		{"[{\"nodeid\":0,\"split\":\"caf\xe9\"}]", `byte 22: text must be UTF-8, not "caf\xe9"`},
		{"{\"class\":\"org.apache.solr.ltr.model.MultipleAdditiveTreesModel\",\"features\":[{\"name\":\"caf\xe9\"}]}",
			`text must be UTF-8, not "caf\xe9"`},
		{"## LambdaMART\n<ensemble>\n<tree weight=\"1\"><split><feature>caf\xe9</feature>", "model: line 3: text must be UTF-8 (re-encode"},
	} {
		t.Run(fmt.Sprintf("%.60s", c.content), func(t *testing.T) {
			if _, err := Read(strings.NewReader(c.content)); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%q: %v, want %s", c.content, err, c.want)
			}
		})
	}
}
