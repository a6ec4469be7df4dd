package fuzz

import (
	"testing"

	"github.com/simdrank/simdrank/rank/fusion"
)

// FuzzParseGrid parses any text for any number of runs. The result must be an error or a grid with
// a limited number of weight combinations. Weights must be finite and not negative, and not all 0.
func FuzzParseGrid(f *testing.F) {
	f.Add("0:1:.1", byte(2))
	f.Add(".5:2:.25", byte(3))
	f.Add("1e-300:1e300:1", byte(1))
	f.Add("0:0:1", byte(1))
	f.Fuzz(func(t *testing.T, text string, runs byte) {
		grid, err := fusion.ParseGrid(text, int(runs))
		if (err == nil) != (len(grid) > 0) || len(grid) > 100_000 {
			t.Fatalf("%d combinations, %v", len(grid), err)
		}
		for _, weights := range grid {
			most := 0.
			for _, w := range weights {
				if w < 0 || w-w != 0 {
					t.Fatalf("weights %v", weights)
				}
				most = max(most, w)
			}
			if len(weights) != int(runs) || most == 0 {
				t.Fatalf("weights %v", weights)
			}
		}
	})
}
