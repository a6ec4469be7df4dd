package modelfile

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/files"
)

// oldXGBoost begins as XGBoost's old binary models do.
var oldXGBoost = strings.Repeat("\x00", 136) + "\x09\x00\x00\x00\x00\x00\x00\x00rank:ndcg"

// TestRead: what the first bytes tell, and whether they are those of a model.
func TestRead(t *testing.T) {
	for _, c := range []struct {
		text   string
		kind   Kind
		err    string
		begins bool
	}{
		{`{"format":"simdrank-linear","version":`, LinearJSON, "", true},
		{"\n { \"a\" : [{}] , \"format\" : \"simdrank-lambdamart\"", TreesJSON, "", true},
		{`{"version":[1],"learner":{"format":`, XGBoost, "", true},
		{"{L\x00\x00\x00\x00\x00\x00\x00\x07learner", XGBoost, "", true},
		{"tree\nversion=v4\n", LightGBM, "", true},
		{"\ntree\r\nversion=v4\r\n", LightGBM, "", true},
		{"SVM-light Version V6.20\n", SVMLight, "", true},
		{"solver_type L2R_L2LOSS_SVC\n", Liblinear, "", true},

		{"", "", "the file is empty", false},
		{"tree", "", `not a model file: it starts with "tree"; supported formats: JSON, UBJSON, ONNX, RankLib XML, and LightGBM, `, false},
		{"0.25\n-1\n", "", `it starts with "0.25\n-1\n"`, false},
		{"[1,2]", "", "not a model file", false},
		{`{"format":"other"}`, "", `unknown format "other"; it must be "simdrank-lambdamart" or "simdrank-linear"`, true},
		{`{"format":1}`, "", `unknown format ""`, true},
		{`{"version":1}`, "",
			"unrecognized model JSON: expected a simdrank, XGBoost, ", true},
		{`{}`, "", "unrecognized model JSON", true},
		{`{"a":1,}`, "", `byte 8: found "}", expected a name in quotes`, true},
		{`{"a"`, "", "byte 5: the file ends too early: expected ':'", true},
		{`{"format":"`, "", "the file ends within a string", true},

		{"binf\x00\x00\x00?", "", "XGBoost's old binary format is not supported: load the model with XGBoost (1.0 to 3.0) " +
			"and save it as .json or .ubj", true},
		{"bs64\x00", "", "XGBoost's old binary format", true},
		{oldXGBoost, "", "XGBoost's old binary format", true},
		{oldXGBoost[:len(oldXGBoost)-1], "", "not a model file", false},
		{"booster[0]:\n0:[f1<2] yes=1,no=2,missing=1\n", "", "XGBoost's text dump", true},
		{"0:[f1<2] yes=1,no=2,missing=1\n", "", "XGBoost's text dump", true},
		{"0:leaf=0.5\n", "", "XGBoost's text dump", true},
		{`[{ "nodeid": 0, "leaf": 1}]`, XGBoostDump, "", true},
		{"[\n  {\n    \"children\" : [" + strings.Repeat(" ", 600), XGBoostDump, "", true},
		{`[{"a":1}]`, "", "not a model file", false},
		{"<!-- a -->\n<ensemble>", RankLib, "", true},
		{"<ensemble version='1'>", RankLib, "", true},
		{`{"objective":"rank:ndcg","splits":[`, XGBoostDump, "", true},
		{"\b\x08\x12\bskl2onnx", ONNX, "", true},
		{"\b\x03:\x05\n\x03\n\x01X", ONNX, "", true},
		{"\b\x80\x01", "", "not a model file", false},
		{"\b\x08", "", "not a model file", false},
		{`{"features_info":{},"model_info":`, CatBoost, "", true},
		{`{"model_info":{"a":1},"oblivious_trees":[]`, CatBoost, "", true},
		{`{"name":"tree","version":"v4","tree_info":[{"tree_index":0}]}`, LightGBMDump, "", true},
		{"## LambdaMART\n## No. of trees = 1\n\n<ensemble>", RankLib, "", true},
		{"<?xml version=\"1.0\"?>\n<ensemble>", RankLib, "", true},
		{"## Random Forests\n", "", "RankLib models of type Random Forests are not supported: use LambdaMART or MART", true},
		{"## scores\n1\n", "", "not a model file", false},
		{`{"class":"org.apache.solr.ltr.model.MultipleAdditiveTreesModel","name":1`, SolrTrees, "", true},
		{`{"responseHeader":{"status":0},"models":[`, SolrTrees, "", true},
		{`{"initArgs":{},"managedList":[`, SolrTrees, "", true},
		{`{"name":"m","class":"org.apache.solr.ltr.model.LinearModel"}`, "",
			`a Solr model of class "org.apache.solr.ltr.model.LinearModel" is not supported: the class must be org.`, true},
	} {
		t.Run(c.text, func(t *testing.T) {
			text, kind, err := Read(strings.NewReader(c.text), files.BudgetOf(0))
			switch {
			case c.err == "" && (err != nil || kind != c.kind || string(text) != c.text):
				t.Errorf("%q, %v, want %q", kind, err, c.kind)
			case c.err != "" && (err == nil || !strings.HasPrefix(err.Error(), "model: ") ||
				!strings.Contains(err.Error(), c.err)):
				t.Errorf("%q, %v, want error %s", kind, err, c.err)
			}
			if head := c.text[:min(len(c.text), 512)]; Begins([]byte(head)) != c.begins {
				t.Errorf("%.40q begins a model: %v, want %v", c.text, !c.begins, c.begins)
			}
		})
	}
	_, _, err := Read(strings.NewReader("\x1f\x8bnot gzip"), files.BudgetOf(0))
	if err == nil || err.Error() != "model: gzip: invalid header" {
		t.Errorf("no gzip: error %v", err)
	}
	for kind, want := range map[Kind]bool{LinearJSON: true, SVMLight: true, Liblinear: true, TreesJSON: false,
		LightGBM: false, XGBoost: false, CatBoost: false, ONNX: false,
		LightGBMDump: false, XGBoostDump: false, RankLib: false, SolrTrees: false} {
		if kind.Linear() != want {
			t.Errorf("%s is linear: %v, want %v", kind, !want, want)
		}
	}
}

