package model

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/testkit"
)

// TestExports reads models that other programs exported, and compares the scores with the
// predictions of CatBoost. The models and predictions are made by
// bench/peers/lambdamart/exports.py. CatBoost adds leaf values in float64, possibly in another
// order.
func TestExports(t *testing.T) {
	const dir = "testdata/exports"
	rows := testkit.ReadNumbers(t, filepath.Join(dir, "rows.txt"))
	paths, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil || len(paths) < 5 {
		t.Fatalf("%v, %v", paths, err)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			m, err := Load(path)
			if err != nil {
				t.Fatal(err)
			}
			want := testkit.ReadNumbers(t, strings.TrimSuffix(path, filepath.Ext(path))+".txt")
			for i, r := range rows {
				x := make([]float32, len(r))
				for j, v := range r {
					x[j] = float32(v)
				}
				got := m.Score(x)
				if w := want[i][0]; !(math.Abs(got-w) <= 1e-14*math.Max(1, math.Abs(w))) {
					t.Errorf("row %d, %v, scores %v, want %v", i, x, got, w)
				}
			}
		})
	}
}
