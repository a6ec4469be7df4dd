package model

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/testkit"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

// TestExports reads models that other programs exported, and compares the scores with the
// predictions of CatBoost and ONNX Runtime. The models and predictions are made by
// bench/peers/lambdamart/exports.py. CatBoost adds leaf values in float64, possibly in another
// order. ONNX Runtime adds them in float32, unless the tensors are double.
func TestExports(t *testing.T) {
	const dir = "testdata/exports"
	rows := testkit.ReadNumbers(t, filepath.Join(dir, "rows.txt"))
	paths, err := filepath.Glob(filepath.Join(dir, "*.*n*"))
	if err != nil || len(paths) != 16 {
		t.Fatalf("%v, %v", paths, err)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			m, err := Load(path)
			if err != nil {
				t.Fatal(err)
			}
			want := testkit.ReadNumbers(t, strings.TrimSuffix(path, filepath.Ext(path))+".txt")
			tolerance := 1e-6
			if strings.HasSuffix(path, ".json") {
				tolerance = 1e-14
			}
			trees, ok := m.(*lambdamart.Model)
			for i, r := range rows {
				x := make([]float32, len(r))
				for j, v := range r {
					x[j] = float32(v)
				}
				got := m.Score(x)
				if ok && trees.Sigmoid > 0 && strings.HasSuffix(path, ".onnx") { // the predictions are probabilities
					got = 1 / (1 + math.Exp(-got))
				}
				if w := want[i][0]; !(math.Abs(got-w) <= tolerance*math.Max(1, math.Abs(w))) && (got == got || w == w) {
					t.Errorf("row %d, %v, scores %v, want %v", i, x, got, w)
				}
			}
		})
	}
}
