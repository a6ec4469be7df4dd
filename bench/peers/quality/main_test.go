package main

import (
	"context"
	"strings"
	"testing"
)

func TestTable(t *testing.T) {
	results := map[key]result{}
	for seed, values := range [][2][]float64{{{0.5, 0.25}, {0.75, 0.5}}, {{1, 0.5}, {1, 0.75}}, {{0, 0}, nil}} {
		for i, system := range []string{"ndcg", "map"} {
			if values[i] != nil {
				r := result{"curved", system, uint64(seed), float64(1 + 2*i), values[i]}
				results[key{r.Set, r.System, r.Seed}] = r
			}
		}
	}
	var out strings.Builder
	if err := table(context.Background(), &out, results); err != nil {
		t.Fatal(err)
	}
	// The third seed of ndcg has no counterpart.
	for _, want := range []string{"| curved | ndcg | 0.3750 |  |  |  | 1 |\n", "| curved | map | 0.7500 | +0.1875 |",
		" | 3 |\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the table lacks %q:\n%s", want, out.String())
		}
	}
}