// TestReadBeginning: of what is no model, however long, the beginning is read; spaces may come
// before a model.
func TestReadBeginning(t *testing.T) {
	for _, c := range []struct{ text, err string }{
		{"0 qid:1 1:0.5\n", `model: not a model file: it starts with "0 qid:1 1:0."`},
		{"\x00", `model: not a model file: it starts with "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"`},
		{"\xff\xfe", "model: text must be UTF-8, not UTF-16"},
	} {
		t.Run(c.text, func(t *testing.T) {
			const size = 1 << 20
			r := strings.NewReader(strings.Repeat(c.text, size/len(c.text)))
			_, _, err := Read(r, files.BudgetOf(0))
			if err == nil || !strings.HasPrefix(err.Error(), c.err) || r.Len() < size/2 {
				t.Errorf("error %v, with %d bytes unread, want %s", err, r.Len(), c.err)
			}
		})
	}
	spaced := strings.Repeat(" ", 3*headLen) + `{"format":"simdrank-linear"`
	text, kind, err := Read(strings.NewReader(spaced), files.BudgetOf(0))
	if err != nil || kind != LinearJSON || string(text) != spaced {
		t.Errorf("after many spaces: %q, error %v", kind, err)
	}
}

// TestFileErrors: an error names the file once.
func TestFileErrors(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "model")
	bad := errors.New("bad")
	read := func(r io.Reader) (string, error) {
		text, _, err := Read(r, files.NewBudget(r))
		return string(text), err
	}
	write := func(w io.Writer) error { return bad }
	_, missing := Load(path, read)
	_, folder := Load(dir, read)
	for _, c := range []struct{ err, is error }{
		{missing, fs.ErrNotExist}, {folder, nil}, {Save(path, write), bad}, {Save(dir, write), nil},
	} {
		if c.err == nil || strings.Count(c.err.Error(), dir) != 1 || !strings.HasPrefix(c.err.Error(), dir) ||
			c.is != nil && !errors.Is(c.err, c.is) {
			t.Errorf("error %v", c.err)
		}
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("a failed save left %v", left)
	}
}
